// When what a run keeps for a person, or while it is paused, goes to those who wait for it.

import type { Locks } from "../../protocol/wire/claim.ts";

/** The next that it loses; null where nobody waits, or it keeps it whoever does. */
export function holdEndOf({ leases }: Pick<Locks, "leases">, holder: string): number | null {
  let first: number | null = null;
  for (const { holder: of, yieldsAtMs } of leases)
    if (of === holder && yieldsAtMs !== null && (first === null || yieldsAtMs < first)) first = yieldsAtMs;
  return first;
}
