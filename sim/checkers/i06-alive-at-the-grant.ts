// I06, LS16, LS17: a claim is granted only to a family that is alive at that instant; all expiries of an instant come
// before its grants.

import { isFamilyGrantable } from "./reference.ts";
import type { Checker } from "../world/watch.ts";
import { hasEnded } from "../world/run-model.ts";

export function aliveAtTheGrant(): Checker {
  return {
    name: "I06 alive at the grant",
    before: (event, { model, report }) => {
      if (event.type !== "lease.granted") return;
      const family = model.family(event.family);
      if (!isFamilyGrantable(family))
        report("I06", `${event.claim} was granted to ${event.family}, which is ${family.life}`);
      const run = model.runs.get(family.holder);
      if (run !== undefined && hasEnded(run))
        report("I06", `${event.claim} was granted to ${run.id}, which is ${run.state}`);
      if (event.expiresAtMs !== event.atMs + family.ttlMs)
        report("LS30", `${event.claim} does not start a full period`);
      for (const other of model.families.values()) {
        if (other.life === "live" && other.expiresAtMs <= event.atMs) {
          report(
            "LS17",
            `${event.claim} was granted at ${event.atMs}, before ${other.id}, which expired at ${other.expiresAtMs}, ended`,
          );
        }
      }
    },
  };
}
