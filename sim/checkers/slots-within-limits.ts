// LS21: never more families at work than a limit allows, from the moment that somebody goes to work; who waits has no slot.

import type { Checker } from "../world/watch.ts";
import { isAtWork, rootOf } from "../world/run-model.ts";
import { limitsOf, slotHolders } from "./reference.ts";

const atWork = ["starting", "running", "blocked", "validating"];

export function slotsWithinLimits(): Checker {
  return {
    name: "LS21 slots within limits",
    before: (event, { model, report, sometimes }) => {
      if (event.type !== "run.moved" || !atWork.includes(event.to)) return;
      const run = model.runs.get(event.run);
      if (run === undefined || isAtWork(run)) return;
      const root = rootOf(model, run);
      const holders = slotHolders(model);
      if (holders.includes(root)) return;
      for (const limit of limitsOf(model, root)) {
        const count = holders.filter(limit.isFor).length;
        if (count >= limit.max)
          report(
            "LS21",
            `run ${run.id} goes to work as number ${count + 1} under ${limit.name}, which allows ${limit.max}`,
          );
      }
      if (event.from === "parked") sometimes("unparked");
    },
    after: (event, { sometimes }) => {
      if (event.type === "run.moved") sometimes(`run ${event.to}`);
    },
  };
}
