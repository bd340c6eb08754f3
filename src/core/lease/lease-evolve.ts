// Turns a lease event into the next state of the table. It decides nothing: whatever it needs to know stands in the
// event, or follows from it and from the table. While it changes things it notes what was freed, for the grant scan that
// ends the step.

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
import { claimsOf, passedBy, type Arrival } from "./claim-queue.ts";
import { isContested } from "./grant-scan.ts";
import type { ClaimRecord, Family, Lease, LeaseTable, ProjectLeases, QueuedClaim } from "./lease-state.ts";
import { endedMax, familyOf, keyName, outsideName, projectOf } from "./lease-state.ts";
import { enterLine, leaveLine, moveToEnd, queuedClaim } from "./queue-line.ts";
import { parseUnit, type Unit } from "./unit.ts";
import { allWaitersOf } from "./wait-graph.ts";

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
    keyed: 0,
  });
  if (event.kind === "outside") nameOutside(table, outsideName(event.project, event.holder), event.family);
  if (event.kind === "outside") table.due.add(`family:${event.family}`, event.expiresAtMs);
}

/** Who comes back under a name is asked for by it from now on; nobody finds the one before any more. */
function nameOutside(table: LeaseTable, name: string, family: string): void {
  table.gone.delete(table.outside.get(name) ?? "");
  table.outside.set(name, family);
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
  const after = event.after === null ? null : queuedClaim(project, event.after);
  makeWay(table, claim, after, event);
  enterLine(project, after, claim);
  project.byId.set(claim.id, claim);
  family.queued.add(claim);
  if (claim.slot !== null) project.slotClaims.set(claim.id, claim);
  if (claim.deadlineAtMs !== null) table.due.add(`claim:${claim.id}`, claim.deadlineAtMs);
  remember(table, event, event.project, "queued");
  for (const hold of contestedHolds(project, claim)) settleContest(table, hold, atMs);
}

/** Counts the passes, and sends those who wait for the arrival's family anyway to the end of the queue (LS14, LS15). */
function makeWay(
  table: LeaseTable,
  arrival: Arrival,
  after: QueuedClaim | null,
  shifted: { readonly moved: number; readonly passed: number },
): void {
  if (shifted.moved === 0 && shifted.passed === 0) return;
  const waiters = allWaitersOf(table, arrival.family);
  if (shifted.passed > 0) {
    const passed = passedBy(table, arrival, waiters, after);
    assert(passed.size === shifted.passed, () => `claim ${arrival.id} passes ${passed.size}, not ${shifted.passed}`);
    for (const claim of passed) claim.passes++;
  }
  if (shifted.moved > 0) {
    const project = projectOf(table, arrival.family.project);
    const moved = claimsOf(project, waiters);
    assert(moved.length === shifted.moved, () => `claim ${arrival.id} moves ${moved.length}, not ${shifted.moved}`);
    moveToEnd(project, moved);
  }
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
  const claim = leaveQueue(table, event.claim);
  // Whoever is granted what it waited for goes on being in the way of those behind it; whoever gives up does not.
  for (const unit of claim.units) table.recheck.freed.push({ project: record.project, unit });
  forgetOldest(table, record);
}

function grantLease(table: LeaseTable, event: LeaseGranted, atMs: number): void {
  const family = familyOf(table, event.family);
  const project = projectOf(table, event.project);
  let record: ClaimRecord;
  if (event.arrival === null) {
    leaveQueue(table, event.claim);
    record = mustGet(table.claims, event.claim, "claim");
  } else {
    const { claim, units } = event;
    const { key, priority } = event.arrival;
    record = remember(table, { claim, family: family.id, key, units, priority }, event.project, "granted");
    if (event.arrival.passed > 0) {
      const arrival = { id: claim, family, units: units.map((text) => unitOf(table, family, text)), priority };
      makeWay(table, arrival, null, { moved: 0, passed: event.arrival.passed });
    }
  }
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
    // Only a run that comes back is granted what is closed: the processes that its former family left.
    const closed = unit.kind === "process" ? project.leases.at(unit).filter((left) => left.quarantined) : [];
    for (const left of closed) freeLease(table, left.family, left.unit);
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
  settleContest(table, family, atMs);
}

function remember(
  table: LeaseTable,
  body: { claim: string; family: string; key: string | null; units: readonly string[]; priority: number },
  project: string,
  state: ClaimRecord["state"],
): ClaimRecord {
  const { claim: id, family, key, units, priority } = body;
  const holding = familyOf(table, family);
  const { holder } = holding;
  const record: ClaimRecord = {
    id,
    family,
    holder,
    project,
    key,
    units,
    priority,
    state,
    fences: [],
    held: 0,
    cycle: null,
  };
  table.claims.set(id, record);
  if (key !== null) {
    table.keys.set(keyName(family, key), id);
    holding.keyed++;
  }
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
  if (oldest === undefined) return;
  // Of one without a key nothing else is known anywhere, so nobody has to look at what was in it.
  const record = kind === "keyless" ? undefined : table.claims.get(oldest);
  table.claims.delete(oldest);
  if (record === undefined || record.key === null) return;
  table.keys.delete(keyName(record.family, record.key));
  forgetKey(table, record.family);
}

/** One claim less that can be asked for by its key. With the last one goes the name of a holder that is gone. */
function forgetKey(table: LeaseTable, id: string): void {
  const family = table.families.get(id);
  if (family !== undefined) {
    family.keyed--;
    return;
  }
  const gone = table.gone.get(id);
  if (gone === undefined || --gone.keyed > 0) return;
  table.gone.delete(id);
  table.outside.delete(gone.name);
}

/** Families of people outside come and go by the thousand; one that holds nothing any more leaves the table. */
function forgetFamily(table: LeaseTable, family: Family): void {
  if (family.kind !== "outside" || family.life !== "over" || family.leases.size > 0) return;
  table.families.delete(family.id);
  const name = outsideName(family.project, family.holder);
  if (table.outside.get(name) !== family.id) return;
  // Someone without a name cannot come back under it, and by a key nobody can ask for anything any more.
  if (family.holder === family.id || family.keyed === 0) table.outside.delete(name);
  else table.gone.set(family.id, { name, keyed: family.keyed });
}

function leaveQueue(table: LeaseTable, id: string): QueuedClaim {
  const record = mustGet(table.claims, id, "claim");
  const project = projectOf(table, record.project);
  const claim = queuedClaim(project, id);
  leaveLine(project, claim);
  project.byId.delete(id);
  project.slotClaims.delete(id);
  claim.family.queued.delete(claim);
  for (const hold of contestedHolds(project, claim)) {
    if (!isContested(table, hold)) hold.contestedSinceMs = null;
  }
  return claim;
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
