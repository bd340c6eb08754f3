// Turns a lease event into the next state of the table. It decides nothing: whatever it needs to know stands in the
// event. While it changes things it notes what was freed, for the grant scan that ends the step.

import { assert, mustGet, unreachable } from "../../base/assert.ts";
import type {
  ClaimEnded,
  ClaimQueued,
  FamilyEnded,
  FamilyMoved,
  FamilyOpened,
  LeaseEvent,
  LeaseGranted,
  LeaseShrunk,
} from "./lease-events.ts";
import { isContested } from "./grant-scan.ts";
import type { ClaimRecord, Family, Lease, LeaseTable, ProjectLeases, QueuedClaim } from "./lease-state.ts";
import { endedMax, familyOf, keyName, outsideName, projectOf } from "./lease-state.ts";
import { parseUnit, type Unit } from "./unit.ts";

export function evolveLeases(table: LeaseTable, event: LeaseEvent, atMs: number): void {
  switch (event.type) {
    case "family.opened":
      return openFamily(table, event);
    case "family.moved":
      return moveFamily(table, event, atMs);
    case "family.ended":
      return endFamily(table, event);
    case "family.awaited":
      familyOf(table, event.family).awaits.add(event.other);
      familyOf(table, event.other).awaitedBy.add(event.family);
      return;
    case "family.await-ended":
      familyOf(table, event.family).awaits.delete(event.other);
      familyOf(table, event.other).awaitedBy.delete(event.family);
      return;
    case "claim.queued":
      return queueClaim(table, event, atMs);
    case "claim.ended":
      return endClaim(table, event);
    case "lease.granted":
      return grantLease(table, event, atMs);
    case "lease.ready":
      for (const lease of familyOf(table, event.family).leases.values()) {
        if (lease.claim === event.claim) lease.ready = true;
      }
      return;
    case "lease.renewed":
      for (const id of event.families) {
        const family = familyOf(table, id);
        if (event.ttlMs !== null) family.ttlMs = event.ttlMs;
        family.expiresAtMs = atMs + family.ttlMs;
        table.due.add(`family:${id}`, family.expiresAtMs);
      }
      return;
    case "lease.released":
    case "lease.yielded": {
      const family = familyOf(table, event.family);
      for (const text of event.units) freeLease(table, family, unitOf(table, family, text));
      if (event.type === "lease.released")
        for (const path of event.setAside) family.dirty.delete(unitOf(table, family, path).key);
      settleContest(table, family, atMs);
      return;
    }
    case "lease.shrunk":
      return shrinkLeases(table, event, atMs);
    case "unit.cleared": {
      const family = familyOf(table, event.family);
      freeLease(table, family, unitOf(table, family, event.unit));
      forgetFamily(table, family);
      return;
    }
    default:
      return unreachable(event);
  }
}

/** Reads a unit out of an event: it was checked before it got there. */
export function unitOf(table: LeaseTable, family: Family, text: string): Unit {
  const parsed = parseUnit(text, projectOf(table, family.project).rule, family.id);
  assert(parsed.ok, () => `the log names a bad unit: ${text}`);
  return parsed.value;
}

function openFamily(table: LeaseTable, event: FamilyOpened): void {
  assert(!table.families.has(event.family), `family ${event.family} is opened once`);
  table.families.set(event.family, {
    id: event.family,
    project: event.project,
    holder: event.holder,
    kind: event.kind,
    life: event.kind === "run" ? "new" : "live",
    ttlMs: event.ttlMs,
    expiresAtMs: event.expiresAtMs,
    patienceMs: event.patienceMs,
    contestedSinceMs: null,
    leases: new Map(),
    queued: new Set(),
    dirty: new Map(),
    awaits: new Set(),
    awaitedBy: new Set(),
  });
  if (event.kind === "outside") table.outside.set(outsideName(event.project, event.holder), event.family);
  if (event.kind === "outside") table.due.add(`family:${event.family}`, event.expiresAtMs);
}

function moveFamily(table: LeaseTable, event: FamilyMoved, atMs: number): void {
  const family = familyOf(table, event.family);
  assert(family.life !== "over", `family ${family.id} is over and cannot become ${event.to}`);
  family.life = event.to;
  family.patienceMs = event.patienceMs;
  family.expiresAtMs = event.expiresAtMs;
  family.contestedSinceMs = null;
  if (event.to === "live") {
    table.due.add(`family:${family.id}`, family.expiresAtMs);
    for (const claim of family.queued) table.recheck.claims.add(claim);
  }
  settleContest(table, family, atMs);
}

function endFamily(table: LeaseTable, event: FamilyEnded): void {
  const family = familyOf(table, event.family);
  assert(family.queued.size === 0, `family ${family.id} still waits`);
  family.life = "over";
  family.contestedSinceMs = null;
  // Nobody asks any more, and keys of another case rule would not survive a snapshot.
  family.dirty.clear();
  for (const text of event.freed) freeLease(table, family, unitOf(table, family, text));
  for (const text of event.quarantined) {
    mustGet(family.leases, unitOf(table, family, text).id, "lease").quarantined = true;
  }
  for (const other of family.awaits) familyOf(table, other).awaitedBy.delete(family.id);
  for (const other of family.awaitedBy) familyOf(table, other).awaits.delete(family.id);
  family.awaits.clear();
  family.awaitedBy.clear();
  forgetFamily(table, family);
}

function queueClaim(table: LeaseTable, event: ClaimQueued, atMs: number): void {
  const family = familyOf(table, event.family);
  const project = projectOf(table, event.project);
  const units = event.units.map((text) => unitOf(table, family, text));
  const waiting: { unit: Unit; claim: QueuedClaim }[] = [];
  const claim: QueuedClaim = {
    id: event.claim,
    family,
    units,
    priority: event.priority,
    key: event.key,
    deadlineAtMs: event.deadlineAtMs,
    slot: event.slot,
    queuedAtMs: atMs,
    rank: 0,
    passes: 0,
    waiting,
  };
  for (const unit of units) waiting.push({ unit, claim });
  for (const id of event.moved) moveToEnd(project, queuedClaim(project, id));
  for (const id of event.passed) queuedClaim(project, id).passes++;
  insertAfter(project, event.after, claim);
  for (const entry of waiting) project.waiting.add(entry);
  family.queued.add(claim);
  if (claim.slot !== null) project.slotClaims.set(claim.id, claim);
  if (claim.deadlineAtMs !== null) table.due.add(`claim:${claim.id}`, claim.deadlineAtMs);
  remember(table, event, event.project, "queued");
  for (const hold of contestedHolds(project, claim)) settleContest(table, hold, atMs);
}

function endClaim(table: LeaseTable, event: ClaimEnded): void {
  const { arrival } = event;
  if (arrival !== null) {
    const body = { ...arrival, claim: event.claim, family: event.family };
    const over = remember(table, body, arrival.project, event.how);
    over.cycle = event.cycle;
    forgetOldest(table, over);
    return;
  }
  const record = mustGet(table.claims, event.claim, "claim");
  assert(record.state === "queued", `claim ${event.claim} ends once`);
  record.state = event.how;
  record.cycle = event.cycle;
  leaveQueue(table, event.claim);
  forgetOldest(table, record);
}

function grantLease(table: LeaseTable, event: LeaseGranted, atMs: number): void {
  const family = familyOf(table, event.family);
  const project = projectOf(table, event.project);
  if (event.arrival === null) leaveQueue(table, event.claim);
  else {
    const { claim, units } = event;
    const { key, priority } = event.arrival;
    remember(table, { claim, family: family.id, key, units, priority }, event.project, "granted");
    for (const id of event.arrival.passed) queuedClaim(project, id).passes++;
  }
  const record = mustGet(table.claims, event.claim, "claim");
  record.state = "granted";
  record.fences = event.fences;
  record.held = event.units.length;
  event.units.forEach((text, at) => {
    const unit = unitOf(table, family, text);
    const fence = event.fences[at];
    assert(fence !== undefined && fence >= table.nextFence, () => `fence of ${text} only rises`);
    table.nextFence = fence + 1;
    const before = family.leases.get(unit.id);
    const ready = event.ready || unit.kind === "process" || before?.ready === true;
    if (before !== undefined) {
      project.leases.remove(before);
      countDown(table, before);
    }
    // Only a run that comes back is granted what is closed: what its former family left.
    for (const left of [...project.leases.at(unit)]) if (left.quarantined) freeLease(table, left.family, left.unit);
    const lease: Lease = { unit, family, claim: event.claim, fence, grantedAtMs: atMs, ready, quarantined: false };
    family.leases.set(unit.id, lease);
    project.leases.add(lease);
  });
  if (family.life === "new") family.life = "live";
  family.expiresAtMs = event.expiresAtMs;
  if (family.life === "live") table.due.add(`family:${family.id}`, event.expiresAtMs);
}

function shrinkLeases(table: LeaseTable, event: LeaseShrunk, atMs: number): void {
  const family = familyOf(table, event.family);
  const { leases } = projectOf(table, family.project);
  for (const text of event.gone) freeLease(table, family, unitOf(table, family, text));
  event.kept.forEach((text, at) => {
    const unit = unitOf(table, family, text);
    const fence = event.fences[at];
    assert(fence !== undefined, `${text} keeps its fence`);
    if (family.leases.has(unit.id)) return;
    const lease: Lease = { unit, family, claim: "", fence, grantedAtMs: atMs, ready: true, quarantined: false };
    family.leases.set(unit.id, lease);
    leases.add(lease);
  });
}

function remember(
  table: LeaseTable,
  body: { claim: string; family: string; key: string | null; units: readonly string[]; priority: number },
  project: string,
  state: ClaimRecord["state"],
): ClaimRecord {
  const { claim: id, family, key, units, priority } = body;
  const record: ClaimRecord = { id, family, project, key, units, priority, state, fences: [], held: 0, cycle: null };
  table.claims.set(id, record);
  if (key !== null) table.keys.set(keyName(family, key), id);
  return record;
}

/** One lease of a claim less. A claim that holds nothing any more may be forgotten, one that holds something never. */
function countDown(table: LeaseTable, lease: Lease): void {
  const record = table.claims.get(lease.claim);
  if (record !== undefined && --record.held === 0) forgetOldest(table, record);
}

/** Takes note that a claim is over, and forgets the oldest of its kind beyond the limit. */
function forgetOldest(table: LeaseTable, over: ClaimRecord): void {
  const kind = over.key === null ? "keyless" : "keyed";
  const ended = table.ended[kind];
  ended.push(over.id);
  if (ended.size <= endedMax[kind]) return;
  const oldest = ended.shift();
  const record = oldest === undefined ? undefined : table.claims.get(oldest);
  if (record === undefined) return;
  table.claims.delete(record.id);
  if (record.key !== null) table.keys.delete(keyName(record.family, record.key));
}

/** Families of people outside come and go by the thousand; one that holds nothing any more leaves the table. */
function forgetFamily(table: LeaseTable, family: Family): void {
  if (family.kind !== "outside" || family.life !== "over" || family.leases.size > 0) return;
  table.families.delete(family.id);
  // Someone without a name cannot come back under it.
  if (family.holder === family.id) table.outside.delete(outsideName(family.project, family.holder));
}

function leaveQueue(table: LeaseTable, id: string): void {
  const record = mustGet(table.claims, id, "claim");
  const project = projectOf(table, record.project);
  const claim = queuedClaim(project, id);
  project.queue.splice(placeOf(project, claim), 1);
  project.byId.delete(id);
  project.slotClaims.delete(id);
  claim.family.queued.delete(claim);
  for (const entry of claim.waiting) {
    project.waiting.remove(entry);
    table.recheck.freed.push({ project: project.id, unit: entry.unit });
  }
  for (const hold of contestedHolds(project, claim)) {
    if (!isContested(table, hold)) hold.contestedSinceMs = null;
  }
}

function freeLease(table: LeaseTable, family: Family, unit: Unit): void {
  const lease = mustGet(family.leases, unit.id, "a lease on");
  const project = projectOf(table, family.project);
  family.leases.delete(unit.id);
  project.leases.remove(lease);
  countDown(table, lease);
  table.recheck.freed.push({ project: family.project, unit });
}

/** Patience runs while somebody waits for the hold, and starts anew when nobody does (LS35). */
function settleContest(table: LeaseTable, family: Family, atMs: number): void {
  const resists = family.life === "hold" || family.life === "paused";
  if (!resists || !isContested(table, family)) {
    family.contestedSinceMs = null;
    return;
  }
  family.contestedSinceMs ??= atMs;
  if (family.patienceMs !== null) table.due.add(`hold:${family.id}`, family.contestedSinceMs + family.patienceMs);
}

function contestedHolds(project: ProjectLeases, claim: QueuedClaim): Set<Family> {
  const found = new Set<Family>();
  for (const unit of claim.units) {
    project.leases.someConflict(unit, (lease) => {
      const { life } = lease.family;
      if (lease.family !== claim.family && (life === "hold" || life === "paused")) found.add(lease.family);
      return false;
    });
  }
  return found;
}

function queuedClaim(project: ProjectLeases, id: string): QueuedClaim {
  const claim = project.byId.get(id);
  assert(claim !== undefined, `claim ${id} is not queued`);
  return claim;
}

function placeOf(project: ProjectLeases, claim: QueuedClaim): number {
  let low = 0;
  let high = project.queue.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((project.queue[middle]?.rank ?? 0) < claim.rank) low = middle + 1;
    else high = middle;
  }
  assert(project.queue[low] === claim, `claim ${claim.id} has lost its place`);
  return low;
}

function moveToEnd(project: ProjectLeases, claim: QueuedClaim): void {
  project.queue.splice(placeOf(project, claim), 1);
  claim.rank = ++project.rankMax;
  project.queue.push(claim);
}

function insertAfter(project: ProjectLeases, after: string | null, claim: QueuedClaim): void {
  project.byId.set(claim.id, claim);
  const at = after === null ? 0 : placeOf(project, queuedClaim(project, after)) + 1;
  const before = project.queue[at - 1];
  const next = project.queue[at];
  project.queue.splice(at, 0, claim);
  if (next === undefined) {
    claim.rank = ++project.rankMax;
    return;
  }
  const low = before?.rank ?? next.rank - 2;
  claim.rank = (low + next.rank) / 2;
  if (claim.rank > low && claim.rank < next.rank) return;
  // The gap is used up: number the queue anew. Only the order of ranks means anything.
  project.queue.forEach((queued, place) => (queued.rank = place + 1));
  project.rankMax = project.queue.length;
}
