// Calls at the door. A call goes through when its run is at work, the policies allow it and its family owns what it
// touches; until then it waits here, in the log, so that a restart finds it where it was.

import { assert } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { BeginCall, CallAnswer, FinishCall, PassCall, Refusal } from "../inputs.ts";
import { fenceFor, isCovered } from "../lease/grant-scan.ts";
import { decideClaim, inheritedKey, parseUnits } from "../lease/lease-decide.ts";
import { familyOf } from "../lease/lease-state.ts";
import { listObstacles } from "../lease/obstacles.ts";
import type { Unit } from "../lease/unit.ts";
import { isNeverWritable } from "../landing/guarded.ts";
import { builtIn, checkAmount, checkPath, defaultRules, ruleFor } from "../policy/policy.ts";
import { hasSlotFor, policiesOf, rootOf, runOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { describeCycle, foldsCase, moveRun, mustParse } from "./run-flow.ts";
import { kinOf } from "./run-tree.ts";
import { writingTools, type Call, type CallTool, type Run } from "./run-state.ts";
import { isDriven, isOver } from "./run-states.ts";
import { decideWait } from "./run-wait.ts";
import { countSwept } from "./swept.ts";
import { outsideScope } from "../task/scope.ts";
import { nameable, sweepAfter } from "../workspace/set-aside.ts";
import type { Read } from "../workspace/workspace-state.ts";

/** Takes a call at the door. The same call again gets the same answer. */
export function beginCall(step: Step, input: BeginCall): Result<CallAnswer, Refusal> {
  const { state } = step;
  const found = runForCall(state, input);
  if (!found.ok) return found;
  const run = found.value;
  if (input.call < run.callsDone)
    return run.refused?.call === input.call ? refuse(toRefusal(run)) : ok({ state: "done" });
  if (run.call?.number === input.call) return ok(answerOf(state, run));
  if (input.call > run.callsDone || run.call !== null) {
    return refuse({ code: "out-of-order", run: run.id, call: input.call, next: run.callsDone });
  }
  if (!isDriven(run.state)) return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "at work" });
  const units = parseUnits(state.table, familyOf(state.table, run.family), input.units);
  if (!units.ok) return refuse(refuseCall(step, run, input.call, input.tool, units.refusal, input.print));
  const refusal = checkCall(state, run, input, units.value);
  if (refusal !== undefined) return refuse(refuseCall(step, run, input.call, input.tool, refusal, input.print));
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
    ...(input.print === undefined ? {} : { print: input.print }),
    ...(input.use === undefined ? {} : { use: input.use }),
  });
  const stopped = pushCall(step, run);
  return stopped === undefined ? ok(answerOf(state, run)) : refuse(stopped);
}

/** How a call stands once all consequences of taking it are there. */
export function answerCall(state: State, id: string, call: number): CallAnswer {
  const run = runOf(state, id);
  return run.call?.number === call ? answerOf(state, run) : { state: "done" };
}

/** Moves a waiting call on as far as it goes: claims what it lacks, and opens the door when all is there. */
export function pushCall(step: Step, run: Run): Refusal | undefined {
  const { call } = run;
  const { table } = step.state;
  if (call === null || call.started || run.state !== "running") return undefined;
  // Nothing acts in a workspace that is going back to an earlier step (LD35).
  if (rootOf(step.state, run).rewinding !== null) return undefined;
  if (call.other !== null) return pushWait(step, run, call, call.other);
  const family = familyOf(table, run.family);
  const units = mustParse(table, run, call.units);
  const cover = units.map((unit) =>
    call.tool === "claim" && isOnLoan(step.state, run, unit) ? "no" : isCovered(table, family, unit),
  );
  if (cover.includes("no")) return claimForCall(step, run, call);
  if (cover.includes("not-ready")) return undefined;
  // Whoever looks at everything sees it after it was brought in step, or would report what is no longer so.
  if (call.tool === "sweep" && [...family.leases.values()].some((lease) => !lease.ready)) return undefined;
  // Within a family too, one process at a time runs under a unit (LS43).
  if (call.tool === "process" && runsProcess(step.state, run, call.units) !== undefined) return undefined;
  const fences = units.map((unit) => fenceFor(table, family, unit) ?? 0);
  const { number, tool, bytes } = call;
  const taken = takenBy(step.state, run, call);
  step.emit({ type: "call.started", v: 1, run: run.id, call: number, tool, units: call.units, bytes, fences, taken });
  return undefined;
}

/** Moves on the calls of everyone in the family: something changed in what it holds. */
export function pushFamily(step: Step, family: string): void {
  const root = step.state.runs.get(step.state.runOfFamily.get(family) ?? "");
  if (root?.family !== family) return;
  for (const run of kinOf(step.state, root)) pushCall(step, run);
}

/** Records what became of a call, and gives back the process unit that it took, unless its process may still run (EN51). */
export function finishCall(step: Step, input: FinishCall): Result<CallAnswer, Refusal> {
  const found = runForCall(step.state, input);
  if (!found.ok) return found;
  const run = found.value;
  if (input.call < run.callsDone) return ok({ state: "done" });
  const { call } = run;
  if (call === null || call.number !== input.call || !call.started) {
    return refuse({ code: "out-of-order", run: run.id, call: input.call, next: run.callsDone });
  }
  const { type: _type, family: _family, reads, inSubmodules = [], oversized, last: isLast = false, ...others } = input;
  const { swept, shown, ...rest } = others;
  const works = nameable(step, run, input.works);
  const counted = countSwept(run, works, swept);
  const changed = [...rest.changed, ...counted];
  const body = oversized === undefined ? { ...rest, changed } : { ...rest, changed, oversized };
  if (input.unended !== true) releaseTaken(step, run);
  const before = new Map(rootOf(step.state, run).workspace.dirty);
  const news = { ...newsOf(step.state, run, reads), ...(shown === undefined ? {} : { shown }) };
  step.emit({ ...body, works, type: "call.finished", v: 1, tool: call.tool, ...news });
  sweepAfter(step, run, works, before, {
    inSubmodules: new Set(inSubmodules),
    swept: new Set(counted.map(({ path }) => path)),
    isLast,
  });
  return ok({ state: "done" });
}

/** Lets a call that only looks through at once, with what it saw: begun, open and over in one step (RN37). */
export function passCall(step: Step, input: PassCall): Result<CallAnswer, Refusal> {
  const found = runForCall(step.state, input);
  if (!found.ok) return found;
  const run = found.value;
  if (input.call < run.callsDone) return ok({ state: "done" });
  if (input.call > run.callsDone || run.call !== null)
    return refuse({ code: "out-of-order", run: run.id, call: input.call, next: run.callsDone });
  if (run.state !== "running" || rootOf(step.state, run).rewinding !== null)
    return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "running" });
  const { call, tool, print, use, ok: isOk, summary, reads } = input;
  const about = { run: run.id, call, tool } as const;
  const nothing = { units: [], bytes: 0 } as const;
  const printed = { ...(print === undefined ? {} : { print }), ...(use === undefined ? {} : { use }) };
  step.emit({ type: "call.queued", v: 1, ...about, ...nothing, claim: null, other: null, ...printed });
  step.emit({ type: "call.started", v: 1, ...about, ...nothing, fences: [], taken: null });
  const outcome = { ok: isOk, exit: null, summary, changed: [], works: [], output: null };
  step.emit({ type: "call.finished", v: 1, ...about, ...outcome, ...newsOf(step.state, run, reads) });
  return ok({ state: "done" });
}

/** What a call has read. The same content read again is no news. */
function newsOf(state: State, run: Run, reads: FinishCall["reads"]): { readonly reads?: readonly Read[] } {
  const known = rootOf(state, run).workspace.reads;
  const news = (reads ?? []).filter(({ path, entry }) => known.get(path) !== entry);
  return news.length === 0 ? {} : { reads: news };
}

/** Gives back the process unit that the door took for the call alone, unless it was claimed for more meanwhile. */
export function releaseTaken(step: Step, run: Run): void {
  const { table } = step.state;
  const family = table.families.get(run.family);
  const { call } = run;
  if (call === null || call.taken === null || family === undefined || family.life === "over") return;
  const unit = mustParse(table, run, [call.taken])[0];
  const lease = unit === undefined ? undefined : family.leases.get(unit.id);
  if (lease === undefined || lease.fence !== call.fences[call.units.indexOf(call.taken)]) return;
  step.emit({ type: "lease.released", v: 1, family: family.id, units: [call.taken], setAside: [] });
}

/** Whether a process of the family runs under one of these units right now. */
export function runsProcess(state: State, run: Run, units: readonly string[] | null): Run | undefined {
  return kinOf(state, run).find(({ call }) => {
    if (call === null || call.tool !== "process" || !call.started) return false;
    return units === null || call.units.some((unit) => units.includes(unit));
  });
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
  if (call.started) return { state: "go", fences: call.fences, startedAtMs: call.startedAtMs ?? state.atMs };
  const family = familyOf(state.table, run.family);
  // Without a claim in the queue nobody is ahead of it there.
  const rankMax = state.table.projects.get(run.project)?.byId.get(call.claim ?? "")?.rank ?? Number.NEGATIVE_INFINITY;
  const units = mustParse(state.table, run, call.units);
  return { state: "waiting", behind: listObstacles(state.table, family, units, { rankMax }) };
}

function checkCall(state: State, run: Run, input: BeginCall, units: readonly Unit[]): Refusal | undefined {
  if (input.other !== null && !state.runs.has(input.other)) return { code: "not-found", kind: "run", id: input.other };
  const policies = policiesOf(state, run);
  const unread = input.tool === "resolve" ? unreadSide(state, run, units) : undefined;
  if (unread !== undefined) return unread;
  const writes = (writingTools as readonly CallTool[]).includes(input.tool);
  for (const unit of units) {
    if (unit.kind === "process") continue;
    if (isNeverWritable(pathOf(unit)))
      return { code: "policy-denied", policy: builtIn, rule: "neverWritable", what: pathOf(unit) };
    const denied = checkPath(policies, pathOf(unit), foldsCase(state, run)) ?? outsideScope(state, run, pathOf(unit));
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

/** Nobody makes one of two sides who was not shown the other one: its change would go unseen (LD31, LD40). */
function unreadSide(state: State, run: Run, units: readonly Unit[]): Refusal | undefined {
  const { conflicts } = rootOf(state, run).workspace;
  const path = units.map(pathOf).find((each) => conflicts.get(each)?.shown === false);
  return path === undefined ? undefined : { code: "not-read", path, side: "theirs" };
}

/** Claims the whole footprint in one claim, waiting (LS41). */
function claimForCall(step: Step, run: Run, call: Call): Refusal | undefined {
  const { number, tool, units, bytes, other } = call;
  const waits = `waits for ${units.join(", ")}`;
  if (step.state.table.claims.get(call.claim ?? "")?.state === "queued") {
    moveRun(step, run, "blocked", waits);
    return undefined;
  }
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
    moveRun(step, run, "blocked", waits);
    return undefined;
  }
  if (record?.state === "granted") return pushCall(step, run);
  return refuseCall(
    step,
    run,
    number,
    tool,
    decided.ok ? { code: "deadlock", cycle: record?.cycle ?? [] } : decided.refusal,
  );
}

/** Waits for a separate run: an edge in the waiting graph like any other (LS46). */
function pushWait(step: Step, run: Run, call: Call, otherId: string): Refusal | undefined {
  const other = step.state.runs.get(otherId);
  const { number, tool, units, bytes } = call;
  if (other === undefined || isOver(other.state)) {
    step.emit({ type: "call.started", v: 1, run: run.id, call: number, tool, units, bytes, fences: [], taken: null });
    return undefined;
  }
  const decided = decideWait(step.state, run, other);
  if (!decided.ok) return refuseCall(step, run, number, tool, decided.refusal);
  step.emitAll(decided.value);
  moveRun(step, run, "blocked", `waits for ${other.id}`);
  return undefined;
}

/** A refused call is over: the next one has the next number. */
function refuseCall(step: Step, run: Run, call: number, tool: Call["tool"], refusal: Refusal, print?: string): Refusal {
  const policy = refusal.code === "policy-denied" ? refusal.policy : null;
  step.emit({
    type: "call.refused",
    v: 1,
    run: run.id,
    call,
    tool,
    code: refusal.code,
    what: describe(refusal),
    policy,
    ...(print === undefined ? {} : { print }),
  });
  return refusal;
}

function describe(refusal: Refusal): string {
  if (refusal.code === "policy-denied") return `${refusal.rule}: ${refusal.what}`;
  if (refusal.code === "deadlock") return describeCycle(refusal.cycle);
  if (refusal.code === "outside-lease") return refusal.unit;
  if (refusal.code === "bad-unit") return `${refusal.unit}: ${refusal.why}`;
  if (refusal.code === "not-found") return refusal.id;
  if (refusal.code === "outside-scope") return [refusal.path, ...refusal.scope].join(": ");
  if (refusal.code === "not-read") return refusal.path;
  return "";
}

/** The refusal again, for a driver that did not hear of it. */
function toRefusal(run: Run): Refusal {
  assert(run.refused !== null, `a call of ${run.id} was refused`);
  const { code, what, policy } = run.refused;
  const [first = "", ...rest] = what.split(": ");
  if (code === "policy-denied") return { code, policy: policy ?? builtIn, rule: first, what: rest.join(": ") };
  if (code === "outside-lease") return { code, unit: what };
  if (code === "bad-unit") return { code, unit: first, why: rest.join(": ") };
  if (code === "not-found") return { code, kind: "run", id: what };
  if (code === "outside-scope") return { code, path: first, scope: rest };
  if (code === "not-read") return { code, path: what, side: "theirs" };
  return code === "deadlock" ? { code, cycle: [] } : { code: "cancelled", run: run.id };
}

/** Whether the family has a process unit only as long as another call runs: whoever claims it wants it for longer. */
function isOnLoan(state: State, run: Run, unit: Unit): boolean {
  const lease = familyOf(state.table, run.family).leases.get(unit.id);
  if (lease === undefined || unit.kind !== "process") return false;
  return kinOf(state, run).some(({ call }) => {
    if (call === null || call.taken !== lease.unit.text) return false;
    return call.fences[call.units.indexOf(call.taken)] === lease.fence;
  });
}

/** A process unit that the door took for this call alone, or that the run left and found again, goes back with it. */
function takenBy(state: State, run: Run, call: Call): string | null {
  if (call.tool !== "process") return null;
  const { claims } = state.table;
  for (const unit of mustParse(state.table, run, call.units)) {
    const lease = familyOf(state.table, run.family).leases.get(unit.id);
    if (lease === undefined) continue;
    if (lease.claim === call.claim || claims.get(lease.claim)?.key === inheritedKey) return lease.unit.text;
  }
  return null;
}

function pathOf(unit: Unit): string {
  return unit.text.slice(unit.text.indexOf(":") + 1);
}
