// I09, LS16: at the end of a step no claim waits that could be granted; and grants come in the order of the queue.

import type { Checker } from "../world/watch.ts";
import { hasRoom, isGrantable, mustYield } from "./reference.ts";

export function noLostWakeup(): Checker {
  return {
    name: "I09 no lost wake-up",
    before: (event, { model, report, sometimes }) => {
      if (event.type !== "lease.granted" || event.arrival !== null) return;
      const project = model.projectOf(event.family);
      const claim = project.queue.find((each) => each.id === event.claim);
      if (claim === undefined) return report("I10", `claim ${event.claim} was granted and did not wait`);
      if (!isGrantable(model, project, claim, event.atMs)) {
        const full = claim.slot !== null && !hasRoom(model, claim.slot);
        report(
          full ? "LS21" : "LS16",
          `claim ${event.claim} was granted although ${full ? "no slot is free" : "something is in its way"}`,
        );
      }
      if (claim.slot === null) return;
      sometimes("slot taken with a grant");
      const ahead = project.queue.slice(0, project.queue.indexOf(claim)).filter((each) => each.slot !== null);
      for (const other of ahead) {
        if (isGrantable(model, project, other, event.atMs, mustYield))
          report("LS16", `claim ${claim.id} took the slot that ${other.id}, ahead of it, could have`);
      }
    },
    batch: (_, { model, report, sometimes }) => {
      for (const project of model.projects.values()) {
        for (const claim of project.queue) {
          if (isGrantable(model, project, claim, model.atMs, mustYield))
            report("I09", `claim ${claim.id} waits for nothing`);
          if (claim.slot !== null && !hasRoom(model, claim.slot)) sometimes("slot limit reached");
        }
      }
    },
  };
}
