// Calls at the door. A call goes through when its run is at work, the policies allow it and its family owns what it
// touches; until then it waits here, in the log, so that a restart finds it where it was.

import { ok, refuse, type Result } from "../../base/result.ts";
import { compareText } from "../../base/canonical.ts";
import type { BeginCall, CallAnswer, FinishCall, Refusal } from "../inputs.ts";
import { fenceFor, isCovered, listObstacles } from "../lease/grant-scan.ts";
import { decideAwait, decideClaim, parseUnits } from "../lease/lease-decide.ts";
import { familyOf } from "../lease/lease-state.ts";
import type { Unit } from "../lease/unit.ts";
import { checkAmount, checkPath, defaultRules, ruleFor, type PolicyDenied } from "../policy/policy.ts";
import { hasSlotFor, runOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { moveRun, policiesFor } from "./run-flow.ts";
import type { Call, Run } from "./run-state.ts";
import { isOver } from "./run-states.ts";

/** Takes a call at the door. The same call again gets the same answer. */
export function beginCall(step: Step, input: BeginCall): Result<CallAnswer, Refusal> {
  const found = runForCall(step.state, input);
  if (!found.ok) return found;
  const run = found.value;
  if (input.call < run.callsDone) return ok({ state: "done" });
  if (run.call?.number === input.call) return ok(answerOf(step.state, run));
  if (input.call > run.callsDone || run.call !== null) {
    return refuse({ code: "out-of-order", run: run.id, call: input.call, next: run.callsDone });
  }
  const units = parseUnits(step.state.table, familyOf(step.state.table, run.family), input.units);
  if (!units.ok) return units;
  if (input.other !== null && !step.state.runs.has(input.other)) {
    return refuse({ code: "not-found", kind: "run", id: input.other });
  }
  const refusal = checkCall(step.state, run, input, units.value);
  if (refusal !== undefined) {
    refuseCall(step, run, input.call, input.tool, refusal);
    return refuse(refusal);
  }
  step.emit({
    type: "call.queued",
    v: 1,
    run: run.id,
    call: input.call,
    tool: input.tool,
    units: units.value.map((unit) => unit.text),
    bytes: input.bytes,
    claim: null,
    other: input.other,
  });
  const stopped = pushCall(step, run);
  return stopped === undefined ? ok(answerOf(step.state, run)) : refuse(stopped);
}

/** Moves a waiting call on as far as it goes: claims what it lacks, and opens the door when all is there. */
export function pushCall(step: Step, run: Run): Refusal | undefined {
  const { call } = run;
  if (call === null || call.started || run.state !== "running") return undefined;
  if (call.other !== null) return pushWait(step, run, call, call.other);
  const family = familyOf(step.state.table, run.family);
  const units = call.units.map((text) => unitNamed(step.state, run, text));
  const cover = units.map((unit) => isCovered(step.state.table, family, unit));
  if (cover.includes("no")) return claimForCall(step, run, call);
  if (cover.includes("not-ready") || isProcessBusy(step.state, run, call)) return undefined;
  const fences = units.map((unit) => fenceFor(step.state.table, family, unit) ?? 0);
  const { number, tool, bytes } = call;
  step.emit({ type: "call.started", v: 1, run: run.id, call: number, tool, units: call.units, bytes, fences, taken: takenBy(step.state, run, call) });
  return undefined;
}

/** Records what became of a call, and gives back the process unit that it took. */
export function finishCall(step: Step, input: FinishCall): Result<CallAnswer, Refusal> {
  const found = runForCall(step.state, input);
  if (!found.ok) return found;
  const run = found.value;
  if (input.call < run.callsDone) return ok({ state: "done" });
  const { call } = run;
  if (call === null || call.number !== input.call || !call.started) {
    return refuse({ code: "out-of-order", run: run.id, call: input.call, next: run.callsDone });
  }
  const { taken, tool } = call;
  const { type: _type, family: _family, ...body } = input;
  step.emit({ ...body, type: "call.finished", v: 1, tool });
  const family = familyOf(step.state.table, run.family);
  const unit = taken === null ? undefined : unitNamed(step.state, run, taken);
  if (unit !== undefined && family.leases.has(unit.id)) {
    step.emit({ type: "lease.released", v: 1, family: family.id, units: [unit.text], setAside: [] });
  }
  if (tool === "process") wakeFamily(step, run);
  return ok({ state: "done" });
}

/** The run that a driver speaks for, if its family is still the one that may act (LS29, LS31). */
export function runForCall(
  state: State,
  input: { readonly run: string; readonly family: string },
): Result<Run, Refusal> {
  const run = state.runs.get(input.run);
  if (run === undefined) return refuse({ code: "not-found", kind: "run", id: input.run });
  if (isOver(run.state)) return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "at work" });
  if (run.family !== input.family || run.lost || familyOf(state.table, run.family).life === "over") {
    return refuse({ code: "expired", family: input.family });
  }
  return ok(run);
}

function answerOf(state: State, run: Run): CallAnswer {
  const { call } = run;
  if (call === null) return { state: "done" };
  const family = familyOf(state.table, run.family);
  const units = call.units.map((text) => unitNamed(state, run, text));
  if (call.started) {
    const fences = units.map((unit) => fenceFor(state.table, family, unit) ?? 0);
    return { state: "go", fences, startedAtMs: call.startedAtMs ?? state.atMs };
  }
  const rank = state.table.projects.get(run.project)?.byId.get(call.claim ?? "")?.rank ?? 0;
  return { state: "waiting", behind: listObstacles(state.table, family, units, (claim) => claim.rank < rank) };
}

function checkCall(
  state: State,
  run: Run,
  input: BeginCall,
  units: readonly Unit[],
): PolicyDenied | { readonly code: "outside-lease"; readonly unit: string } | undefined {
  const policies = policiesFor(state, run);
  const writes = input.tool === "write" || input.tool === "edit";
  for (const unit of units) {
    if (unit.kind === "process") continue;
    const denied = checkPath(policies, pathOf(unit));
    if (denied !== undefined) return denied;
  }
  if (!writes) return undefined;
  const files = new Set([...run.changed.keys(), ...units.map(pathOf)]);
  const tooMuch = checkAmount(policies, files.size, run.bytesWritten + input.bytes);
  if (tooMuch !== undefined) return tooMuch;
  const claiming = ruleFor(policies, "claiming")?.value ?? defaultRules.claiming;
  const family = familyOf(state.table, run.family);
  const outside = units.find((unit) => isCovered(state.table, family, unit) === "no");
  if (claiming === "explicit" && outside !== undefined) return { code: "outside-lease", unit: outside.text };
  return undefined;
}

/** Claims the whole footprint in one claim, waiting (LS41). */
function claimForCall(step: Step, run: Run, call: Call): Refusal | undefined {
  if (call.claim !== null && step.state.table.claims.get(call.claim)?.state === "queued") return undefined;
  const { number, tool, units, bytes, other } = call;
  const request = {
    claim: step.nextId("c"),
    family: run.family,
    units,
    priority: run.priority,
    key: null,
    mode: "wait",
    deadlineAtMs: null,
    slot: null,
  } as const;
  step.emit({ type: "call.queued", v: 1, run: run.id, call: number, tool, units, bytes, claim: request.claim, other });
  const decided = decideClaim(step.state.table, request, (id) => hasSlotFor(step.state, id), step.nowMs);
  if (decided.ok) step.emitAll(decided.value.events);
  const record = step.state.table.claims.get(request.claim);
  if (record?.state === "queued") {
    moveRun(step, run, "blocked", `waits for ${units.join(", ")}`);
    return undefined;
  }
  if (record?.state === "granted") return pushCall(step, run);
  const refusal: Refusal = decided.ok ? { code: "deadlock", cycle: record?.cycle ?? [] } : decided.refusal;
  refuseCall(step, run, number, tool, refusal);
  return refusal;
}

/** Waits for a separate run: an edge in the waiting graph like any other (LS46). */
function pushWait(step: Step, run: Run, call: Call, otherId: string): Refusal | undefined {
  const other = step.state.runs.get(otherId);
  const { number, tool, units, bytes } = call;
  if (other === undefined || isOver(other.state)) {
    step.emit({ type: "call.started", v: 1, run: run.id, call: number, tool, units, bytes, fences: [], taken: null });
    return undefined;
  }
  const family = familyOf(step.state.table, run.family);
  const otherFamily = step.state.table.families.get(other.family);
  if (otherFamily !== undefined) {
    const decided = decideAwait(step.state.table, family, otherFamily);
    if (!decided.ok) {
      refuseCall(step, run, number, tool, decided.refusal);
      return decided.refusal;
    }
    step.emitAll(decided.value);
  }
  moveRun(step, run, "blocked", `waits for ${other.id}`);
  return undefined;
}

function refuseCall(step: Step, run: Run, call: number, tool: Call["tool"], refusal: Refusal): void {
  const policy = refusal.code === "policy-denied" ? refusal.policy : null;
  step.emit({ type: "call.refused", v: 1, run: run.id, call, tool, code: refusal.code, what: describe(refusal), policy });
}

function describe(refusal: Refusal): string {
  if (refusal.code === "policy-denied") return `${refusal.rule}: ${refusal.what}`;
  if (refusal.code === "deadlock") return refusal.cycle.map((edge) => `${edge.from} waits for ${edge.to}`).join(", ");
  if (refusal.code === "outside-lease") return refusal.unit;
  return "";
}

/** Within a family too, one process at a time runs under a unit (LS43). */
function isProcessBusy(state: State, run: Run, call: Call): boolean {
  if (call.tool !== "process") return false;
  return kinOf(state, run).some(
    (other) => other !== run && other.call?.started === true && other.call.units.some((unit) => call.units.includes(unit)),
  );
}

function wakeFamily(step: Step, run: Run): void {
  for (const other of kinOf(step.state, run)) if (other !== run) pushCall(step, other);
}

/** The run and the sub-runs that act in the same family, in a fixed order. */
export function kinOf(state: State, run: Run): Run[] {
  const root = run.sub ? (state.runOfFamily.get(run.family) ?? run.id) : run.id;
  const found = [runOf(state, root)];
  for (const member of found) {
    for (const id of state.subRuns.get(member.id) ?? []) found.push(runOf(state, id));
  }
  return found.toSorted((a, b) => compareText(a.id, b.id));
}

/** A process unit that the door took for this call alone goes back with it. */
function takenBy(state: State, run: Run, call: Call): string | null {
  if (call.tool !== "process" || call.claim === null) return null;
  const family = familyOf(state.table, run.family);
  for (const lease of family.leases.values()) {
    if (lease.claim === call.claim && lease.unit.kind === "process") return lease.unit.text;
  }
  return null;
}

function unitNamed(state: State, run: Run, text: string): Unit {
  const parsed = parseUnits(state.table, familyOf(state.table, run.family), [text]);
  if (!parsed.ok || parsed.value[0] === undefined) throw new Error(`the log names a bad unit: ${text}`);
  return parsed.value[0];
}

function pathOf(unit: Unit): string {
  return unit.text.slice(unit.text.indexOf(":") + 1);
}
