// Pausing and resuming. Both take the sub-runs along: a sub-run acts under its root's leases, and these become a hold.

import { refuse, type Result } from "../../base/result.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { endClaims } from "../lease/lease-decide.ts";
import { familyOf } from "../lease/lease-state.ts";
import type { Step } from "../step.ts";
import { endWaits, enterQueue, goOn, moveFamily, moveRun } from "./run-flow.ts";
import { treeOf } from "./run-tree.ts";
import type { Run } from "./run-state.ts";
import { isOver, mayMove, type RunState } from "./run-states.ts";

/** How long the leases of a paused run resist others. */
export const pausedPatienceMs = 30 * 60_000;

/** States in which a run goes on without anybody. */
const goingOn: readonly RunState[] = ["queued", "starting", "running", "blocked", "parked"];

/** Ends the waiting claims of a run and turns its leases into a hold (LS20, LS35). */
export function pauseRun(step: Step, run: Run, because = `paused by ${step.actor}`): Result<Later, Refusal> {
  if (run.state === "paused") return done();
  if (!mayMove(run.state, "paused"))
    return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "queued or at work" });
  const tree = treeOf(step.state, run).filter((member) => mayMove(member.state, "paused"));
  if (run.sub) for (const member of tree) endWaits(step, member, "paused");
  else {
    const family = familyOf(step.state.table, run.family);
    step.emitAll(endClaims(family, "paused"));
    moveFamily(step, family, "paused", pausedPatienceMs);
  }
  for (const member of tree) {
    moveRun(step, member, "paused", member === run ? because : `its run ${run.id} is paused`);
  }
  return done();
}

export function resumeRun(step: Step, run: Run): Result<Later, Refusal> {
  const { state } = step;
  // It goes on already: saying it again is as good as saying it once, as with pausing.
  if (goingOn.includes(run.state)) return done();
  if (run.state !== "paused") return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "paused" });
  const above = run.sub ? state.runs.get(run.parent ?? "") : undefined;
  if (above?.state === "paused")
    return refuse({ code: "wrong-state", run: above.id, state: above.state, wanted: "resumed first" });
  if (!run.sub) moveFamily(step, familyOf(state.table, run.family), "live", null);
  for (const member of treeOf(state, run)) if (member.state === "paused") resumeOne(step, member);
  return done();
}

function resumeOne(step: Step, run: Run): void {
  if (run.pausedFrom === "queued") {
    // It claims anew, as a new arrival (LS20).
    moveRun(step, run, "queued", "resumed");
    enterQueue(step, run);
  } else if (run.question !== null) {
    moveRun(step, run, "awaiting-input", run.question.text);
  } else if (run.lost) {
    moveRun(step, run, "parked", "its node was silent and its leases expired");
  } else if (!isOver(run.state)) {
    goOn(step, run, "resumed");
  }
}
