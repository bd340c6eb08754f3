// How runs move: into the queue, on after a wait, to the end. Each function emits the events of one passage; who calls
// it is either a person's input or a consequence of another event.

import { decideClaim, decideShrink, endClaims, endFamily } from "../lease/lease-decide.ts";
import { familyOf, type Family } from "../lease/lease-state.ts";
import { applicable, builtIn, decideApproval, defaultRules, ruleFor, type Policy } from "../policy/policy.ts";
import { hasSlotFor, runOf, subjectOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { familyName, type Run } from "./run-state.ts";
import { isOver, takesSlot, type RunState } from "./run-states.ts";

/** How long a run's leases live without a sign of life from its node. */
export const runTtlMs = 30_000;
/** How long the leases of a paused run resist others. */
export const pausedPatienceMs = 30 * 60_000;

export function moveRun(step: Step, run: Run, to: RunState, because: string | null, policy: string | null = null): void {
  step.emit({ type: "run.moved", v: 1, run: run.id, from: run.state, to, because, policy });
}

/** Lets a run ask for its start, once everything it depends on is done (LS19, LS40). */
export function enterQueue(step: Step, run: Run): void {
  const { state } = step;
  if (run.state !== "queued" || run.claim !== null) return;
  if (!run.dependsOn.every((id) => state.runs.get(id)?.state === "done")) return;
  if (run.sub) return moveRun(step, run, "starting", null);
  openFamily(step, run, run.incarnation);
  askToGoOn(step, run, run.plan);
}

/** Brings a run back to work: it waits, if only for an instant, for a slot and for what its call needs (LS21). */
export function goOn(step: Step, run: Run, because: string): void {
  if (run.state !== "parked") moveRun(step, run, "parked", because);
  if (run.sub) return moveRun(step, run, "running", because);
  if (run.claim !== null) return;
  const call = run.call;
  const wanted = call !== null && !call.started && call.claim === null ? call.units : [];
  askToGoOn(step, run, wanted);
}

/** Makes the claim that lets a run start or go on. A refusal for deadlock goes to its call; the run itself goes on. */
function askToGoOn(step: Step, run: Run, units: readonly string[]): void {
  const claim = step.nextId("c");
  const request = {
    claim,
    family: run.family,
    units,
    priority: run.priority,
    key: null,
    mode: "wait",
    deadlineAtMs: null,
    slot: run.id,
  } as const;
  step.emit({ type: "run.claimed", v: 1, run: run.id, claim });
  const decided = decideClaim(step.state.table, request, (id) => hasSlotFor(step.state, id), step.nowMs);
  if (decided.ok) step.emitAll(decided.value.events);
  const record = step.state.table.claims.get(claim);
  if (record?.state === "granted") return takeSlot(step, run);
  if (record?.state === "queued") return;
  if (run.call !== null && units.length > 0) {
    const what = `waiting for ${units.join(", ")} would close a circle`;
    step.emit({
      type: "call.refused",
      v: 1,
      run: run.id,
      call: run.call.number,
      tool: run.call.tool,
      code: decided.ok ? "deadlock" : decided.refusal.code,
      what,
      policy: null,
    });
  }
  // An empty claim conflicts with nothing, so it is never refused.
  if (units.length > 0) askToGoOn(step, run, []);
}

/** A run whose grant brought a slot moves at once, so that the next decision counts it. */
export function takeSlot(step: Step, run: Run): void {
  if (run.state === "queued") moveRun(step, run, "starting", null);
  else if (run.state === "parked") moveRun(step, run, "running", null);
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

/** Ends the waiting claims of a run and turns its leases into a hold (LS20, LS35). */
export function pauseRun(step: Step, run: Run, because: string | null): void {
  const family = step.state.table.families.get(run.family);
  if (family !== undefined && !run.sub) {
    step.emitAll(endClaims(family, "paused"));
    moveFamily(step, family, "paused", pausedPatienceMs);
  }
  moveRun(step, run, "paused", because);
}

/** The work was accepted, or nothing was to be tested: to a person if a policy says so, else straight to landing. */
export function afterValidation(step: Step, run: Run): void {
  const { state } = step;
  if (run.sub) {
    moveRun(step, run, "landing", null);
    return moveRun(step, run, "done", null);
  }
  const family = familyOf(state.table, run.family);
  const policies = policiesFor(state, run);
  const approval = decideApproval(policies, [...run.changed.keys()]);
  step.emitAll(decideShrink(family));
  if (approval.needed) {
    const patience = ruleFor(policies, "holdPatienceMs");
    moveFamily(step, family, "hold", patience === undefined ? defaultRules.holdPatienceMs : patience.value);
    return moveRun(step, run, "review", "a policy asks for approval", approval.policy);
  }
  moveFamily(step, family, "landing", null);
  moveRun(step, run, "landing", null, approval.policy === builtIn ? null : approval.policy);
}

/** What follows from a run's end: its leases, its sub-runs, and those who waited for it. */
export function afterEnd(step: Step, run: Run): void {
  const { state } = step;
  const family = state.table.families.get(run.family);
  const awaiting = family === undefined || run.sub ? [] : [...family.awaitedBy].toSorted();
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
    if (dependant === undefined || dependant.state !== "queued") continue;
    if (run.state === "done") enterQueue(step, dependant);
    else moveRun(step, dependant, "failed", `it depends on ${run.id}, which is ${run.state}`);
  }
  for (const id of awaiting) {
    const waiter = state.runs.get(state.runOfFamily.get(id) ?? "");
    if (waiter?.state === "blocked" && waiter.call?.other === run.id) moveRun(step, waiter, "running", null);
    else if (waiter?.state === "parked" && waiter.call?.other === run.id) goOn(step, waiter, "what it waited for is over");
  }
}

/** The time limit that a policy sets, from the start of the work. */
export function limitTime(step: Step, run: Run): void {
  const rule = ruleFor(policiesFor(step.state, run), "maxTimeMs");
  if (typeof rule?.value !== "number") return;
  step.emit({ type: "run.limited", v: 1, run: run.id, limitAtMs: step.nowMs + rule.value, policy: rule.policy });
}

export function policiesFor(state: State, run: Run): Policy[] {
  return applicable(state.policies, subjectOf(run));
}

/** Whether a driver may act for the run now. */
export function isAtWork(run: Run): boolean {
  return takesSlot(run.state) && run.state !== "validating";
}
