// Branches that a campaign has to come to. One that is never reached means that something is no longer tried, although
// everything looks well.

import { crashPoints } from "./world/life.ts";

/** With fewer seeds than this, what was not reached is only listed. */
export const sometimesSeedsMin = 1000;

export const sometimes: readonly string[] = [
  ...crashPoints.map((point) => `down: ${point}`),
  "down: damaged",
  "down: could not open",
  "crash during append, durable",
  "crash during append, lost",
  "read failed",
  "record damaged",
  "snapshot used",
  "snapshot damaged",
  "overloaded",
  "store-unavailable",
  "key-reused",
  "same request answered again",
  "deadlock refused",
  "call refused for deadlock",
  "placed further back because of passes",
  "placed further back because of cycle",
  "priority pass counted",
  "pass limit reached",
  "holder placed ahead of those who wait for it",
  "try was busy",
  "cancel lost the race",
  "renewal too late",
  "beat too late",
  "lease renewed",
  "released by claim",
  "refused at the resource: stale-fence",
  "refused at the resource: expired",
  "overtaken driver refused",
  "process started",
  "process quarantined",
  "process inherited",
  "quarantine cleared by proof",
  "quarantine cleared by person",
  "exit unknown",
  "yielded: hold",
  "yielded: paused",
  "kin yielded",
  "slot taken with a grant",
  "slot limit reached",
  "unparked",
  "run lost",
  "run revived",
  "family ended: expired",
  "family ended: finished",
  "family ended: idle",
  ...["refused", "busy", "cancelled", "timed-out", "paused", "holder-gone"].map((how) => `claim ended: ${how}`),
  ...["blocked", "parked", "awaiting-input", "paused", "validating", "review", "landing", "done"].map(
    (to) => `run ${to}`,
  ),
  ...["failed", "rejected", "terminated"].map((to) => `run ${to}`),
];

export function findUnreached(reached: ReadonlyMap<string, number>): string[] {
  return sometimes.filter((name) => !reached.has(name));
}
