// Answers claims, cancels, releases and renewals. It only decides; `evolveLeases` is what changes the table. It knows
// families, not runs: who may start is asked through a slot check.

import { assert } from "../../base/assert.ts";
import { canonical, compareText } from "../../base/canonical.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { placeClaim } from "./claim-queue.ts";
import { findYields, grantOf, type SlotCheck } from "./grant-scan.ts";
import type { ClaimBody, FamilyEnded, LeaseEvent, LeaseYielded } from "./lease-events.ts";
import type { ClaimRecord, Family, Lease, LeaseTable, QueuedClaim, WaitEdge } from "./lease-state.ts";
import { expires, familyOf, keyName, mayBeGranted, projectOf } from "./lease-state.ts";
import { listObstacles } from "./obstacles.ts";
import { covers, parseUnit, type BadUnit, type Unit, type UnitRule } from "./unit.ts";
import { allWaitersOf, findWay } from "./wait-graph.ts";

export type ClaimRequest = {
  readonly claim: string;
  readonly family: string;
  readonly units: readonly string[];
  readonly priority: number;
  readonly key: string | null;
  readonly mode: "wait" | "try";
  readonly deadlineAtMs: number | null;
  readonly slot: string | null;
};

/** The key of the claim by which a run gets back what it left. No other claim of a run has a key. */
export const inheritedKey = "left behind";

export type ClaimRefusal = BadUnit | KeyReused | FamilyOver;

/** Of a run also which one has the key, and what was said otherwise then (RN2). */
export type KeyReused = {
  readonly code: "key-reused";
  readonly key: string;
  readonly run?: string;
  readonly differs?: readonly string[];
};
export type FamilyOver = { readonly code: "expired"; readonly family: string; readonly holder?: string };

/** What most claims find in their way. */
const noYields: readonly LeaseYielded[] = [];

/** The events of an arriving claim. None at all when the same request was answered before (LS8). */
export function decideClaim(
  table: LeaseTable,
  request: ClaimRequest,
  hasSlot: SlotCheck,
  nowMs: number,
): Result<{ readonly claim: string; readonly events: readonly LeaseEvent[] }, ClaimRefusal> {
  const family = familyOf(table, request.family);
  const units = parseUnits(table, family, request.units);
  if (!units.ok) return units;
  const known = findByKey(table, request.family, request.key);
  if (known !== undefined) return repeatClaim(known, request, units.value);
  if (family.life === "over" || (expires(family) && family.expiresAtMs <= nowMs)) {
    return refuse({ code: "expired", family: family.id });
  }

  const { priority, key, slot } = request;
  const arrival = { id: request.claim, family, units: units.value, priority, slot };
  const place = placeClaim(table, arrival);
  if ("cycle" in place)
    return done(request, [endedOnArrival(bodyOf(request, family, units.value), "refused", place.cycle)]);
  if (place.isForemost && mayBeGranted(family) && (slot === null || hasSlot(slot))) {
    const yields = place.isFree ? noYields : findYields(table, arrival, nowMs);
    const arrived = { priority, key, passed: place.passed };
    if (yields !== undefined) return done(request, [...yields, grantOf(table, arrival, arrived, nowMs)]);
  }
  const body = bodyOf(request, family, units.value);
  if (request.mode === "try") return done(request, [endedOnArrival(body, "busy", null)]);
  const after = place.findAfter();
  const rankMax = after?.rank ?? Number.NEGATIVE_INFINITY;
  const counts = (claim: QueuedClaim): boolean => !place.waiters.has(claim.family);
  return done(request, [
    {
      type: "claim.queued",
      v: 1,
      ...body,
      deadlineAtMs: request.deadlineAtMs,
      after: after?.id ?? null,
      moved: place.moved,
      passed: place.passed,
      behind: listObstacles(table, family, units.value, { rankMax, counts }),
    },
  ]);
}

/** Ends a waiting claim. After its end nothing changes: the outcome stands (LS9). */
export function decideCancel(
  table: LeaseTable,
  claim: string,
  how: "cancelled" | "timed-out" | "paused",
): LeaseEvent[] {
  const record = table.claims.get(claim);
  assert(record !== undefined, `claim ${claim} is not known`);
  if (record.state !== "queued") return [];
  return [{ type: "claim.ended", v: 1, claim, family: record.family, how, arrival: null, cycle: null }];
}

export type ReleaseRefusal =
  | BadUnit
  | FamilyOver
  | { readonly code: "not-held"; readonly unit: string }
  | { readonly code: "held-by-landing"; readonly unit: string }
  | { readonly code: "dirty"; readonly unit: string; readonly paths: readonly string[] };

/** Gives units back. With changes on them it needs the consent to set those aside (LS12, LD18). */
export function decideRelease(
  table: LeaseTable,
  family: Family,
  texts: readonly string[] | "all",
  setAside: boolean,
): Result<readonly LeaseEvent[], ReleaseRefusal> {
  if (family.life === "over") return refuse({ code: "expired", family: family.id });
  const units =
    texts === "all"
      ? ok([...family.leases.values()].toSorted(byUnit).map((lease) => lease.unit))
      : parseUnits(table, family, texts);
  if (!units.ok) return units;
  for (const unit of units.value) {
    if (!family.leases.has(unit.id)) return refuse({ code: "not-held", unit: unit.text });
    if (family.life === "landing") return refuse({ code: "held-by-landing", unit: unit.text });
  }
  const paths = uncoveredWithout(family, units.value);
  if (paths.length > 0 && !setAside) {
    const text = paths.map((path) => path.text);
    return refuse({
      code: "dirty",
      unit: units.value.find((unit) => covers(unit, paths[0] ?? unit))?.text ?? "",
      paths: text,
    });
  }
  if (units.value.length === 0) return ok([]);
  return ok([
    {
      type: "lease.released",
      v: 1,
      family: family.id,
      units: units.value.map((unit) => unit.text),
      setAside: paths.map((path) => path.text),
    },
  ]);
}

/** One heartbeat renews all leases of a family; at or after its expiry it comes too late (LS30). */
export function decideRenew(
  table: LeaseTable,
  families: readonly string[],
  ttlMs: number | null,
  nowMs: number,
): { readonly events: readonly LeaseEvent[]; readonly expired: readonly string[] } {
  const renewed: string[] = [];
  const expired: string[] = [];
  for (const id of families) {
    const family = table.families.get(id);
    if (family === undefined || family.life === "over") expired.push(id);
    else if (!expires(family)) continue;
    else if (family.expiresAtMs <= nowMs) expired.push(id);
    else renewed.push(id);
  }
  return { events: renewed.length === 0 ? [] : [{ type: "lease.renewed", v: 1, families: renewed, ttlMs }], expired };
}

/** Ends a family: its waiting claims first, then its leases. Processes stay closed until proven dead (LS31, LS32). */
export function endFamily(family: Family, why: FamilyEnded["why"], proven: boolean): LeaseEvent[] {
  if (family.life === "over") return [];
  const leases = [...family.leases.values()].toSorted(byUnit);
  const stays = (lease: Lease): boolean => lease.unit.kind === "process" && !proven;
  return [
    ...endClaims(family, "holder-gone"),
    {
      type: "family.ended",
      v: 1,
      family: family.id,
      why,
      freed: leases.filter((lease) => !stays(lease)).map((lease) => lease.unit.text),
      quarantined: leases.filter(stays).map((lease) => lease.unit.text),
    },
  ];
}

/** Ends every waiting claim of a family, foremost first. */
export function endClaims(family: Family, how: "holder-gone" | "paused"): LeaseEvent[] {
  return [...family.queued]
    .toSorted((a, b) => a.rank - b.rank)
    .map((claim) => ({
      type: "claim.ended",
      v: 1,
      claim: claim.id,
      family: family.id,
      how,
      arrival: null,
      cycle: null,
    }));
}

/**
 * A run that comes back gets the processes that it left behind: they may still run, and nobody else may have them. Were
 * they left closed, those who wait for them would stand in the way of the only one who can take them up (LS32).
 */
export function decideInherit(
  table: LeaseTable,
  request: { readonly claim: string; readonly family: string; readonly priority: number },
  former: readonly string[],
  nowMs: number,
): LeaseEvent[] {
  const family = familyOf(table, request.family);
  const left = former.flatMap((id) => [...(table.families.get(id)?.leases.values() ?? [])]);
  const names = left.filter((lease) => lease.quarantined).map((lease) => lease.unit.text);
  const parsed = parseUnits(table, family, names.toSorted(compareText));
  // A process that each family has for itself is not the same one any more.
  const units = parsed.ok ? parsed.value.filter((unit) => left.some((lease) => lease.unit.key === unit.key)) : [];
  if (units.length === 0) return [];
  const claim = { id: request.claim, family, units, slot: null };
  return [grantOf(table, claim, { priority: request.priority, key: inheritedKey, passed: 0 }, nowMs)];
}

/** A family starts to wait for another outside the table; refused when that one already waits for it (LS46). */
export function decideAwait(
  table: LeaseTable,
  family: Family,
  other: Family,
): Result<readonly LeaseEvent[], { readonly code: "deadlock"; readonly cycle: readonly WaitEdge[] }> {
  if (family.awaits.has(other.id)) return ok([]);
  const waiters = allWaitersOf(table, family);
  if (other === family || waiters.has(other)) {
    const back = findWay(table, other, family, waiters);
    return refuse({ code: "deadlock", cycle: [{ from: family.id, to: other.id, claim: null, unit: null }, ...back] });
  }
  return ok([{ type: "family.awaited", v: 1, family: family.id, other: other.id }]);
}

/** A finished run keeps the paths it changed, under the fences it had; the rest goes free at once (LS34). */
export function decideShrink(family: Family): LeaseEvent[] {
  const leases = [...family.leases.values()].toSorted(byUnit);
  const kept = new Map<string, { unit: string; fence: number }>();
  for (const path of family.dirty.values()) {
    const fence = Math.max(0, ...leases.filter((lease) => covers(lease.unit, path)).map((lease) => lease.fence));
    if (fence > 0) kept.set(path.id, { unit: path.text, fence });
  }
  const keeps = [...kept.values()].toSorted((a, b) => compareText(a.unit, b.unit));
  const gone = leases.filter((lease) => !kept.has(lease.unit.id)).map((lease) => lease.unit.text);
  if (gone.length === 0) return [];
  const fences = keeps.map((keep) => keep.fence);
  return [{ type: "lease.shrunk", v: 1, family: family.id, gone, kept: keeps.map((keep) => keep.unit), fences }];
}

export function parseUnits(table: LeaseTable, family: Family, texts: readonly string[]): Result<Unit[], BadUnit> {
  return parseDistinct(texts, projectOf(table, family.project).rule, family.id);
}

/** Reads units, each once, in the order in which they were named first. */
export function parseDistinct(texts: readonly string[], rule: UnitRule, family: string): Result<Unit[], BadUnit> {
  const [first, ...others] = texts;
  if (first === undefined) return ok([]);
  const parsed = parseUnit(first, rule, family);
  if (!parsed.ok) return parsed;
  // Most claims are for one unit, and then there is nothing to compare.
  const units = [parsed.value];
  if (others.length === 0) return ok(units);
  const seen = new Set([parsed.value.id]);
  for (const text of others) {
    const unit = parseUnit(text, rule, family);
    if (!unit.ok) return unit;
    if (seen.has(unit.value.id)) continue;
    seen.add(unit.value.id);
    units.push(unit.value);
  }
  return ok(units);
}

function done(
  request: ClaimRequest,
  events: readonly LeaseEvent[],
): Result<{ readonly claim: string; readonly events: readonly LeaseEvent[] }, never> {
  return ok({ claim: request.claim, events });
}

function findByKey(table: LeaseTable, family: string, key: string | null): ClaimRecord | undefined {
  const id = key === null ? undefined : table.keys.get(keyName(family, key));
  return id === undefined ? undefined : table.claims.get(id);
}

function repeatClaim(
  known: ClaimRecord,
  request: ClaimRequest,
  units: readonly Unit[],
): Result<{ readonly claim: string; readonly events: readonly LeaseEvent[] }, ClaimRefusal> {
  const texts = units.map((unit) => unit.text);
  return isSameClaim(known, texts, request.priority)
    ? ok({ claim: known.id, events: [] })
    : refuse({ code: "key-reused", key: request.key ?? "" });
}

/** Whether a request is the one that is known: a claim is a set, so the order of its units says nothing. */
export function isSameClaim(known: ClaimRecord, units: readonly string[], priority: number): boolean {
  return (
    canonical([known.units.toSorted(compareText), known.priority]) ===
    canonical([units.toSorted(compareText), priority])
  );
}

function bodyOf(request: ClaimRequest, family: Family, units: readonly Unit[]): ClaimBody {
  const { claim, priority, key, slot } = request;
  return {
    claim,
    family: family.id,
    project: family.project,
    units: units.map((unit) => unit.text),
    priority,
    key,
    slot,
  };
}

function endedOnArrival(body: ClaimBody, how: "refused" | "busy", cycle: readonly WaitEdge[] | null): LeaseEvent {
  const { claim, family, ...arrival } = body;
  return { type: "claim.ended", v: 1, claim, family, how, arrival, cycle };
}

/** Changed paths that no other lease of the family covers once these units are gone. */
function uncoveredWithout(family: Family, units: readonly Unit[]): Unit[] {
  if (family.dirty.size === 0) return [];
  const going = new Set(units.map((unit) => unit.id));
  const stays = [...family.leases.values()].filter((lease) => !going.has(lease.unit.id));
  return [...family.dirty.values()]
    .filter((path) => units.some((unit) => covers(unit, path)) && !stays.some((lease) => covers(lease.unit, path)))
    .toSorted((a, b) => compareText(a.id, b.id));
}

export function byUnit(a: Lease, b: Lease): number {
  return compareText(a.unit.id, b.unit.id);
}
