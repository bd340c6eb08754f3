// Where a claim stands in its project's queue (LS13 to LS15, LS25). It only looks; the place it finds goes into the
// event, so that a replay need not search again.

import { Defect } from "../../base/assert.ts";
import type { Family, LeaseTable, ProjectLeases, QueuedClaim, WaitEdge } from "./lease-state.ts";
import { projectOf } from "./lease-state.ts";
import type { Unit } from "./unit.ts";
import { allReachedFrom, allWaitersOf, findWay, someInTheWay, someWaitedFor } from "./wait-graph.ts";

/** How often claims of higher priority may be put ahead of one that waits. */
export const passesMax = 8;

/** A claim at the door of the queue. */
export type Arrival = {
  readonly id: string;
  readonly family: Family;
  readonly units: readonly Unit[];
  readonly priority: number;
};

export type Placement = {
  /** The claim directly ahead of the place. Looked for only when the arrival has to queue (LS45). */
  readonly findAfter: () => QueuedClaim | null;
  readonly moved: readonly QueuedClaim[];
  readonly passed: readonly QueuedClaim[];
  /** Others' conflicting claims that stay ahead of it. */
  readonly before: ReadonlySet<QueuedClaim>;
};

/** Finds the foremost place that LS14 allows, or the cycle that every place would close. */
export function placeClaim(table: LeaseTable, arrival: Arrival): Placement | { readonly cycle: readonly WaitEdge[] } {
  const project = projectOf(table, arrival.family.project);
  const holders = leaseConflicts(project, arrival);
  const rivals = claimConflicts(project, arrival);
  if (holders.size === 0 && rivals.size === 0) {
    return { findAfter: () => findByPriority(project, arrival, new Set()), moved: [], passed: [], before: nobody };
  }
  const waiters = allWaitersOf(table, [arrival.family]);
  for (const [holder, unit] of holders) {
    if (waiters.has(holder)) return { cycle: closeCycle(table, arrival, holder, unit) };
  }
  const first = findByPriority(project, arrival, waiters);
  const firstRank = first?.rank ?? Number.NEGATIVE_INFINITY;
  const others = [...rivals].filter((rival) => !waiters.has(rival.family)).toSorted(byRank);
  const ahead = others.filter((rival) => rival.rank <= firstRank);
  const overtaken = others.filter((rival) => rival.rank > firstRank);

  for (let skipped = 0; skipped <= overtaken.length; skipped++) {
    const before = [...ahead, ...overtaken.slice(0, skipped)];
    const behind = overtaken.slice(skipped);
    const passed = newWaiters(table, arrival, behind, waiters);
    if (passed.some((claim) => claim.passes >= passesMax)) continue;
    if (behind.length > 0 && closesCycle(table, arrival, [...holders.keys()], before, behind)) continue;
    const after = overtaken[skipped - 1] ?? first;
    return { findAfter: () => after, moved: claimsOf(project, waiters), passed, before: new Set(before) };
  }
  throw new Defect("the end of the queue passes nobody, so there is always a place");
}

/** Most claims find nothing in their way: they share these. */
const nobody: ReadonlySet<QueuedClaim> = new Set();
const noHolders: ReadonlyMap<Family, Unit> = new Map();

export function byRank(a: QueuedClaim, b: QueuedClaim): number {
  return a.rank - b.rank;
}

/** Condition (a): behind the last claim of equal or higher priority, apart from those that wait for us anyway. */
function findByPriority(project: ProjectLeases, arrival: Arrival, waiters: ReadonlySet<Family>): QueuedClaim | null {
  const last = project.queue.findLast((claim) => !waiters.has(claim.family) && claim.priority >= arrival.priority);
  return last ?? null;
}

/** All claims that these families have in the project's queue, foremost first. */
function claimsOf(project: ProjectLeases, families: ReadonlySet<Family>): QueuedClaim[] {
  const own = [...families].filter((family) => family.project === project.id);
  return own.flatMap((family) => [...family.queued]).toSorted(byRank);
}

function leaseConflicts(project: ProjectLeases, arrival: Arrival): ReadonlyMap<Family, Unit> {
  let found: Map<Family, Unit> | undefined;
  for (const unit of arrival.units) {
    project.leases.someConflict(unit, (lease) => {
      if (lease.family === arrival.family) return false;
      found ??= new Map();
      if (!found.has(lease.family)) found.set(lease.family, unit);
      return false;
    });
  }
  if (found === undefined) return noHolders;
  return new Map([...found].toSorted(([a], [b]) => (a.id < b.id ? -1 : 1)));
}

function claimConflicts(project: ProjectLeases, arrival: Arrival): ReadonlySet<QueuedClaim> {
  if (project.waiting.size === 0) return nobody;
  const found = new Set<QueuedClaim>();
  for (const unit of arrival.units) {
    project.waiting.someConflict(unit, (entry) => {
      if (entry.claim.family !== arrival.family) found.add(entry.claim);
      return false;
    });
  }
  return found;
}

/** Condition (c): somebody we would wait for already waits for somebody who would now wait for us. */
function closesCycle(
  table: LeaseTable,
  arrival: Arrival,
  holders: readonly Family[],
  before: readonly QueuedClaim[],
  behind: readonly QueuedClaim[],
): boolean {
  const sources = new Set<Family>([...holders, ...before.map((claim) => claim.family)]);
  someWaitedFor(table, arrival.family, (other) => {
    sources.add(other);
    return false;
  });
  const reached = allReachedFrom(table, sources);
  return behind.some((claim) => reached.has(claim.family));
}

/** The claims that newly come to wait for the arrival when it stands ahead of `behind`, directly or through others. */
function newWaiters(
  table: LeaseTable,
  arrival: Arrival,
  behind: readonly QueuedClaim[],
  waiters: ReadonlySet<Family>,
): QueuedClaim[] {
  if (behind.length === 0) return [];
  const direct = new Set(behind);
  const slowed = new Set(behind.map((claim) => claim.family));
  const found = new Set(behind);
  for (const family of new Set([...slowed, ...allWaitersOf(table, slowed)])) {
    slowed.add(family);
  }
  for (const family of slowed) {
    for (const claim of family.queued) {
      if (direct.has(claim)) continue;
      if (someInTheWay(table, claim, (other) => slowed.has(other))) found.add(claim);
    }
  }
  return (
    [...found]
      .filter(({ family }) => family !== arrival.family && !waiters.has(family))
      // Waiting for a run may reach into other projects, which have queues of their own.
      .filter(({ family }) => family.project === arrival.family.project)
      .toSorted(byRank)
  );
}

function closeCycle(table: LeaseTable, arrival: Arrival, holder: Family, unit: Unit): WaitEdge[] {
  const way = findWay(table, holder, arrival.family) ?? [];
  return [{ from: arrival.family.id, to: holder.id, claim: arrival.id, unit: unit.text }, ...way];
}
