// Where a claim stands in its project's queue (LS13 to LS15, LS25). It only looks; the place it finds goes into the
// event. Whom the rules move and count by it follows from the place, so the event says only how many, and the fold finds
// them here again: a list of them would be as long as the queue.

import type { Family, LeaseTable, ProjectLeases, QueuedClaim, WaitEdge } from "./lease-state.ts";
import { projectOf } from "./lease-state.ts";
import { byRank, fromBehind, lastOfPriority } from "./queue-line.ts";
import { conflicts, type Unit } from "./unit.ts";
import { allWaitersOf, findWay, WaiterSearch } from "./wait-graph.ts";

/** How often claims of higher priority may be put ahead of one that waits. */
export const passesMax = 8;

/** A claim at the door of the queue. */
export type Arrival = {
  readonly id: string;
  readonly family: Family;
  readonly units: readonly Unit[];
  readonly priority: number;
};

/** Those who wait for the arrival's family anyway, with their distance. */
export type Waiters = ReadonlyMap<Family, number>;

export type Placement = {
  /** The claim directly ahead of the place. Looked for only when the arrival has to queue (LS45). */
  readonly findAfter: () => QueuedClaim | null;
  /** How many claims go to the end of the queue because they wait for its family anyway, and how many count a pass. */
  readonly moved: number;
  readonly passed: number;
  readonly waiters: Waiters;
  /** Whether no claim of others that conflicts with it stays ahead. */
  readonly isForemost: boolean;
  /** Whether nobody else holds anything of it. */
  readonly isFree: boolean;
};

/** Finds the foremost place that LS14 allows, or the cycle that every place would close. */
export function placeClaim(table: LeaseTable, arrival: Arrival): Placement | { readonly cycle: readonly WaitEdge[] } {
  const project = projectOf(table, arrival.family.project);
  const holders = leaseConflicts(project, arrival);
  if (holders.size === 0 && !hasRival(project, arrival)) {
    const findAfter = (): QueuedClaim | null => lastOfPriority(project, arrival.priority, nobody);
    return { findAfter, moved: 0, passed: 0, waiters: nobody, isForemost: true, isFree: true };
  }
  const waiters = allWaitersOf(table, arrival.family);
  for (const [holder, unit] of holders) {
    if (waiters.has(holder)) return { cycle: closeCycle(table, arrival, holder, unit, waiters) };
  }
  const { after, passed } = findPlace(table, arrival, holders, waiters);
  return {
    findAfter: () => after,
    moved: countMoved(project, waiters),
    passed,
    waiters,
    isForemost: !hasRivalUpTo(project, arrival, waiters, after),
    isFree: holders.size === 0,
  };
}

/** The claims that count a pass when the arrival comes to stand directly behind `after` (LS15). */
export function passedBy(
  table: LeaseTable,
  arrival: Arrival,
  waiters: Waiters,
  after: QueuedClaim | null,
): ReadonlySet<QueuedClaim> {
  const passing = new Passing(table, arrival, noHolders, waiters);
  for (const rival of passing.rivalsBehind(after)) passing.putBehind(rival);
  return passing.found;
}

/** The claims that these families have in the project's queue, foremost first. */
export function claimsOf(project: ProjectLeases, families: Waiters): QueuedClaim[] {
  const found: QueuedClaim[] = [];
  for (const family of families.keys()) {
    if (family.project === project.id) for (const claim of family.queued) found.push(claim);
  }
  return found.toSorted(byRank);
}

/** Most claims find nothing in their way: they share these. */
const nobody: Waiters = new Map();
const noHolders: ReadonlyMap<Family, Unit> = new Map();

/** Goes from the end of the queue forward, for as long as nobody is passed too often. */
function findPlace(
  table: LeaseTable,
  arrival: Arrival,
  holders: ReadonlyMap<Family, Unit>,
  waiters: Waiters,
): { readonly after: QueuedClaim | null; readonly passed: number } {
  const project = projectOf(table, arrival.family.project);
  // Condition (a): behind the last claim of equal or higher priority, apart from those that wait for us anyway.
  const first = lastOfPriority(project, arrival.priority, waiters);
  const passing = new Passing(table, arrival, holders, waiters);
  const rivals = passing.rivalsBehind(first);
  let next = rivals.next().value;
  // The end passes nobody, so there is always a place.
  let best = { after: next ?? first, passed: 0 };
  while (next !== undefined) {
    passing.putBehind(next);
    next = rivals.next().value;
    if (passing.isTooOften || passing.isStuck) break;
    if (!passing.closesCycle) best = { after: next ?? first, passed: passing.found.size };
  }
  return best;
}

/**
 * What follows when the arrival is put ahead of more and more claims: who newly waits for it, directly or through others,
 * and whether it would wait for one of those itself.
 */
class Passing {
  /** The claims that count a pass. */
  readonly found = new Set<QueuedClaim>();
  /** Condition (b): one of them was passed as often as may be. It stays so, however many more are passed. */
  isTooOften = false;
  /** Condition (c), where it stays so: a holder in our way, or we ourselves, wait for somebody slowed. */
  isStuck = false;
  readonly #arrival: Arrival;
  readonly #project: ProjectLeases;
  readonly #holders: ReadonlyMap<Family, Unit>;
  readonly #waiters: Waiters;
  /** Whoever comes to wait for us. */
  readonly #slowed: WaiterSearch;
  /** How many of the conflicting claims that are still ahead belong to somebody slowed. */
  #slowedAhead = 0;

  constructor(table: LeaseTable, arrival: Arrival, holders: ReadonlyMap<Family, Unit>, waiters: Waiters) {
    this.#arrival = arrival;
    this.#project = projectOf(table, arrival.family.project);
    this.#holders = holders;
    this.#waiters = waiters;
    this.#slowed = new WaiterSearch(table, (family, claim) => this.#slow(family, claim));
  }

  /** Condition (c): a claim that we would wait for belongs to somebody who would now wait for us. */
  get closesCycle(): boolean {
    return this.#slowedAhead > 0;
  }

  /** Others' claims that conflict with the arrival and stand behind this one, rearmost first. */
  *rivalsBehind(after: QueuedClaim | null): Generator<QueuedClaim, undefined> {
    const { family, units } = this.#arrival;
    for (const claim of fromBehind(this.#project, units, after?.rank ?? Number.NEGATIVE_INFINITY)) {
      if (claim.family !== family && !this.#waiters.has(claim.family)) yield claim;
    }
  }

  /** Puts the arrival ahead of one more claim: of all that conflict with it, the rearmost that is still ahead. */
  putBehind(rival: QueuedClaim): void {
    if (this.#slowed.seen.has(rival.family)) this.#slowedAhead--;
    this.#count(rival);
    for (const family of this.#slowed.from(rival.family)) {
      if (this.#holders.has(family)) this.isStuck = true;
      if (family.project !== this.#project.id) continue;
      for (const claim of family.queued) if (claim.rank < rival.rank && this.#isRival(claim)) this.#slowedAhead++;
    }
  }

  /** Hears of somebody who waits for a slowed family. Who waits for us anyway is neither counted nor in our way. */
  #slow(family: Family, claim: QueuedClaim | null): boolean {
    if (family === this.#arrival.family) this.isStuck = true;
    if (family === this.#arrival.family || this.#waiters.has(family)) return false;
    // Waiting for a run may reach into other projects, which have queues of their own.
    if (claim !== null && family.project === this.#project.id) this.#count(claim);
    return true;
  }

  #count(claim: QueuedClaim): void {
    this.found.add(claim);
    if (claim.passes >= passesMax) this.isTooOften = true;
  }

  #isRival(claim: QueuedClaim): boolean {
    return claim.units.some((unit) => this.#arrival.units.some((own) => conflicts(own, unit)));
  }
}

/** How many claims have to go to the end of the queue: none, where those who wait for us stand there already. */
function countMoved({ id, queue }: ProjectLeases, waiters: Waiters): number {
  let count = 0;
  for (const family of waiters.keys()) if (family.project === id) count += family.queued.size;
  if (count === 0) return 0;
  const last = queue.findLastIndex((claim) => !waiters.has(claim.family));
  return queue.length - last - 1 === count ? 0 : count;
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

function hasRival(project: ProjectLeases, { family, units }: Arrival): boolean {
  if (project.waiting.size === 0) return false;
  return units.some((unit) => project.waiting.someConflict(unit, ({ claim }) => claim.family !== family));
}

/** Whether a conflicting claim of others stays ahead of a place directly behind `after`. */
function hasRivalUpTo(
  project: ProjectLeases,
  { family, units }: Arrival,
  waiters: Waiters,
  after: QueuedClaim | null,
): boolean {
  if (after === null) return false;
  return units.some((unit) =>
    project.waiting.someLine(unit, (line) => {
      for (const { claim } of line) {
        if (claim.rank > after.rank) return false;
        if (claim.family !== family && !waiters.has(claim.family)) return true;
      }
      return false;
    }),
  );
}

function closeCycle(table: LeaseTable, arrival: Arrival, holder: Family, unit: Unit, waiters: Waiters): WaitEdge[] {
  const way = findWay(table, holder, arrival.family, waiters);
  return [{ from: arrival.family.id, to: holder.id, claim: arrival.id, unit: unit.text }, ...way];
}
