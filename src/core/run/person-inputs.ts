// What people do with runs: pause, resume, end, answer, judge, continue, try again.

import { mustGet, unreachable } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { checkAgent } from "../agent/tenancy.ts";
import { loseRequests } from "../budget/budget-decide.ts";
import { done, type Later } from "../later.ts";
import type { ForkRun, Input, Refusal, RunSelector } from "../inputs.ts";
import { familyOf } from "../lease/lease-state.ts";
import type { State } from "../state.ts";
import { compareIds, type Step } from "../step.ts";
import { goOn, isBecomingMainline, limitTime, moveFamily, moveRun, openFamily } from "./run-flow.ts";
import { treeOf } from "./run-tree.ts";
import { pauseRun, resumeRun } from "./run-pause.ts";
import { raiseRun } from "./raise.ts";
import { familyName, type Run } from "./run-state.ts";
import { isDriven, isOver, type RunState } from "./run-states.ts";
import { beginRewind, whileRewinding } from "./rewind-decide.ts";
import { answerRun } from "./run-answer.ts";
import { addRun, allowRunner, checkEgress, checkPlan, findNoParent } from "./run-submit.ts";
import { renewAwaits } from "./run-wait.ts";
import { beginLanding, checkApproval, regain } from "../workspace/land-decide.ts";
import { hasAsides } from "../workspace/set-aside.ts";
import type { Chosen } from "../workspace/workspace-state.ts";

export type PersonInput = Extract<
  Input,
  {
    type:
      | "run.pause"
      | "run.resume"
      | "run.terminate"
      | "run.continue"
      | "run.retry"
      | "run.answer"
      | "run.steer"
      | "run.approve"
      | "run.reject"
      | "run.return"
      | "run.see"
      | "run.raise"
      | "run.remove"
      | "run.rewind"
      | "run.fork";
  }
>;

export function personInput(step: Step, input: PersonInput): Result<Later, Refusal> {
  if (input.type === "run.terminate") return terminate(step, input);
  const run = step.state.runs.get(input.run);
  if (run === undefined) return refuse({ code: "not-found", kind: "run", id: input.run });
  const busy = isJudging(input.type) ? whileRewinding(run) : undefined;
  if (busy !== undefined) return refuse(busy);
  switch (input.type) {
    case "run.pause":
      return pauseRun(step, run);
    case "run.resume":
      return resumeRun(step, run);
    case "run.answer":
      return answerRun(step, run, input);
    case "run.steer":
      if (!isDriven(run.state)) return wrongState(run, "at work");
      step.emit({
        ...{ type: "run.messaged", v: 1, run: run.id, text: input.message },
        ...(input.interrupt ? { interrupts: true } : {}),
      });
      return done();
    case "run.approve":
      return approve(step, run, input.approved);
    case "run.reject":
      if (run.state !== "review") return wrongState(run, "in review");
      moveRun(step, run, "rejected", input.message);
      return done();
    case "run.return":
      if (run.state !== "review") return wrongState(run, "in review");
      step.emit({ type: "run.messaged", v: 1, run: run.id, text: input.message });
      moveFamily(step, familyOf(step.state.table, run.family), "live", null);
      goOn(step, run, "returned from review");
      return done();
    case "run.continue":
      return continueRun(step, run, input.message);
    case "run.retry":
      return retry(step, run);
    case "run.see":
      return see(step, run, input.undo);
    case "run.raise":
      return raiseRun(step, run, input);
    case "run.remove":
      return remove(step, run);
    case "run.rewind":
      return beginRewind(step, run, input);
    case "run.fork":
      return fork(step, run, input);
    default:
      return unreachable(input);
  }
}

/** What nobody may say of a workspace that is just going back to an earlier step. */
function isJudging(type: PersonInput["type"]): boolean {
  return type === "run.approve" || type === "run.return" || type === "run.reject";
}

/** What somebody may have seen without having to act on it (RN30). */
function see(step: Step, run: Run, undo: boolean): Result<Later, Refusal> {
  const hasAside = run.state === "done" && hasAsides(step.state, run);
  if (run.state !== "failed" && run.stuck === null && run.delay === null && !hasAside)
    return wrongState(run, "failed, stuck, waiting for its model, or done with something set aside");
  if (run.seen === undo) step.emit({ type: "run.seen", v: 1, run: run.id, ...(undo ? { undone: true } : {}) });
  return done();
}

function approve(step: Step, run: Run, asked: readonly Chosen[] | null): Result<Later, Refusal> {
  if (run.state !== "review") return wrongState(run, "in review");
  const approved = checkApproval(step, run, asked);
  if (!approved.ok) return approved;
  if (approved.value.length > 0 || run.workspace.dirty.size === 0) {
    beginLanding(step, run, approved.value, `approved by ${step.actor}`);
    return done();
  }
  // Everything it has was yielded meanwhile: it claims that again, and is shown again (LD33).
  moveFamily(step, familyOf(step.state.table, run.family), "live", null);
  regain(step, run);
  return done();
}

/** A run that is done takes up again with a message, in a new family: its leases went when it landed. */
function continueRun(step: Step, run: Run, message: string): Result<Later, Refusal> {
  if (run.state !== "done" || run.sub) return wrongState(run, "done");
  const allowed = mayWorkAgain(step.state, run);
  if (!allowed.ok) return allowed;
  const incarnation = run.incarnation + 1;
  step.emit({ type: "run.messaged", v: 1, run: run.id, text: message });
  openFamily(step, run, incarnation);
  const family = familyName(run.id, incarnation);
  // In a living agent it enters that one's anew (AG51).
  const unplaced = run.agent === null ? { unplaced: true as const } : {};
  step.emit({ type: "run.revived", v: 1, run: run.id, family, incarnation, ...unplaced });
  moveRun(step, run, "parked", "continued");
  limitTime(step, run);
  renewAwaits(step);
  goOn(step, run, "continued");
  return done();
}

/** A new run of the same task. */
function retry(step: Step, run: Run): Result<Later, Refusal> {
  if (!isOver(run.state) || run.state === "done") return wrongState(run, "failed, rejected or terminated");
  // Where policies had put it, they put it anew.
  const again = run.reuse === null ? run : { ...run, agent: null };
  const allowed = mayWorkAgain(step.state, again);
  if (!allowed.ok) return allowed;
  return ok(
    addRun(step, {
      ...again,
      noCage: run.caged ? undefined : true,
      key: null,
      retryOf: run.id,
      fork: undefined,
      policy: allowed.value,
      dependsOn: [],
    }),
  );
}

/** A new run of the same task, whose workspace begins as a step left it. What is changed there is its plan (LD36). */
function fork(step: Step, run: Run, input: ForkRun): Result<Later, Refusal> {
  if (run.sub) return wrongState(run, "no sub-run: fork the run that it belongs to");
  const runner = input.runner ?? run.runner;
  const allowed = mayWorkAgain(step.state, { ...run, runner, agent: null });
  if (!allowed.ok) return allowed;
  const { step: at, commit } = input;
  // Before it was made, nothing was changed in it.
  const works = commit === null ? [] : input.works;
  const plan = [...new Set([...run.plan, ...works.map(({ path }) => `file:${path}`)])];
  const project = mustGet(step.state.projects, run.project, "project");
  const scopes = [step.state.tasks.get(run.task)?.scope ?? null, run.within];
  const unfit = checkPlan(step.state, project, { ...run, runner, plan }, scopes);
  if (unfit !== undefined) return refuse(unfit);
  // A script goes on after the step; an assistant begins anew, with the files before its eyes.
  const callsDone = run.script !== null && runner === run.runner ? at + 1 : 0;
  const later = addRun(step, {
    ...run,
    runner,
    plan,
    noCage: run.caged ? undefined : true,
    key: null,
    retryOf: null,
    policy: allowed.value,
    dependsOn: [],
    // It begins with files of its own, which a living agent could not have.
    agent: null,
    fork: { run: run.id, step: at, commit, works, callsDone },
  });
  const { message } = input;
  const told = later();
  if (message !== null && told.of === "id") step.emit({ type: "run.messaged", v: 1, run: told.id, text: message });
  return ok(later);
}

/** Whether the run's project, task, parent and policies still want it; says which policy allows its runner. */
function mayWorkAgain(state: State, run: Run): Result<string, Refusal> {
  const project = state.projects.get(run.project);
  if (project === undefined || project.removed) return refuse({ code: "not-found", kind: "project", id: run.project });
  if (state.tasks.get(run.task)?.cancelled === true) return refuse({ code: "cancelled", run: run.id });
  const missing = run.sub ? findNoParent(state, run) : undefined;
  const { agent } = run;
  const inTheWay =
    missing ?? checkEgress(state, run) ?? (agent === null ? undefined : checkAgent(state, { ...run, agent }));
  return inTheWay === undefined ? allowRunner(state, run) : refuse(inTheWay);
}

function remove(step: Step, run: Run): Result<Later, Refusal> {
  if (!isOver(run.state)) return wrongState(run, "over");
  // Its sub-runs act in the same workspace, which goes with it.
  if (treeOf(step.state, run).some((member) => member.startedAtMs !== null && !member.stopped))
    return refuse({ code: "in-use", kind: "run", id: run.id, by: run.node });
  for (const id of [...(step.state.dependants.get(run.id) ?? [])].toSorted(compareIds)) {
    const dependant = step.state.runs.get(id);
    if (dependant !== undefined && !isOver(dependant.state))
      return refuse({ code: "in-use", kind: "run", id: run.id, by: id });
  }
  loseRequests(step, (request) => request.run === run.id);
  step.emit({ type: "run.removed", v: 1, run: run.id, recordings: "kept" });
  return done();
}

function terminate(step: Step, input: Extract<Input, { type: "run.terminate" }>): Result<Later, Refusal> {
  const { select, because, force } = input;
  const runs = selectRuns(step.state, select);
  if (select.by === "run") {
    const run = step.state.runs.get(select.run);
    if (run === undefined) return refuse({ code: "not-found", kind: "run", id: select.run });
    if (isOver(run.state)) return wrongState(run, "not over");
    if (isBecomingMainline(run)) return wrongState(run, "not about to become mainline");
  }
  for (const run of runs) {
    if (!isOver(run.state)) moveRun(step, run, "terminated", because, null, force === true ? { force } : {});
  }
  const ids = runs.map((run) => run.id);
  return ok(() => ({ of: "ids", ids }));
}

/** Runs that can be ended, in the order of their submission. */
function selectRuns(state: State, select: RunSelector): Run[] {
  const runs = [...state.runs.values()].filter((run) => {
    if (isOver(run.state) || isBecomingMainline(run)) return false;
    if (select.by === "run") return run.id === select.run;
    if (select.project !== null && run.project !== select.project) return false;
    return select.by === "all" || run.tags.includes(select.tag);
  });
  return runs.toSorted((a, b) => compareIds(a.id, b.id));
}

function wrongState(run: Run, wanted: string): Result<never, Refusal> {
  return refuse({ code: "wrong-state", run: run.id, state: run.state satisfies RunState, wanted });
}
