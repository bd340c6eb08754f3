// I08, LS24: nobody waits in a circle; and a claim is granted whole.

import type { Checker } from "../world/watch.ts";
import { reached, waitGraph } from "./reference.ts";

export function noCycle(): Checker {
  let changed = false;
  return {
    name: "I08 no cycle, all or nothing",
    before: (event, { model, report }) => {
      changed ||= event.type === "claim.queued" || event.type === "family.awaited" || event.type === "lease.granted";
      if (event.type !== "lease.granted" || event.arrival !== null) return;
      const claim = model.projectOf(event.family).queue.find((each) => each.id === event.claim);
      const wanted = claim?.units.map((unit) => unit.text).join(" ");
      if (wanted !== event.units.join(" "))
        report("I08", `claim ${event.claim} wanted ${wanted} and got ${event.units.join(" ")}`);
    },
    batch: (_, { model, report }) => {
      if (!changed) return;
      changed = false;
      const graph = waitGraph(model);
      for (const family of graph.keys()) {
        if (reached(graph, family).has(family)) return report("I08", `${family} waits for itself through others`);
      }
    },
  };
}
