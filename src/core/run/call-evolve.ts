// Turns call events into the next state of a run's call at the door. It owns the two ways to find a waiting call again:
// by the claim it waits for, and by the run it waits for.

import { unreachable } from "../../base/assert.ts";
import { rootOf, type State } from "../state.ts";
import { noteMoves, noteReads, noteShown, noteWorks } from "../workspace/workspace-evolve.ts";
import type { CallFinished, RunEvent } from "./run-events.ts";
import type { Call, Run } from "./run-state.ts";
import { noteCall, noteOutcome } from "./stuck.ts";

type CallEvent = Extract<RunEvent, { type: "call.queued" | "call.started" | "call.refused" | "call.finished" }>;

export function evolveCall(state: State, run: Run, event: CallEvent, atMs: number): void {
  switch (event.type) {
    case "call.queued": {
      const { call: number, tool, units, bytes, claim, other } = event;
      // The same call may be queued again, for another claim.
      if (run.call?.number !== number) noteCall(run, event.print);
      const waits = { started: false, startedAtMs: null, fences: [], taken: null };
      return setCall(state, run, { number, tool, units, bytes, claim, other, ...waits });
    }
    case "call.started": {
      const { call: number, tool, units, bytes, fences, taken } = event;
      const other = run.call?.other ?? null;
      const goes = { claim: null, other, started: true, startedAtMs: atMs, fences, taken };
      return setCall(state, run, { number, tool, units, bytes, ...goes });
    }
    case "call.refused": {
      const { call, code, what, policy } = event;
      if (run.call?.number !== call) noteCall(run, event.print);
      noteOutcome(run, false);
      setCall(state, run, null);
      run.callsDone = call + 1;
      run.refused = { call, code, what, policy };
      return;
    }
    case "call.finished":
      return finishCall(state, run, event);
    default:
      return unreachable(event);
  }
}

/** Puts a call in the place of the one before. */
export function setCall(state: State, run: Run, call: Call | null): void {
  const before = run.call;
  if (before !== null && before.claim !== null && before.claim !== run.claim) state.runOfClaim.delete(before.claim);
  if (before !== null && before.other !== null && !before.started) leave(state.awaiters, before.other, run.id);
  run.call = call;
  if (call === null) return;
  if (call.claim !== null) state.runOfClaim.set(call.claim, run.id);
  if (call.other === null || call.started) return;
  state.awaiters.set(call.other, (state.awaiters.get(call.other) ?? new Set()).add(run.id));
}

/** Sets the claim that lets a run start or go on. Its call may wait for the same one. */
export function setClaim(state: State, run: Run, claim: string | null): void {
  if (run.claim !== null && run.claim !== run.call?.claim) state.runOfClaim.delete(run.claim);
  run.claim = claim;
  if (claim !== null) state.runOfClaim.set(claim, run.id);
}

function finishCall(state: State, run: Run, event: CallFinished): void {
  noteChanged(run, event.changed);
  noteMoves(state, run, event.moves ?? []);
  noteWorks(state, run, event.works);
  noteReads(state, run, event.reads ?? []);
  noteShown(state, run, event.shown ?? []);
  if (event.oversized !== undefined) rootOf(state, run).workspace.oversized = event.oversized;
  noteOutcome(run, event.ok);
  setCall(state, run, null);
  run.callsDone = event.call + 1;
}

/** What counts as changed by a run (SC10). */
export function noteChanged(run: Run, changed: CallFinished["changed"]): void {
  for (const { path, bytes } of changed) {
    run.changed.set(path, (run.changed.get(path) ?? 0) + bytes);
    run.bytesWritten += bytes;
  }
}

function leave(sets: Map<string, Set<string>>, name: string, member: string): void {
  const set = sets.get(name);
  set?.delete(member);
  if (set?.size === 0) sets.delete(name);
}
