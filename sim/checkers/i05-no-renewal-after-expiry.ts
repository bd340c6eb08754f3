// I05, LS30, LS31: a renewal at or after the expiry comes too late, and what is over stays over.

import type { Logged } from "../../src/core/events.ts";
import type { Checker, Watch } from "../world/watch.ts";

export function noRenewalAfterExpiry(): Checker {
  return {
    name: "I05 no renewal after expiry",
    before: (event, watch) => {
      const { model, report, sometimes } = watch;
      if (event.type === "lease.renewed") {
        sometimes("lease renewed");
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
    reply: ({ given: { input }, outcome }, { sometimes }) => {
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
