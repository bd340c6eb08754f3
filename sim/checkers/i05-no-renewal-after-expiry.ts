// I05, LS25, LS30, LS31: a renewal at or after the expiry comes too late, what is over stays over, and a claim that ends
// where it arrives renews nobody.

import type { Logged } from "../../src/core/events.ts";
import type { Checker, Watch } from "../world/watch.ts";

export function noRenewalAfterExpiry(): Checker {
  /** Renewals that changed a time to live: what they were, by their place in the log. */
  const changed = new Map<number, string>();
  return {
    name: "I05 no renewal after expiry",
    before: (event, watch) => {
      const { model, report, sometimes } = watch;
      if (event.type === "lease.renewed") {
        sometimes("lease renewed");
        if (event.ttlMs !== null) changed.set(event.seq, `${event.families.join(" ")} for ${event.ttlMs} ms`);
        for (const id of event.families) {
          const family = model.family(id);
          if (family.life !== "live") report("I05", `${id} is ${family.life} and was renewed`);
          if (family.expiresAtMs <= event.atMs) {
            report("I05", `${id} expired at ${family.expiresAtMs} and was renewed at ${event.atMs}`);
          }
        }
      }
      if (event.type === "family.opened" && model.families.has(event.family)) {
        report("I05", `family ${event.family} was opened twice`);
      }
      for (const id of touched(event)) mustNotBeOver(id, event, watch);
    },
    reply: ({ given: { input }, outcome }, { model, report, sometimes }) => {
      if (input.type === "claim.make" && outcome.ok && outcome.value.of === "claim") {
        const { claim, family, state } = outcome.value.claim;
        const renewed = changed.get((model.claims.get(claim)?.states[0]?.seq ?? 0) - 1);
        const byIt = renewed === `${family} for ${input.ttlMs} ms`;
        if (byIt && (state === "refused" || state === "busy"))
          report("LS25", `claim ${claim} was ${state}, and renewed ${renewed}`);
        if (byIt) sometimes("claim with another time to live");
      }
      if (input.type === "lease.renew" && !outcome.ok && outcome.refusal.code === "expired")
        sometimes("renewal too late");
      if (input.type === "node.beat" && outcome.ok && outcome.value.of === "beat" && outcome.value.expired.length > 0) {
        sometimes("beat too late");
      }
    },
  };
}

function touched(event: Logged): string[] {
  if (event.type === "family.moved" || event.type === "lease.granted" || event.type === "claim.queued")
    return [event.family];
  if (event.type === "family.awaited") return [event.family, event.other];
  return [];
}

function mustNotBeOver(id: string, event: Logged, { model, report }: Watch): void {
  if (model.families.get(id)?.life === "over") report("I05", `${event.type} speaks of ${id}, which is over`);
}
