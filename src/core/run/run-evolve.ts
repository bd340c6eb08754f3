// Turns run events into the next state of runs, tasks and slots.

import { assert, mustGet, unreachable } from "../../base/assert.ts";
import { unitOf } from "../lease/lease-evolve.ts";
import { familyOf } from "../lease/lease-state.ts";
import { returnSlot, takeSlot } from "../schedule/slots.ts";
import { runOf, subjectOf, type State } from "../state.ts";
import type { CallFinished, RunEvent, RunMoved, RunSubmitted } from "./run-events.ts";
import { familyName, inCallWaitMs, type Run } from "./run-state.ts";
import { isOver, mayMove, takesSlot } from "./run-states.ts";

export function evolveRuns(state: State, event: RunEvent, atMs: number): void {
  switch (event.type) {
    case "task.added": {
      const { task: id, project, title, description, acceptance } = event;
      state.tasks.set(id, { id, project, title, description, acceptance, cancelled: false, runs: [], atMs });
      return;
    }
    case "task.cancelled":
      mustGet(state.tasks, event.task, "task").cancelled = true;
      return;
    case "run.submitted":
      return submitRun(state, event, atMs);
    case "run.moved":
      return moveRun(state, event, atMs);
    case "run.removed":
      return removeRun(state, runOf(state, event.run));
    default:
      return evolveRun(state, runOf(state, event.run), event, atMs);
  }
}

type OneRunEvent = Exclude<RunEvent, { type: "task.added" | "task.cancelled" | "run.submitted" | "run.moved" | "run.removed" }>;

function evolveRun(state: State, run: Run, event: OneRunEvent, atMs: number): void {
  switch (event.type) {
    case "run.claimed":
      setClaim(state, run, event.claim);
      return;
    case "run.limited":
      run.limitAtMs = event.limitAtMs;
      run.limitPolicy = event.policy;
      state.table.due.add(`run:${run.id}`, event.limitAtMs);
      return;
    case "run.lost":
      run.lost = true;
      setClaim(state, run, null);
      if (run.call !== null) setCallClaim(state, run, null);
      run.call = null;
      return;
    case "run.revived":
      run.lost = false;
      run.family = event.family;
      run.incarnation = event.incarnation;
      if (!run.sub) state.runOfFamily.set(event.family, run.id);
      return;
    case "run.stopped":
      run.stopped = true;
      return;
    case "run.said":
      run.callsDone++;
      return;
    case "run.asked":
      run.callsDone++;
      run.question = { id: event.question, text: event.text };
      return;
    case "run.answered":
      run.question = null;
      run.messages++;
      return;
    case "run.messaged":
      run.messages++;
      return;
    case "call.queued": {
      const { call: number, tool, units, bytes, other } = event;
      if (run.call !== null) setCallClaim(state, run, null);
      run.call = { number, tool, units, bytes, claim: null, other, started: false, startedAtMs: null, taken: null };
      setCallClaim(state, run, event.claim);
      return;
    }
    case "call.started": {
      const { call: number, tool, units, bytes, taken } = event;
      const other = run.call?.other ?? null;
      if (run.call !== null) setCallClaim(state, run, null);
      run.call = { number, tool, units, bytes, claim: null, other, started: true, startedAtMs: atMs, taken };
      return;
    }
    case "call.refused":
      if (run.call !== null) setCallClaim(state, run, null);
      run.call = null;
      run.callsDone = event.call + 1;
      return;
    case "call.finished":
      return finishCall(state, run, event);
    default:
      return unreachable(event);
  }
}

function submitRun(state: State, event: RunSubmitted, atMs: number): void {
  const { type: _type, v: _v, policy: _policy, run: id, ...body } = event;
  assert(!state.runs.has(id), `run ${id} is submitted once`);
  const parent = event.sub && event.parent !== null ? runOf(state, event.parent) : undefined;
  const run: Run = {
    ...body,
    id,
    submittedAtMs: atMs,
    state: "queued",
    because: null,
    sinceMs: atMs,
    sinceSeq: state.seq,
    startedAtMs: null,
    endedAtMs: null,
    family: parent?.family ?? familyName(id, 1),
    incarnation: 1,
    claim: null,
    call: null,
    callsDone: 0,
    pausedFrom: null,
    question: null,
    messages: 0,
    changed: new Map(),
    bytesWritten: 0,
    limitAtMs: null,
    limitPolicy: null,
    stopped: false,
    lost: false,
    approvedBy: null,
  };
  state.runs.set(id, run);
  mustGet(state.tasks, event.task, "task").runs.push(id);
  if (parent === undefined) state.runOfFamily.set(run.family, id);
  else state.subRuns.set(parent.id, (state.subRuns.get(parent.id) ?? new Set()).add(id));
  if (event.key !== null) state.runKeys.set(`${event.project} ${event.key}`, id);
  for (const other of event.dependsOn) {
    const waiting = state.dependants.get(other) ?? new Set();
    state.dependants.set(other, waiting.add(id));
  }
}

function moveRun(state: State, event: RunMoved, atMs: number): void {
  const run = runOf(state, event.run);
  assert(run.state === event.from, `run ${run.id} is ${run.state}, not ${event.from}`);
  assert(mayMove(event.from, event.to), `no run moves from ${event.from} to ${event.to}`);
  if (!run.sub) changeSlot(state, run, takesSlot(event.from), takesSlot(event.to));
  if (event.to === "paused") run.pausedFrom = event.from;
  if (event.to === "starting" || event.to === "running" || event.to === "paused") setClaim(state, run, null);
  if (event.to === "starting") run.startedAtMs = atMs;
  if (event.to === "parked" && event.from === "done") {
    run.stopped = false;
    run.endedAtMs = null;
  }
  if (event.from === "blocked" && event.to === "parked") needSlot(state, run);
  if (isOver(event.to)) {
    run.endedAtMs = atMs;
    run.question = null;
    setClaim(state, run, null);
    if (event.to !== "done") dropCall(state, run);
  }
  run.state = event.to;
  run.because = event.because;
  run.sinceMs = atMs;
  run.sinceSeq = state.seq;
  if (event.to === "blocked") state.table.due.add(`park:${run.id}`, atMs + inCallWaitMs);
}

function changeSlot(state: State, run: Run, had: boolean, has: boolean): void {
  if (had === has) return;
  if (has) takeSlot(state.slots, subjectOf(run));
  else {
    returnSlot(state.slots, subjectOf(run));
    state.table.recheck.slots = true;
  }
}

/** The claim that the parked run waits for now has to bring a slot along (LS39). */
function needSlot(state: State, run: Run): void {
  const id = run.call?.claim;
  const family = familyOf(state.table, run.family);
  for (const claim of family.queued) {
    if (claim.id !== id) continue;
    claim.slot = run.id;
    state.table.projects.get(run.project)?.slotClaims.set(claim.id, claim);
  }
}

function finishCall(state: State, run: Run, event: CallFinished): void {
  const family = familyOf(state.table, run.family);
  for (const { path, bytes } of event.changed) {
    run.changed.set(path, (run.changed.get(path) ?? 0) + bytes);
    run.bytesWritten += bytes;
  }
  for (const path of event.dirty) {
    const unit = unitOf(state.table, family, `file:${path}`);
    family.dirty.set(unit.key, unit);
  }
  for (const path of event.clean) family.dirty.delete(unitOf(state.table, family, `file:${path}`).key);
  dropCall(state, run);
  run.callsDone = event.call + 1;
}

function dropCall(state: State, run: Run): void {
  if (run.call !== null) setCallClaim(state, run, null);
  run.call = null;
}

function removeRun(state: State, run: Run): void {
  state.runs.delete(run.id);
  if (!run.sub) state.runOfFamily.delete(run.family);
  if (run.parent !== null) state.subRuns.get(run.parent)?.delete(run.id);
  state.subRuns.delete(run.id);
  if (run.key !== null) state.runKeys.delete(`${run.project} ${run.key}`);
  state.dependants.delete(run.id);
  const task = state.tasks.get(run.task);
  if (task !== undefined) {
    task.runs.splice(task.runs.indexOf(run.id), 1);
    if (task.runs.length === 0) state.tasks.delete(task.id);
  }
}

function setClaim(state: State, run: Run, claim: string | null): void {
  if (run.claim !== null && run.claim !== run.call?.claim) state.runOfClaim.delete(run.claim);
  run.claim = claim;
  if (claim !== null) state.runOfClaim.set(claim, run.id);
}

function setCallClaim(state: State, run: Run, claim: string | null): void {
  if (run.call === null) return;
  if (run.call.claim !== null && run.call.claim !== run.claim) state.runOfClaim.delete(run.call.claim);
  run.call.claim = claim;
  if (claim !== null) state.runOfClaim.set(claim, run.id);
}
