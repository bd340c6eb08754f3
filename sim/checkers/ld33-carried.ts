// LD18, LD32, LD33: what a run has changed stays its own until it lands, ends or gives it back. Giving back a unit takes
// what lies beneath it; an approval or a landing of one part takes nothing of the rest.

import type { Logged } from "../../src/core/events.ts";
import { allows } from "../world/model-unit.ts";
import { kin } from "./ld15-swept.ts";
import type { Checker } from "../world/watch.ts";

export function carried(): Checker {
  let released: (Logged & { type: "lease.released" })[] = [];
  /** Runs that have landed something since they began to land. */
  const landed = new Set<string>();
  return {
    name: "LD33 changes are carried",
    before: (event, { model, report, sometimes }) => {
      if (event.type === "lease.released") released.push(event);
      if (event.type === "run.landed") landed.add(event.run);
      const run = "run" in event && typeof event.run === "string" ? model.runs.get(event.run) : undefined;
      if (run === undefined) return;
      if (event.type === "run.revived" && run.dirty.size > 0) sometimes("changes carried to a new family");
      if (event.type === "paths.set-aside" && event.why === "its unit was given back") {
        const units = released
          .filter((each) => each.family === run.family)
          .flatMap((each) => each.units.map((text) => model.unit(run.family, text)));
        for (const { path } of event.works) {
          const unit = model.unit(run.family, `file:${path}`);
          const isDisplaced = event.works.some(
            (other) => other.path !== path && other.base !== null && kin(other.path, path),
          );
          if (!isDisplaced && !units.some((each) => allows(each, unit)))
            report("LD18", `${path} of ${run.id} is set aside with a unit that it does not lie beneath`);
        }
      }
      if (event.type !== "run.moved" || run.sub) return;
      if (event.to === "landing") {
        landed.delete(run.id);
        if (event.from === "review" && run.approved === null && run.dirty.size > 0)
          report("LD33", `run ${run.id} is approved, has lost its leases, and is taken for one that changed nothing`);
      }
      if (event.from === "landing" && event.to === "done" && landed.has(run.id) && run.dirty.size > 0)
        report("LD32", `run ${run.id} is done, and ${[...run.dirty.keys()].join(", ")} was not approved`);
      if (event.from === "landing" && event.to === "parked" && landed.has(run.id)) sometimes("goes on for lost leases");
    },
    batch: () => {
      released = [];
    },
  };
}
