// Who waits for whom (LS22, LS23). The graph is never stored: its edges are read off the index, so it cannot disagree
// with the table. Nodes are families, with all their queued claims.

import { compareText } from "../../base/canonical.ts";
import { placeIn } from "../../base/sorted.ts";
import type { ClaimUnit, Family, LeaseTable, QueuedClaim, WaitEdge } from "./lease-state.ts";
import { familyOf, projectOf } from "./lease-state.ts";
import type { Unit } from "./unit.ts";

/** The families that `family` waits for, with the reason of each edge; the visitor stops the walk by returning true. */
export function someWaitedFor(
  table: LeaseTable,
  family: Family,
  visit: (other: Family, edge: WaitEdge) => boolean,
): boolean {
  for (const claim of family.queued) {
    if (someInTheWay(table, claim, (other, unit) => visit(other, edgeOf(family, other, claim, unit)))) return true;
  }
  for (const id of family.awaits) {
    const other = familyOf(table, id);
    if (visit(other, { from: family.id, to: other.id, claim: null, unit: null })) return true;
  }
  return false;
}

/** What stands in the way of a queued claim: leases of others, and others' claims further ahead. */
export function someInTheWay(
  table: LeaseTable,
  claim: QueuedClaim,
  visit: (other: Family, unit: Unit) => boolean,
): boolean {
  const { leases } = projectOf(table, claim.family.project);
  for (const unit of claim.units) {
    const found =
      leases.someConflict(unit, (lease) => lease.family !== claim.family && visit(lease.family, unit)) ||
      someAhead(table, claim, unit, (other) => visit(other.family, unit));
    if (found) return true;
  }
  return false;
}

/** Others' claims that stand ahead of this one and want the unit too. */
export function someAhead(
  table: LeaseTable,
  claim: QueuedClaim,
  unit: Unit,
  visit: (other: QueuedClaim) => boolean,
): boolean {
  const { waiting } = projectOf(table, claim.family.project);
  return waiting.someLine(unit, (line) => {
    for (const { claim: other } of line) {
      if (other.rank >= claim.rank) return false;
      if (other.family !== claim.family && visit(other)) return true;
    }
    return false;
  });
}

/** All families that wait for this one, directly or through others, with how many edges they are away from it. */
export function allWaitersOf(table: LeaseTable, family: Family): Map<Family, number> {
  if (family.leases.size === 0 && family.queued.size === 0 && family.awaitedBy.size === 0) return new Map();
  const search = new WaiterSearch(table, () => true);
  search.from(family);
  search.seen.delete(family);
  return search.seen;
}

/**
 * Looks for those who wait, from one family to the next, nearest first. Where thousands wait for one unit, everybody
 * waits for everybody ahead; so it remembers for each name how far its line was looked at, and looks at nobody twice on
 * account of the same name.
 */
export class WaiterSearch {
  /** The families met, with their distance from where the search began. */
  readonly seen = new Map<Family, number>();
  readonly #table: LeaseTable;
  readonly #visit: (waiter: Family, claim: QueuedClaim | null) => boolean;
  readonly #lines = new Map<readonly ClaimUnit[], Reach>();
  readonly #folders = new Map<readonly ClaimUnit[], Reach>();
  #open: Family[] = [];

  /**
   * The visitor hears of each waiting claim at least once, or of a family that waits for a run. It says whether those
   * who wait for this family are looked for in turn.
   */
  constructor(table: LeaseTable, visit: (waiter: Family, claim: QueuedClaim | null) => boolean) {
    this.#table = table;
    this.#visit = visit;
  }

  /** Finds all who wait for this family and were not found before. Answers with these, itself first. */
  from(start: Family): readonly Family[] {
    if (this.seen.has(start)) return [];
    this.seen.set(start, 0);
    this.#open = [start];
    for (const family of this.#open) this.#expand(family, (this.seen.get(family) ?? 0) + 1);
    return this.#open;
  }

  /** Meets all who wait for `family` directly: for what it holds, behind its own claims, or for a run of it. */
  #expand(family: Family, depth: number): void {
    let source = Number.NEGATIVE_INFINITY;
    const { waiting } = projectOf(this.#table, family.project);
    const onLine = (line: readonly ClaimUnit[]): boolean => {
      const until = extend(this.#lines, line, family, source);
      if (until === undefined) return false;
      const rank = source;
      for (let at = placeIn(line, ({ claim }) => claim.rank <= rank); at < line.length; at++) {
        const claim = line[at]?.claim;
        if (claim === undefined || claim.rank > until) break;
        if (claim.family !== family) this.#meet(claim.family, claim, depth);
      }
      return false;
    };
    const onFolder = (line: readonly ClaimUnit[]): boolean => extend(this.#folders, line, family, source) !== undefined;
    if (family.leases.size > 0) {
      for (const lease of family.leases.values()) waiting.someLine(lease.unit, onLine, onFolder);
    }
    for (const claim of family.queued) {
      source = claim.rank;
      for (const unit of claim.units) waiting.someLine(unit, onLine, onFolder);
    }
    if (family.awaitedBy.size > 0) {
      for (const id of family.awaitedBy) this.#meet(familyOf(this.#table, id), null, depth);
    }
  }

  #meet(waiter: Family, claim: QueuedClaim | null, depth: number): void {
    if (!this.#visit(waiter, claim) || this.seen.has(waiter)) return;
    this.seen.set(waiter, depth);
    this.#open.push(waiter);
  }
}

/** How far a line was looked at: all behind `rank` except the family's own, and those too behind `ownRank`. */
type Reach = { rank: number; family: Family; ownRank: number };

/** Notes that a line is looked at behind a claim of `family`. Answers up to which rank that is news, if it is any. */
function extend(
  reaches: Map<readonly ClaimUnit[], Reach>,
  line: readonly ClaimUnit[],
  family: Family,
  rank: number,
): number | undefined {
  const reach = reaches.get(line);
  if (reach === undefined) {
    reaches.set(line, { rank, family, ownRank: Number.POSITIVE_INFINITY });
    return Number.POSITIVE_INFINITY;
  }
  const { rank: known, ownRank } = reach;
  if (family === reach.family) {
    if (rank >= known) return undefined;
    reach.rank = rank;
    return known;
  }
  if (rank < known) {
    reaches.set(line, { rank, family, ownRank: known });
    return ownRank;
  }
  if (rank >= ownRank) return undefined;
  reach.ownRank = rank;
  return ownRank;
}

/** The shortest way from a family that waits for another to that one. Ties go by name, so it is always the same. */
export function findWay(
  table: LeaseTable,
  from: Family,
  to: Family,
  distances: ReadonlyMap<Family, number>,
): WaitEdge[] {
  const way: WaitEdge[] = [];
  for (let at = from; at !== to;) {
    const distance = (distances.get(at) ?? 0) - 1;
    let first: { readonly edge: WaitEdge; readonly other: Family } | undefined;
    someWaitedFor(table, at, (other, edge) => {
      const isNearer = (other === to ? 0 : distances.get(other)) === distance;
      if (isNearer && (first === undefined || compareText(edgeName(edge), edgeName(first.edge)) < 0))
        first = { edge, other };
      return false;
    });
    if (first === undefined) break;
    way.push(first.edge);
    at = first.other;
  }
  return way;
}

function edgeName(edge: WaitEdge): string {
  return `${edge.to} ${edge.claim ?? ""} ${edge.unit ?? ""}`;
}

function edgeOf(from: Family, to: Family, claim: QueuedClaim, unit: Unit): WaitEdge {
  return { from: from.id, to: to.id, claim: claim.id, unit: unit.text };
}
