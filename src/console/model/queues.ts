// Who waits for what, looked up often: each index is made once for each answer of the daemon.

import type { Locks, QueueEntry } from "../../protocol/wire/claim.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { doUnitsTouch } from "./units.ts";

type Queue = Locks["queue"];
type ByUnit = ReadonlyMap<string, readonly QueueEntry[]>;

const byLocks = new WeakMap<Locks, ByUnit>();
const byWanted = new WeakMap<Queue, ByUnit>();
const byQueue = new WeakMap<Queue, ReadonlyMap<string, QueueEntry>>();
const byPlace = new WeakMap<Queue, Map<string, number>>();
const nobody: readonly QueueEntry[] = [];

/** Claims that wait for a unit that is held, in the order in which they get it. */
export function queueOf(
  locks: Locks,
  lease: { readonly unit: string; readonly project: string },
): readonly QueueEntry[] {
  const index = byLocks.get(locks) ?? indexByUnit(locks);
  byLocks.set(locks, index);
  return index.get(keyOf(lease)) ?? nobody;
}

/** Claims that wait for just this unit, whoever is in their way. */
export function waitersFor({ queue }: Locks, wanted: { readonly unit: string; readonly project: string }) {
  const index = byWanted.get(queue) ?? indexByWanted(queue);
  byWanted.set(queue, index);
  return index.get(keyOf(wanted)) ?? nobody;
}

/** The claim with which a run waits now. */
export function entryOf(locks: Locks, run: Run): QueueEntry | undefined {
  const index = byQueue.get(locks.queue) ?? new Map(locks.queue.map((entry) => [entry.claim, entry]));
  byQueue.set(locks.queue, index);
  return index.get(run.call?.claim ?? "") ?? index.get(run.claim ?? "");
}

/** Which one in the row of those who want a unit a waiting claim is; in the queue of its project it may be further back. */
export function placeFor({ queue }: Locks, entry: QueueEntry, unit: string): number {
  const places = byPlace.get(queue) ?? new Map<string, number>();
  byPlace.set(queue, places);
  const key = `${entry.claim} ${unit}`;
  const place = places.get(key) ?? findPlace(queue, entry, unit);
  places.set(key, place);
  return place;
}

function findPlace(queue: Queue, entry: QueueEntry, unit: string): number {
  const ahead = queue.filter(
    ({ project, position, units }) =>
      project === entry.project && position < entry.position && units.some((each) => doUnitsTouch(each, unit)),
  );
  return ahead.length + 1;
}

function indexByWanted(queue: Queue): ByUnit {
  const index = new Map<string, QueueEntry[]>();
  for (const entry of queue)
    for (const unit of new Set(entry.units)) {
      const key = keyOf({ project: entry.project, unit });
      const known = index.get(key);
      if (known === undefined) index.set(key, [entry]);
      else known.push(entry);
    }
  return index;
}

function indexByUnit(locks: Locks): ByUnit {
  const leases = Map.groupBy(locks.leases, ({ family, claim }) => `${family} ${claim}`);
  const index = new Map<string, QueueEntry[]>();
  for (const entry of locks.queue) {
    const found = new Set<string>();
    for (const { by, family, claim, unit } of entry.behind) {
      if (by !== "lease") continue;
      for (const lease of leases.get(`${family} ${claim}`) ?? []) {
        if (doUnitsTouch(unit, lease.unit)) found.add(keyOf(lease));
      }
    }
    for (const key of found) {
      const known = index.get(key);
      if (known === undefined) index.set(key, [entry]);
      else known.push(entry);
    }
  }
  return index;
}

function keyOf({ project, unit }: { readonly unit: string; readonly project: string }): string {
  return `${project} ${unit}`;
}
