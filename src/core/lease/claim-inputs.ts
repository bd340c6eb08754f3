// Claims of people and scripts outside: they hold units by name, like any run, and renew them themselves.

import { mustGet } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { done, type Later } from "../later.ts";
import type { ClaimAnswer, MakeClaim, Refusal } from "../inputs.ts";
import { hasSlotFor } from "../state.ts";
import type { Step } from "../step.ts";
import {
  byUnit,
  decideCancel,
  decideClaim,
  decideRelease,
  decideRenew,
  isSameClaim,
  parseDistinct,
} from "./lease-decide.ts";
import type { LeaseEvent } from "./lease-events.ts";
import { unitOf } from "./lease-evolve.ts";
import {
  keyName,
  outsideName,
  projectOf,
  type ClaimRecord,
  type Family,
  type LeaseTable,
  type Lease,
  type ProjectLeases,
} from "./lease-state.ts";
import { listObstacles } from "./obstacles.ts";
import { parseUnit, type Unit } from "./unit.ts";

export function makeClaim(step: Step, given: MakeClaim): Result<Later, Refusal> {
  const { state } = step;
  // Who has no name but a key is known by the key: the same request again must find the same holder (LS8).
  const input = given.as === null && given.key !== null ? { ...given, as: nameByKey(given.key) } : given;
  const project = state.projects.get(input.project);
  if (project === undefined || project.removed)
    return refuse({ code: "not-found", kind: "project", id: input.project });
  const units = parseDistinct(input.units, projectOf(state.table, project.id).rule, "");
  if (!units.ok) return units;
  const texts = units.value.map((unit) => unit.text);
  const repeated = repeatOutside(state.table, input, texts);
  if (repeated !== undefined) return repeated;

  const ask = (family: string): ReturnType<typeof decideClaim> => {
    const { priority, key, mode, waitMs } = input;
    const deadlineAtMs = waitMs === null ? null : step.nowMs + waitMs;
    const request = { claim: step.nextId("c"), family, units: texts, priority, key, mode, deadlineAtMs, slot: null };
    return decideClaim(state.table, request, (run) => hasSlotFor(state, run), step.nowMs);
  };
  const known = findOutside(state.table, input);
  let decided = ask(known?.id ?? openOutside(step, input));
  // Another time to live counts from a claim that is granted or waits: one that is refused changes nothing (LS25).
  if (known !== undefined && known.ttlMs !== input.ttlMs && decided.ok && !endsOnArrival(decided.value.events)) {
    step.emit({ type: "lease.renewed", v: 1, families: [known.id], ttlMs: input.ttlMs });
    decided = ask(known.id);
  }
  if (!decided.ok) return decided;
  step.emitAll(decided.value.events);
  return ok(() => ({ of: "claim", claim: answerClaim(state.table, decided.value.claim) }));
}

export function cancelClaim(step: Step, claim: string): Result<Later, Refusal> {
  const { table } = step.state;
  if (!table.claims.has(claim)) return refuse({ code: "not-found", kind: "claim", id: claim });
  const run = step.state.runs.get(step.state.runOfClaim.get(claim) ?? "");
  // The claim that lets a run start or go on belongs to the run: it is the run that one pauses or ends.
  if (run?.claim === claim) return refuse({ code: "in-use", kind: "claim", id: claim, by: run.id });
  step.emitAll(decideCancel(table, claim, "cancelled"));
  return ok(() => ({ of: "claim", claim: answerClaim(table, claim) }));
}

export function renewClaim(step: Step, claim: string, ttlMs: number | null): Result<Later, Refusal> {
  const found = outsideFamily(step.state.table, claim);
  if (!found.ok) return found;
  const record = step.state.table.claims.get(claim);
  const { leases } = found.value;
  const held = record?.units.some(
    (text) => leases.get(unitOf(step.state.table, found.value, text).id)?.claim === claim,
  );
  // Its holder may live on, but to say that this claim was renewed would be to say that it still holds something.
  if (held !== true && record?.state !== "queued")
    return refuse({ code: "not-held", unit: record?.units.join(", ") ?? claim });
  const { events, expired } = decideRenew(step.state.table, [found.value.id], ttlMs, step.nowMs);
  if (expired.length > 0) return refuse({ code: "expired", family: found.value.id, holder: found.value.holder });
  step.emitAll(events);
  return ok(() => ({ of: "claim", claim: answerClaim(step.state.table, claim) }));
}

/** Gives back what a claim brought, or some of it. A claim that still waits is cancelled. */
export function releaseClaim(step: Step, claim: string, units: readonly string[] | null): Result<Later, Refusal> {
  const { table } = step.state;
  const record = table.claims.get(claim);
  if (record?.state === "queued") return cancelClaim(step, claim);
  const found = outsideFamily(table, claim);
  if (!found.ok) return found;
  const family = found.value;
  const own = heldBy(table, family, claim, record?.units ?? []);
  if (own.length === 0) return refuse({ code: "not-held", unit: record?.units.join(", ") ?? claim });
  const released = decideRelease(table, family, units ?? own, false);
  if (!released.ok) return released;
  step.emitAll(released.value);
  return done();
}

/** What a claim still holds, in order. Found by name: a holder may have thousands of others. */
function heldBy(table: LeaseTable, family: Family, claim: string, units: readonly string[]): string[] {
  const leases: Lease[] = [];
  for (const text of units) {
    const lease = family.leases.get(unitOf(table, family, text).id);
    if (lease?.claim === claim) leases.push(lease);
  }
  if (leases.length > 1) leases.sort(byUnit);
  return leases.map((lease) => lease.unit.text);
}

/** A person says that the processes behind a closed unit are dead (LS32). */
export function clearUnit(step: Step, projectId: string, text: string): Result<Later, Refusal> {
  const project = step.state.table.projects.get(projectId);
  if (project === undefined) return refuse({ code: "not-found", kind: "project", id: projectId });
  const unit = parseUnit(text, project.rule, "");
  if (!unit.ok) return unit;
  const lease = findClosed(step.state.table, project, unit.value);
  if (lease === undefined) return refuse({ code: "not-held", unit: unit.value.text });
  const family = lease.family.id;
  step.emit({ type: "unit.cleared", v: 1, project: projectId, unit: lease.unit.text, family, by: "person" });
  return done();
}

/** A closed unit by its name. One that each family has for itself may be closed several times: the oldest comes first. */
function findClosed(table: LeaseTable, project: ProjectLeases, unit: Unit): Lease | undefined {
  const shared = project.leases.at(unit).find((lease) => lease.quarantined);
  if (shared !== undefined || unit.kind !== "process") return shared;
  for (const family of table.families.values()) {
    if (family.project !== project.id || family.life !== "over") continue;
    for (const lease of family.leases.values()) if (lease.quarantined && lease.unit.text === unit.text) return lease;
  }
  return undefined;
}

/** How a claim stands now, with what is in its way. */
export function answerClaim(table: LeaseTable, id: string): ClaimAnswer {
  const record = mustGet(table.claims, id, "claim");
  const queued = projectOf(table, record.project).byId.get(id);
  const behind =
    queued === undefined ? [] : listObstacles(table, queued.family, queued.units, { rankMax: queued.rank });
  const { family, state, cycle } = record;
  return { claim: id, family, state, fences: fencesOf(record), behind, cycle };
}

/** By unit. Without a prototype: names that differ every time would each make a shape of their own. */
function fencesOf(record: ClaimRecord): Record<string, number> {
  const fences = Object.create(null) as Record<string, number>;
  record.fences.forEach((fence, at) => (fences[record.units[at] ?? ""] = fence));
  return fences;
}

/** Nobody can give such a name: those have no blanks in them. So no stranger comes to share the holder. */
function nameByKey(key: string): string {
  return `${key} (by key)`;
}

/** The same request again, also when its holder is long gone (LS8). */
function repeatOutside(
  table: LeaseTable,
  input: MakeClaim,
  texts: readonly string[],
): Result<Later, Refusal> | undefined {
  if (input.key === null || input.as === null) return undefined;
  const family = table.outside.get(outsideName(input.project, input.as));
  const known = table.claims.get(table.keys.get(keyName(family ?? "", input.key)) ?? "");
  if (known === undefined) return undefined;
  if (!isSameClaim(known, texts, input.priority)) return refuse({ code: "key-reused", key: input.key });
  return ok(() => ({ of: "claim", claim: answerClaim(table, known.id) }));
}

/** The family of this name, while it lives. */
function findOutside(table: LeaseTable, input: MakeClaim): Family | undefined {
  if (input.as === null) return undefined;
  const known = table.families.get(table.outside.get(outsideName(input.project, input.as)) ?? "");
  return known?.life === "live" ? known : undefined;
}

function openOutside(step: Step, input: MakeClaim): string {
  const family = step.nextId("h");
  step.emit({
    type: "family.opened",
    v: 1,
    family,
    project: input.project,
    holder: input.as ?? family,
    kind: "outside",
    ttlMs: input.ttlMs,
    expiresAtMs: step.nowMs + input.ttlMs,
    patienceMs: null,
  });
  return family;
}

/** Whether a claim is over in the moment in which it comes: refused, or a try that found somebody in its way. */
function endsOnArrival(events: readonly LeaseEvent[]): boolean {
  return events.some((event) => event.type === "claim.ended");
}

function outsideFamily(table: LeaseTable, claim: string): Result<Family, Refusal> {
  const record = table.claims.get(claim);
  if (record === undefined) return refuse({ code: "not-found", kind: "claim", id: claim });
  const family = table.families.get(record.family);
  if (family === undefined || family.life === "over")
    return refuse({ code: "expired", family: record.family, holder: record.holder });
  if (family.kind === "run") return refuse({ code: "in-use", kind: "claim", id: claim, by: family.holder });
  return ok(family);
}
