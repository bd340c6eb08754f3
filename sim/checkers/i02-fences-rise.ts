// I02: fences only rise, over restarts and restores too.

import type { Checker } from "../world/watch.ts";

export function fencesRise(): Checker {
  return {
    name: "I02 fences rise",
    before: (event, { model, report }) => {
      if (event.type === "lease.shrunk") {
        event.kept.forEach((text, at) => {
          const fence = event.fences[at] ?? 0;
          const had = model.leasesOf(event.family).some((lease) => lease.fence === fence);
          if (!had) report("I02", `${event.family} keeps ${text} under fence ${fence}, which it did not have`);
        });
      }
      if (event.type !== "lease.granted") return;
      if (event.fences.length !== event.units.length) report("I02", `${event.claim} has not one fence for each unit`);
      let last = model.fenceMax;
      for (const fence of event.fences) {
        if (fence <= last) report("I02", `claim ${event.claim} got fence ${fence} after ${last}`);
        last = fence;
      }
    },
  };
}
