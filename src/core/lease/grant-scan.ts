// Which waiting claim can be granted now (LS16, LS36). It looks only at claims that something was freed for; the table
// notes those as it changes, so that a release costs as much as it lets through.

import { compareText } from "../../base/canonical.ts";
import type { ClaimUnit, Family, Lease, LeaseTable, QueuedClaim } from "./lease-state.ts";
import { familyOf, mayBeGranted, projectOf } from "./lease-state.ts";
import { byRank } from "./queue-line.ts";
import type { LeaseEvent, LeaseGranted, LeaseYielded } from "./lease-events.ts";
import { conflicts, covers, type Unit } from "./unit.ts";
import { someAhead } from "./wait-graph.ts";

/** Says whether a run could take a slot now. */
export type SlotCheck = (run: string) => boolean;

/** Takes the noted changes and returns the claims worth another look, per project in queue order. */
export function takeRecheck(table: LeaseTable): QueuedClaim[] {
  const { freed, claims, slots } = table.recheck;
  if (freed.length === 0 && claims.size === 0 && !slots) return [];
  // What was freed is taken out one by one: to empty a list by its length costs more than a scan where nobody waits.
  for (let each = freed.pop(); each !== undefined; each = freed.pop()) {
    const waiting = table.projects.get(each.project)?.waiting;
    if (waiting === undefined || waiting.size === 0) continue;
    waiting.someLine(each.unit, (line) => {
      addForemost(claims, line);
      return false;
    });
  }
  if (slots) {
    for (const project of table.projects.values()) for (const claim of project.slotClaims.values()) claims.add(claim);
  }
  table.recheck.slots = false;
  if (claims.size === 0) return [];
  const found = inScanOrder([...claims].filter((claim) => claim.family.queued.has(claim)));
  claims.clear();
  return found;
}

/** The events that grant this claim now: holds that yield to it, then the grant. Undefined while it has to wait. */
export function decideGrant(
  table: LeaseTable,
  claim: QueuedClaim,
  hasSlot: SlotCheck,
  nowMs: number,
): LeaseEvent[] | undefined {
  if (!mayBeGranted(claim.family)) return undefined;
  if (claim.units.some((unit) => someAhead(table, claim, unit, () => true))) return undefined;
  const yields = findYields(table, claim, nowMs);
  if (yields === undefined || (claim.slot !== null && !hasSlot(claim.slot))) return undefined;
  return [...yields, grantOf(table, claim, null, nowMs)];
}

/** What holds give to the claim if that alone lets it through (LS36); undefined when something else is in its way. */
export function findYields(
  table: LeaseTable,
  claim: Pick<QueuedClaim, "id" | "family" | "units">,
  nowMs: number,
): LeaseYielded[] | undefined {
  const { leases } = projectOf(table, claim.family.project);
  let yielding: Map<Family, Set<Lease>> | undefined;
  for (const unit of claim.units) {
    const stopped = leases.someConflict(unit, (lease) => {
      if (lease.family === claim.family) return false;
      if (!mayYield(lease, nowMs)) return true;
      yielding ??= new Map();
      const set = yielding.get(lease.family) ?? new Set();
      yielding.set(lease.family, set.add(lease));
      return false;
    });
    if (stopped) return undefined;
  }
  if (yielding === undefined) return [];
  return [...yielding]
    .toSorted(([a], [b]) => compareText(a.id, b.id))
    .map(([family, units]) => ({
      type: "lease.yielded",
      v: 1,
      family: family.id,
      units: withKin(family, units).map((unit) => unit.text),
      to: claim.id,
    }));
}

/** The grant itself. Every unit of the set gets the next fence, also one that its family held before (LS10, LS28). */
export function grantOf(
  table: LeaseTable,
  claim: Pick<QueuedClaim, "id" | "family" | "units" | "slot">,
  arrival: LeaseGranted["arrival"],
  nowMs: number,
): LeaseGranted {
  const { family, units } = claim;
  return {
    type: "lease.granted",
    v: 1,
    claim: claim.id,
    family: family.id,
    project: family.project,
    units: units.map((unit) => unit.text),
    fences: units.map((_, at) => table.nextFence + at),
    // A grant starts a full period: waiting may lengthen a lease, never shorten it.
    expiresAtMs: nowMs + family.ttlMs,
    ready: units.every((unit) => needsNoRefresh(table, family, unit)),
    slot: claim.slot,
    arrival,
  };
}

/** Whether a live lease of the family covers the unit (LS3), and whether it may be acted on yet. */
export function isCovered(table: LeaseTable, family: Family, unit: Unit): "no" | "not-ready" | "ready" {
  let found: "no" | "not-ready" = "no";
  const ready = projectOf(table, family.project).leases.someAbove(unit, (lease) => {
    if (lease.family !== family || lease.quarantined || !covers(lease.unit, unit)) return false;
    if (!lease.ready) found = "not-ready";
    return lease.ready;
  });
  return ready ? "ready" : found;
}

/** The fence under which the family acts on a unit: the highest of the leases that cover it. */
export function fenceFor(table: LeaseTable, family: Family, unit: Unit): number | undefined {
  let fence: number | undefined;
  projectOf(table, family.project).leases.someAbove(unit, (lease) => {
    if (lease.family === family && lease.ready && !lease.quarantined && covers(lease.unit, unit)) {
      fence = Math.max(fence ?? 0, lease.fence);
    }
    return false;
  });
  return fence;
}

/** Whether others wait for a path that this family holds. */
export function isContested(table: LeaseTable, family: Family): boolean {
  const { waiting } = projectOf(table, family.project);
  for (const lease of family.leases.values()) {
    if (lease.unit.kind === "process") continue;
    if (waiting.someConflict(lease.unit, (entry) => entry.claim.family !== family)) return true;
  }
  return false;
}

/** Notes the claims that wait for a hold whose patience is over. */
export function recheckHold(table: LeaseTable, id: string): void {
  const family = familyOf(table, id);
  for (const lease of family.leases.values()) table.recheck.freed.push({ project: family.project, unit: lease.unit });
}

/** Whoever stands behind another family's claim on the same name has to wait for that one, whatever was freed. */
function addForemost(found: Set<QueuedClaim>, line: readonly ClaimUnit[]): void {
  const family = line[0]?.claim.family;
  for (const { claim } of line) {
    if (claim.family !== family) return;
    found.add(claim);
  }
}

function mayYield(lease: Lease, nowMs: number): boolean {
  const { family, unit } = lease;
  if (unit.kind === "process" || (family.life !== "hold" && family.life !== "paused")) return false;
  if (family.patienceMs === null || family.contestedSinceMs === null) return false;
  return family.contestedSinceMs + family.patienceMs <= nowMs;
}

/** The yielded units with all others of the family that are in ancestor relation to them, transitively (LS37). */
function withKin(family: Family, yielded: ReadonlySet<Lease>): Unit[] {
  const found = new Set<Unit>([...yielded].map((lease) => lease.unit));
  for (const unit of found) {
    for (const other of family.leases.values()) {
      if (other.unit.kind !== "process" && conflicts(other.unit, unit)) found.add(other.unit);
    }
  }
  return [...found].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Someone outside has no workspace to bring in step; a process has no path; what is covered already is in step. */
function needsNoRefresh(table: LeaseTable, family: Family, unit: Unit): boolean {
  if (family.kind === "outside" || unit.kind === "process") return true;
  return isCovered(table, family, unit) === "ready";
}

/**
 * Queue order within a project. Slots may be shared by projects, so between their foremost claims the more urgent is
 * looked at first, then the older one.
 */
function inScanOrder(claims: Iterable<QueuedClaim>): QueuedClaim[] {
  const byProject = new Map<string, QueuedClaim[]>();
  for (const claim of [...claims].toSorted(byRank)) {
    const line = byProject.get(claim.family.project);
    if (line === undefined) byProject.set(claim.family.project, [claim]);
    else line.push(claim);
  }
  if (byProject.size <= 1) return [...byProject.values()].flat();
  const lines = [...byProject.values()].map((line) => line.toReversed());
  const order: QueuedClaim[] = [];
  for (;;) {
    const heads = lines.map((line) => line.at(-1)).filter((head) => head !== undefined);
    const first = heads.toSorted(byUrgency)[0];
    if (first === undefined) return order;
    order.push(first);
    lines.find((line) => line.at(-1) === first)?.pop();
  }
}

function byUrgency(a: QueuedClaim, b: QueuedClaim): number {
  return b.priority - a.priority || a.queuedAtMs - b.queuedAtMs || compareText(a.id, b.id);
}
