// Of very many leases the daemon tells the first only. What was asked for by its name comes to them here.

import type { Locks } from "../../protocol/wire/claim.ts";
import { keyOfUnit } from "./unit-past.ts";

/** What is in both is told by the first, which is read again whenever something happens. It stays a part where it was one. */
export function joinLocks(locks: Locks, more: Locks | null): Locks {
  if (more === null) return locks;
  const leases = new Map([...more.leases, ...locks.leases].map((lease) => [keyOfUnit(lease), lease]));
  const queue = new Map([...more.queue, ...locks.queue].map((entry) => [entry.claim, entry]));
  return {
    ...locks,
    leases: [...leases.values()],
    queue: [...queue.values()].toSorted((a, b) => a.position - b.position),
  };
}
