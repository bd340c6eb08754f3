// I07: among equals, who came first is served first. Nobody who came later gets what an earlier one of equal or higher
// priority waits for, unless that one waited for him anyway.

import type { Checker, Watch } from "../world/watch.ts";
import type { ModelClaim } from "../world/model-types.ts";
import { inherits, waitersFor, waitGraph, wantsSame } from "./reference.ts";

export function firstCome(): Checker {
  /** Who waited for a claim's family when it arrived. */
  const waited = new Map<string, ReadonlySet<string>>();
  return {
    name: "I07 first come, first served",
    before: (event, watch) => {
      const { model } = watch;
      if (event.type === "claim.queued") waited.set(event.claim, waitersFor(waitGraph(model), event.family));
      if (event.type !== "lease.granted" || inherits(event)) return;
      const units = event.units.map((text) => model.unit(event.family, text));
      const queue = model.projectOf(event.family).queue;
      const own = queue.find((claim) => claim.id === event.claim);
      const priority = own?.priority ?? event.arrival?.priority ?? 0;
      const isEarlier = (claim: ModelClaim): boolean => own === undefined || claim.queuedSeq < own.queuedSeq;
      const rivals = queue.filter(
        (claim) =>
          claim.family !== event.family &&
          claim.priority >= priority &&
          isEarlier(claim) &&
          wantsSame(claim.units, units),
      );
      if (rivals.length === 0) return;
      const waiters = waited.get(event.claim) ?? waitersFor(waitGraph(model), event.family);
      for (const rival of rivals) barged(rival, waiters, watch, event.claim);
    },
  };
}

function barged(rival: ModelClaim, waiters: ReadonlySet<string>, { report }: Watch, claim: string): void {
  if (!waiters.has(rival.family)) report("I07", `claim ${claim} was granted past ${rival.id}, which came first`);
}
