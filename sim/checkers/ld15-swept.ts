// LD15, LD16, LD60: what a command changed outside the leases, or against a policy, is claimed or set aside in the same step, or, where
// nobody would do it again and somebody else has it, carried; and nothing else is.

import type { Logged } from "../../src/core/events.ts";
import type { LogModel } from "../world/log-model.ts";
import { allows, conflict } from "../world/model-unit.ts";
import { type ModelRun, rootOf } from "../world/run-model.ts";
import type { Checker } from "../world/watch.ts";
import { deniesPath } from "./reference.ts";

/** Whether two names cannot stand beside each other, in the strictest project. */
export function kin(a: string, b: string): boolean {
  const [one, other] = [`${a.toLowerCase()}/`, `${b.toLowerCase()}/`];
  return one.startsWith(other) || other.startsWith(one);
}

type Finished = {
  readonly event: Logged & { type: "call.finished" };
  /** What its run had changed before, and what it may leave as it is. */
  readonly carried: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
};

export function swept(): Checker {
  let finished: Finished[] = [];
  return {
    name: "LD15 what commands change is claimed or set aside",
    before: (event, { model, report, sometimes }) => {
      if (event.type === "call.finished") {
        const member = model.runs.get(event.run);
        const root = member === undefined ? undefined : rootOf(model, member);
        const paths = event.works.map(({ path }) => path);
        const isWritten = member?.written === true && root !== undefined;
        const inTheWay = isWritten ? paths.filter((path) => isOfOthers(model, root, path)) : [];
        const others = paths.filter((path) => inTheWay.some((other) => kin(other, path)));
        finished.push({ event, carried: new Set(root?.dirty.keys()), others: new Set(others) });
      }
      if (event.type !== "paths.set-aside") return;
      sometimes(`set aside: ${event.why.replace(/\d+|policy \S+/, "…")}`);
      const run = model.runs.get(event.run);
      if (run?.sub === true) report("LD16", `${event.run} is a sub-run and has no workspace to set aside from`);
      const asked = event.why.startsWith("its ") || event.why.startsWith("somebody else has changed");
      // What was in an agent before the run began there was not changed under its leases (AG44).
      const isOthers = run !== undefined && run.agent !== null && !run.entered;
      if (asked || run === undefined || run.lost || isOthers) return;
      // Whoever holds it, and whether it could be claimed, is then no question.
      const family = [...model.runs.values()].filter((each) => rootOf(model, each) === run);
      const isForbidden = ({ path }: { readonly path: string }): boolean =>
        event.why.endsWith(" forbids it") && family.some((each) => deniesPath(model, each, path));
      if (event.works.every(isForbidden)) return;
      const { life } = model.family(run.family);
      if (run.state === "paused" || (life !== "live" && life !== "new"))
        report("LD33", `${run.id} is ${run.state}, and what it cannot claim now is set aside instead of carried`);
      if (family.every(({ written }) => written) && event.why === "somebody else holds it")
        report(
          "LD60",
          `${run.id} works as it is written, and what it cannot claim now is set aside instead of carried`,
        );
      for (const { path } of event.works) {
        const unit = model.unit(run.family, `file:${path}`);
        // Unless another base that comes back cannot stand beside it.
        const others = event.works.filter((other) => other.path !== path && other.base !== null);
        const isDisplaced = others.some((other) => kin(other.path, path));
        if (
          !isDisplaced &&
          !isForbidden({ path }) &&
          model.leasesOf(run.family).some((lease) => allows(lease.unit, unit))
        )
          report("LD15", `${path} of ${run.id} is set aside although ${run.family} holds it`);
      }
    },
    batch: (_, { model, report, sometimes }) => {
      for (const { event, carried, others } of finished) {
        const member = model.runs.get(event.run);
        const root = member === undefined ? undefined : rootOf(model, member);
        if (root === undefined || model.families.get(root.family)?.life !== "live") continue;
        for (const { path } of event.works) {
          const work = root.dirty.get(path);
          const unit = model.unit(root.family, `file:${path}`);
          const held = model.leasesOf(root.family).some((lease) => allows(lease.unit, unit));
          if (work === undefined || held || carried.has(path)) continue;
          if (others.has(path)) sometimes("carried: somebody else holds it");
          else report("LD15", `${path} of ${root.id} was changed without a lease, and neither claimed nor set aside`);
        }
      }
      finished = [];
    },
  };
}

/** Whether somebody else holds what a path needs, or waits for it. */
function isOfOthers(model: LogModel, { family }: ModelRun, path: string): boolean {
  if (!model.families.has(family)) return false;
  const unit = model.unit(family, `file:${path}`);
  const { leases, queue } = model.projectOf(family);
  return (
    leases.some((lease) => lease.family !== family && conflict(lease.unit, unit)) ||
    queue.some((claim) => claim.family !== family && claim.units.some((wanted) => conflict(wanted, unit)))
  );
}
