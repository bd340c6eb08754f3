// Who waits for whom (LS22, LS23). The graph is never stored: its edges are read off the index, so it cannot disagree
// with the table. Nodes are families, with all their queued claims.

import { compareText } from "../../base/canonical.ts";
import type { Family, LeaseTable, QueuedClaim, WaitEdge } from "./lease-state.ts";
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
  const { leases, waiting } = projectOf(table, claim.family.project);
  for (const unit of claim.units) {
    const found =
      leases.someConflict(unit, (lease) => lease.family !== claim.family && visit(lease.family, unit)) ||
      waiting.someConflict(
        unit,
        (entry) =>
          entry.claim.family !== claim.family && entry.claim.rank < claim.rank && visit(entry.claim.family, unit),
      );
    if (found) return true;
  }
  return false;
}

/** The families with a queued claim that waits for `family`, directly. */
function waitersOf(table: LeaseTable, family: Family, visit: (waiter: Family) => void): void {
  const { waiting } = projectOf(table, family.project);
  for (const lease of family.leases.values()) {
    waiting.someConflict(lease.unit, (entry) => {
      if (entry.claim.family !== family) visit(entry.claim.family);
      return false;
    });
  }
  for (const claim of family.queued) {
    for (const unit of claim.units) {
      waiting.someConflict(unit, (entry) => {
        if (entry.claim.family !== family && entry.claim.rank > claim.rank) visit(entry.claim.family);
        return false;
      });
    }
  }
  for (const id of family.awaitedBy) visit(familyOf(table, id));
}

/** All families that wait for one of `targets`, directly or through others. The targets themselves are not in it. */
export function allWaitersOf(table: LeaseTable, targets: Iterable<Family>): Set<Family> {
  const found = new Set<Family>();
  const open = [...targets];
  const start = new Set(open);
  for (let family = open.pop(); family !== undefined; family = open.pop()) {
    waitersOf(table, family, (waiter) => {
      if (found.has(waiter) || start.has(waiter)) return;
      found.add(waiter);
      open.push(waiter);
    });
  }
  return found;
}

/** All families that one of `sources` waits for, directly or through others, the sources included. */
export function allReachedFrom(table: LeaseTable, sources: Iterable<Family>): Set<Family> {
  const found = new Set<Family>(sources);
  const open = [...found];
  for (let family = open.pop(); family !== undefined; family = open.pop()) {
    someWaitedFor(table, family, (other) => {
      if (!found.has(other)) {
        found.add(other);
        open.push(other);
      }
      return false;
    });
  }
  return found;
}

/** The shortest way from one family to another along the edges, or undefined. Ties go by name, so it is always the same. */
export function findWay(table: LeaseTable, from: Family, to: Family): WaitEdge[] | undefined {
  const cameBy = new Map<Family, { edge: WaitEdge; from: Family }>();
  let front = [from];
  const seen = new Set(front);
  while (front.length > 0) {
    const next: Family[] = [];
    for (const family of front) {
      for (const edge of sortedEdges(table, family)) {
        const other = familyOf(table, edge.to);
        if (seen.has(other)) continue;
        seen.add(other);
        cameBy.set(other, { edge, from: family });
        if (other === to) return walkBack(cameBy, from, to);
        next.push(other);
      }
    }
    front = next;
  }
  return undefined;
}

function sortedEdges(table: LeaseTable, family: Family): WaitEdge[] {
  const edges: WaitEdge[] = [];
  someWaitedFor(table, family, (_, edge) => {
    edges.push(edge);
    return false;
  });
  return edges.toSorted((a, b) => compareText(edgeName(a), edgeName(b)));
}

function edgeName(edge: WaitEdge): string {
  return `${edge.to} ${edge.claim ?? ""} ${edge.unit ?? ""}`;
}

function walkBack(cameBy: Map<Family, { edge: WaitEdge; from: Family }>, from: Family, to: Family): WaitEdge[] {
  const way: WaitEdge[] = [];
  for (let at = to; at !== from;) {
    const step = cameBy.get(at);
    if (step === undefined) break;
    way.unshift(step.edge);
    at = step.from;
  }
  return way;
}

function edgeOf(from: Family, to: Family, claim: QueuedClaim, unit: Unit): WaitEdge {
  return { from: from.id, to: to.id, claim: claim.id, unit: unit.text };
}
