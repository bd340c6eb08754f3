// Who waits for whom, ready to be shown: each waiting claim under the holder that it waits for first.

import type { Locks, QueueEntry } from "../../protocol/wire/claim.ts";

export type Waiter = {
  readonly holder: string;
  readonly project: string;
  /** Null when it waits for another run to end and not for a unit. */
  readonly entry: QueueEntry | null;
  /** What it wants and does not get. */
  readonly units: readonly string[];
  /** Further holders in its way, beyond the one that it is shown under. */
  readonly also: readonly string[];
  readonly waiters: readonly Waiter[];
};

export type WaitRoot = {
  readonly holder: string;
  readonly project: string;
  readonly waiters: readonly Waiter[];
  /** All who wait for it, directly or through others. */
  readonly count: number;
};

/** Roots are holders that wait for nobody; the one that most depend on comes first. */
export function toWaitForest(locks: Locks): WaitRoot[] {
  const links = toLinks(locks);
  const waiting = new Set(links.map((link) => link.from));
  const byTarget = Map.groupBy(links, (link) => link.to);
  const roots = [...byTarget.keys()].filter((holder) => !waiting.has(holder));
  const seen = new Set<string>();
  const grow = (holder: string): Waiter[] =>
    (byTarget.get(holder) ?? []).flatMap((link) => {
      if (seen.has(link.from)) return [];
      seen.add(link.from);
      const { entry, units, also, project } = link;
      return [{ holder: link.from, project, entry, units, also, waiters: grow(link.from) }];
    });
  return roots
    .map((holder) => {
      const waiters = grow(holder);
      return { holder, project: waiters[0]?.project ?? "", waiters, count: countAll(waiters) };
    })
    .filter((root) => root.count > 0)
    .toSorted((a, b) => b.count - a.count);
}

/** How many wait for each holder, directly or through others. */
export function countWaiters(locks: Locks): ReadonlyMap<string, number> {
  const byTarget = Map.groupBy(locks.waits, (edge) => edge.toHolder);
  const counts = new Map<string, number>();
  for (const holder of byTarget.keys()) {
    const seen = new Set<string>([holder]);
    const open = [holder];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const { fromHolder } of byTarget.get(next) ?? []) {
        if (seen.has(fromHolder)) continue;
        seen.add(fromHolder);
        open.push(fromHolder);
      }
    }
    counts.set(holder, seen.size - 1);
  }
  return counts;
}

type Link = {
  readonly from: string;
  readonly to: string;
  readonly project: string;
  readonly entry: QueueEntry | null;
  readonly units: readonly string[];
  readonly also: readonly string[];
};

/** One link for each waiting claim, in queue order, and one for each run that waits for a run. */
function toLinks(locks: Locks): Link[] {
  const links = locks.queue.flatMap((entry): Link[] => {
    // A lease is what holds it up in the end; a claim further ahead waits for such a lease itself.
    const first = entry.behind.find(({ by }) => by === "lease") ?? entry.behind[0];
    if (first === undefined) return [];
    const units = [...new Set(entry.behind.filter(({ holder }) => holder === first.holder).map(({ unit }) => unit))];
    const also = [...new Set(entry.behind.map(({ holder }) => holder))].filter((holder) => holder !== first.holder);
    return [{ from: entry.holder, to: first.holder, project: entry.project, entry, units, also }];
  });
  const known = new Set(links.map((link) => link.from));
  for (const edge of locks.waits) {
    if (edge.claim !== null || known.has(edge.fromHolder)) continue;
    known.add(edge.fromHolder);
    links.push({ from: edge.fromHolder, to: edge.toHolder, project: "", entry: null, units: [], also: [] });
  }
  return links;
}

function countAll(waiters: readonly Waiter[]): number {
  return waiters.reduce((sum, waiter) => sum + 1 + countAll(waiter.waiters), 0);
}
