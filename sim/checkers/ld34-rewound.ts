// LD34, LD35: after a rewind every held path is as the step left it, where mainline has brought nothing else since; and
// nobody acts in a workspace while it goes back.

import type { Work } from "../../src/core/workspace/workspace-state.ts";
import { allows } from "../world/model-unit.ts";
import { hasEnded, type ModelRun, rootOf } from "../world/run-model.ts";
import type { Checker } from "../world/watch.ts";

/** States in which nobody acts in a workspace. */
const still = ["paused", "review", "awaiting-input", "parked"];

export function rewound(): Checker {
  const wanted = new Map<string, readonly Work[]>();
  return {
    name: "LD34 rewinds go back and no further",
    before: (event, { model, report, sometimes }) => {
      if (event.type === "run.submitted" && event.fork !== undefined) sometimes("forked");
      if (event.type === "rewind.begun") {
        wanted.set(event.run, event.works);
        for (const member of model.runs.values())
          if (acts(member, event.run) && rootOf(model, member).id === event.run)
            report("LD35", `the workspace of ${event.run} goes back while ${member.id} is ${member.state}`);
      }
      if (event.type === "call.started") {
        const run = model.runs.get(event.run);
        if (run !== undefined && rootOf(model, run).rewinding !== null)
          report("LD35", `call ${event.call} of ${event.run} starts while its workspace goes back`);
      }
    },
    after: (event, { model, report }) => {
      if (event.type !== "run.rewound" || event.refused !== null) return;
      const run = model.runs.get(event.run);
      if (run === undefined) return;
      const then = new Map((wanted.get(event.run) ?? []).map((work) => [work.path, work]));
      for (const { path, base, work } of event.works) {
        const old = then.get(path);
        if (old === undefined && work !== base) report("LD34", `${path} of ${run.id} was clean then, and is ${work}`);
        if (old?.base === base && old.work !== work)
          report("LD34", `${path} of ${run.id} was ${old.work} then, and is ${work}`);
      }
      const leases = model.leasesOf(run.family).filter((lease) => lease.ready && !lease.quarantined);
      for (const { path, work } of run.dirty.values()) {
        const isHeld = leases.some((lease) => allows(lease.unit, model.unit(run.family, `file:${path}`)));
        if (isHeld && !then.has(path)) report("LD34", `${path} of ${run.id} was clean then, and is still ${work}`);
      }
    },
  };
}

/** Whether a run does something in its workspace, or may do so at any time: the one that goes back is still by itself. */
function acts(run: ModelRun, rewound: string): boolean {
  if (hasEnded(run)) return false;
  return run.call?.started === true || (run.id !== rewound && !still.includes(run.state));
}
