// How runs move: into the queue, on after a wait, to the end. Each function emits the events of one passage; who calls
// it is either a person's input or a consequence of another event.

import { assert, mustGet } from "../../base/assert.ts";
import { isCovered } from "../lease/grant-scan.ts";
import { decideClaim, endFamily, parseUnits } from "../lease/lease-decide.ts";
import { familyOf, type Family, type LeaseTable, type WaitEdge } from "../lease/lease-state.ts";
import type { Unit } from "../lease/unit.ts";
import { ruleFor } from "../policy/policy.ts";
import { limitOf } from "../profile/profile.ts";
import { hasSlotFor, policiesOf, runOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import type { RunMoved } from "./run-events.ts";
import { familyName, type Run } from "./run-state.ts";
import { isOver, type RunState } from "./run-states.ts";
import { awaitAgent } from "./run-wait.ts";

/** How long a run's leases live without a sign of life from its node. */
export const runTtlMs = 30_000;

export function moveRun(
  step: Step,
  run: Run,
  to: RunState,
  because: string | null,
  policy: string | null = null,
  how: Partial<Pick<RunMoved, "force" | "failure" | "regains">> = {},
): void {
  if (isOver(to)) endWaits(step, run, "holder-gone");
  step.emit({ type: "run.moved", v: 1, run: run.id, from: run.state, to, because, policy, ...how });
}

/** Lets a run ask for its start, once everything it depends on is done (LS19, LS40). */
export function enterQueue(step: Step, run: Run): void {
  const { state } = step;
  if (run.state !== "queued" || run.claim !== null) return;
  // It has a family from the first moment on, so that others can wait for it.
  if (!run.sub) openFamily(step, run, run.incarnation);
  if (run.lost) return;
  const others = run.dependsOn.map((id) => runOf(state, id));
  const failed = others.find((other) => isOver(other.state) && other.state !== "done");
  if (failed !== undefined) return moveRun(step, run, "failed", `it depends on ${failed.id}, which is ${failed.state}`);
  if (others.every((other) => other.state === "done")) askToGoOn(step, run, run.plan);
}

/** Brings a run back to work: it waits, if only for an instant, for a slot and for what its call needs (LS21). */
export function goOn(step: Step, run: Run, because: string, how: Partial<Pick<RunMoved, "regains">> = {}): void {
  const { table } = step.state;
  if (run.state !== "parked") moveRun(step, run, "parked", because, null, how);
  if (run.claim !== null) return;
  const call = run.call !== null && !run.call.started && run.call.other === null ? run.call : null;
  if (table.claims.get(call?.claim ?? "")?.state === "queued") return;
  const units = call === null ? [] : mustParse(table, run, call.units);
  const lacks = units.some((unit) => isCovered(table, familyOf(table, run.family), unit) === "no");
  askToGoOn(step, run, lacks && call !== null ? call.units : []);
}

/** Makes the claim that lets a run start or go on. A refusal goes to its call, and the run goes on without. */
function askToGoOn(step: Step, run: Run, units: readonly string[]): void {
  const { state } = step;
  const claim = step.nextId("c");
  const { family, priority, call } = run;
  awaitAgent(step, run);
  const request = {
    claim,
    family,
    units,
    priority,
    key: null,
    mode: "wait",
    deadlineAtMs: null,
    slot: run.id,
  } as const;
  step.emit({ type: "run.claimed", v: 1, run: run.id, claim });
  if (call !== null && units.length > 0) {
    const { number, tool, bytes, other } = call;
    step.emit({ type: "call.queued", v: 1, run: run.id, call: number, tool, units, bytes, claim, other });
  }
  const decided = decideClaim(state.table, request, (id) => hasSlotFor(state, id), step.nowMs);
  assert(decided.ok, `run ${run.id} may ask to go on`);
  step.emitAll(decided.value.events);
  const record = mustGet(state.table.claims, claim, "claim");
  if (record.state === "granted") return takeSlot(step, run);
  if (record.state === "queued") return;
  const what = describeCycle(record.cycle ?? []);
  // What it planned it cannot have: a run that somebody already waits for wants what that one holds (LS46).
  if (run.state === "queued") return moveRun(step, run, "failed", `its plan closes a circle: ${what}`);
  assert(units.length > 0, "an empty claim conflicts with nothing");
  if (call !== null) {
    const { number, tool } = call;
    step.emit({ type: "call.refused", v: 1, run: run.id, call: number, tool, code: "deadlock", what, policy: null });
  }
  askToGoOn(step, run, []);
}

/** A run whose grant brought a slot moves at once, so that the next decision counts it. */
export function takeSlot(step: Step, run: Run): void {
  if (run.state === "queued") moveRun(step, run, "starting", null);
  else if (run.state === "parked") moveRun(step, run, "running", null);
}

/** Ends what this one run waits for in the queue. */
export function endWaits(step: Step, run: Run, how: "holder-gone" | "paused"): void {
  for (const claim of new Set([run.claim, run.call?.claim])) {
    if (typeof claim !== "string" || step.state.table.claims.get(claim)?.state !== "queued") continue;
    step.emit({ type: "claim.ended", v: 1, claim, family: run.family, how, arrival: null, cycle: null });
  }
}

/** The ref may have moved already: what was intended lands, and its leases stay until that is recorded (LS38, LD46). */
export function isBecomingMainline(run: Run): boolean {
  return run.state === "landing" && run.landing !== null;
}

export function describeCycle(cycle: readonly WaitEdge[]): string {
  return cycle.map((edge) => `${edge.from} waits for ${edge.to}`).join(", ");
}

export function openFamily(step: Step, run: Run, incarnation: number): void {
  const family = familyName(run.id, incarnation);
  if (step.state.table.families.has(family)) return;
  step.emit({
    type: "family.opened",
    v: 1,
    family,
    project: run.project,
    holder: run.id,
    kind: "run",
    ttlMs: runTtlMs,
    expiresAtMs: step.nowMs + runTtlMs,
    patienceMs: null,
  });
}

export function moveFamily(
  step: Step,
  family: Family,
  to: "live" | "hold" | "paused" | "landing",
  patienceMs: number | null,
): void {
  if (family.life === "over" || family.life === "new") return;
  const expiresAtMs = step.nowMs + family.ttlMs;
  step.emit({ type: "family.moved", v: 1, family: family.id, to, patienceMs, expiresAtMs });
}

/** What follows from a run's end: its leases, its sub-runs, and those who waited for it. */
export function afterEnd(step: Step, run: Run): void {
  const { state } = step;
  const family = state.table.families.get(run.family);
  if (family !== undefined && !run.sub) {
    const neverActed = run.startedAtMs === null || run.state === "done";
    step.emitAll(endFamily(family, "finished", neverActed));
  }
  for (const id of [...(state.subRuns.get(run.id) ?? [])].toSorted()) {
    const sub = runOf(state, id);
    if (!isOver(sub.state)) moveRun(step, sub, "terminated", `its run ${run.id} is over`);
  }
  for (const id of [...(state.dependants.get(run.id) ?? [])].toSorted()) {
    const dependant = state.runs.get(id);
    if (dependant !== undefined) enterQueue(step, dependant);
  }
  for (const id of [...(state.awaiters.get(run.id) ?? [])].toSorted()) {
    const waiter = runOf(state, id);
    if (waiter.state === "blocked") moveRun(step, waiter, "running", null);
    else if (waiter.state === "parked") goOn(step, waiter, "what it waited for is over");
  }
}

/** The time limit that a policy or its profile sets, the shorter one, from the start of the work. */
export function limitTime(step: Step, run: Run): void {
  const rule = ruleFor(policiesOf(step.state, run), "maxTimeMs");
  const own = run.settings?.maxTimeMs ?? Number.POSITIVE_INFINITY;
  const stated = rule?.value ?? Number.POSITIVE_INFINITY;
  const limitMs = Math.min(own, stated);
  if (limitMs === Number.POSITIVE_INFINITY) return;
  const policy = rule !== undefined && stated <= own ? rule.policy : limitOf(run.profile);
  step.emit({ type: "run.limited", v: 1, run: run.id, limitAtMs: step.nowMs + limitMs, policy });
}

/** Whether names in the run's project are compared without case. */
export function foldsCase(state: State, run: Run): boolean {
  return mustGet(state.projects, run.project, "project").foldCase;
}

/** Units of a call, which were checked when it was taken. */
export function mustParse(table: LeaseTable, run: Run, texts: readonly string[]): Unit[] {
  const parsed = parseUnits(table, familyOf(table, run.family), texts);
  assert(parsed.ok, `run ${run.id} names a bad unit`);
  return parsed.value;
}
