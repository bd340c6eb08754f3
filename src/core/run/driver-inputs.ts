// What nodes and drivers report: a driver is there, says something, asks, finishes; a result was tried, brought home, or
// everything of a run is proven gone. Every report may come twice, late, or from a driver that was overtaken.

import { unreachable } from "../../base/assert.ts";
import { renewTenantWaits } from "../agent/tenancy.ts";
import { refuse, type Result } from "../../base/result.ts";
import { done, type Later } from "../later.ts";
import type { Input, Refusal } from "../inputs.ts";
import { decideInherit } from "../lease/lease-decide.ts";
import { familyOf } from "../lease/lease-state.ts";
import { rootOf, runOf } from "../state.ts";
import type { Step } from "../step.ts";
import { releaseTaken, runForCall, runsProcess } from "./call-decide.ts";
import { failRun } from "./failure.ts";
import { enterQueue, goOn, moveFamily, moveRun, openFamily } from "./run-flow.ts";
import { kinOf, treeOf } from "./run-tree.ts";
import { pausedPatienceMs } from "./run-pause.ts";
import { rewindReport, whileRewinding } from "./rewind-decide.ts";
import { actName, familyName, type Run } from "./run-state.ts";
import { isDriven, isOver } from "./run-states.ts";
import { renewAwaits } from "./run-wait.ts";
import { countSwept } from "./swept.ts";
import { afterLanding, afterValidation } from "../workspace/land-decide.ts";
import { isNews, nameable, setAside, sweepAfter } from "../workspace/set-aside.ts";
import { isDirty } from "../workspace/workspace-state.ts";

export type DriverInput = Extract<
  Input,
  {
    type:
      | "run.driven"
      | "run.back"
      | "run.say"
      | "run.ask"
      | "run.hear"
      | "run.finish"
      | "run.validated"
      | "landing.intend"
      | "landing.overtaken"
      | "run.landed"
      | "run.enter"
      | "run.place"
      | "run.stopped"
      | "works.find"
      | "run.rewound";
  }
>;

export function driverInput(step: Step, input: DriverInput): Result<Later, Refusal> {
  const { state } = step;
  if (!state.runs.has(input.run)) return refuse({ code: "not-found", kind: "run", id: input.run });
  const run = runOf(state, input.run);
  switch (input.type) {
    case "run.driven":
      if (run.state === "starting" && run.family === input.family && !run.lost) moveRun(step, run, "running", null);
      return done();
    case "run.back":
      return comeBack(step, run);
    case "run.say":
    case "run.ask":
      return speak(step, input);
    case "run.hear": {
      const { life, upTo, told, owes, items } = input;
      if (!isHeard(run, input)) step.emit({ type: "run.heard", v: 1, run: run.id, life, upTo, told, owes, items });
      return done();
    }
    case "run.finish":
      return finish(step, input);
    case "run.validated":
      if (run.state !== "validating" || isStale(run, input.act)) return done();
      if (input.tested !== undefined)
        step.emit({ type: "run.tested", v: 1, run: run.id, ok: input.ok, ...input.tested });
      if (input.ok) afterValidation(step, run);
      else moveRun(step, run, "running", input.message);
      return done();
    case "run.landed":
      if (run.state !== "landing" || isStale(run, input.act)) return done();
      afterLanding(step, run, input);
      return done();
    case "landing.intend": {
      if (run.state !== "landing" || isStale(run, input.act))
        return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "landing" });
      const { parent, candidate, entries, tested, merged, branch } = input;
      // A report that comes twice, or after a newer one, must not bring back a candidate that was given up (LD37).
      if (run.intended.includes(candidate)) return done();
      const intended = { run: run.id, parent, candidate, entries, tested, merged };
      step.emit({ type: "landing.intended", v: 1, ...intended, ...(branch === undefined ? {} : { branch }) });
      return done();
    }
    case "landing.overtaken": {
      const { candidate } = input;
      // A report that comes late says nothing of a newer candidate.
      if (run.state === "landing" && run.landing?.candidate === candidate)
        step.emit({ type: "landing.overtaken", v: 1, run: run.id, candidate });
      return done();
    }
    case "run.enter":
      enter(step, run, input);
      return done();
    case "run.place":
      place(step, run, input);
      return done();
    case "run.stopped":
      // What never started has nothing to stop, and its root may be forgotten already.
      if (!isOver(run.state) || run.startedAtMs === null || run.stopped || isStale(run, input.act)) return done();
      stop(step, run, input);
      return done();
    case "works.find":
    case "run.rewound":
      return rewindReport(step, run, input);
    default:
      return unreachable(input);
  }
}

/** A run begins in a living agent: what is changed there already is nobody's, and is set aside before (AG44). */
function enter(step: Step, run: Run, { works, commit }: Extract<Input, { type: "run.enter" }>): void {
  const { agent } = run;
  // A report that comes late, when the run works there already, is about its own changes.
  if (agent === null || run.entered || isOver(run.state) || step.state.agents.get(agent)?.run !== run.id) return;
  setAside(step, run, nameable(step, run, works).filter(isDirty), "it was changed in the agent between runs");
  if (commit !== null) step.emit({ type: "run.entered", v: 1, run: run.id, agent, commit });
}

/** A run that was continued has its workspace: what nobody had looked at there when it was done is set aside before (RN16). */
function place(step: Step, run: Run, { works, commit, fresh }: Extract<Input, { type: "run.place" }>): void {
  // A report that comes late, when the run works there already, is about its own changes.
  if (run.placed !== "not-yet" || isOver(run.state)) return;
  setAside(
    step,
    run,
    nameable(step, run, works).filter(isDirty),
    "it was there when its run was continued, and is nobody's change",
  );
  if (commit !== null) step.emit({ type: "run.placed", v: 1, run: run.id, commit, ...(fresh ? { fresh: true } : {}) });
}

/** Everything of a run is proven gone. What nobody had looked at by then is not lost (LD38). */
function stop(step: Step, run: Run, input: Extract<Input, { type: "run.stopped" }>): void {
  releaseTaken(step, run);
  const root = rootOf(step.state, run);
  const works = nameable(step, root, input.works);
  const isOthers = run.sub && !isOver(root.state);
  if (!isOthers) setAside(step, root, works.filter(isDirty), `its run is ${root.state}`);
  // A sub-run that was done had looked around itself; one that was cut off left its changes to its root.
  const left = isOthers && run.state !== "done" ? works : [];
  const before = new Map(root.workspace.dirty);
  const news = left.filter((work) => isNews(work, before));
  const changed = countSwept(root, news, input.swept);
  step.emit({ type: "run.stopped", v: 1, run: run.id, works: left, ...(changed.length === 0 ? {} : { changed }) });
  const swept = new Set(changed.map(({ path }) => path));
  sweepAfter(step, root, left, before, { inSubmodules: new Set(input.inSubmodules), swept, isLast: false });
}

/** The node of a run that lost its leases answers again: the run goes on as a new family (LS31). */
function comeBack(step: Step, run: Run): Result<Later, Refusal> {
  if (!run.lost || run.sub || isOver(run.state)) return done();
  const incarnation = run.incarnation + 1;
  const family = familyName(run.id, incarnation);
  const members = kinOf(step.state, run).filter((member) => !isOver(member.state));
  openFamily(step, run, incarnation);
  for (const member of members) step.emit({ type: "run.revived", v: 1, run: member.id, family, incarnation });
  const former = Array.from({ length: run.incarnation - 1 }, (_, at) => familyName(run.id, at + 1));
  const request = { claim: step.nextId("c"), family, priority: run.priority };
  step.emitAll(decideInherit(step.state.table, request, former, step.nowMs));
  // What it inherited yields like everything else that a paused run has (LS35).
  if (run.state === "paused") moveFamily(step, familyOf(step.state.table, family), "paused", pausedPatienceMs);
  renewAwaits(step);
  renewTenantWaits(step, run.agent);
  for (const member of members) {
    if (member.state === "parked") goOn(step, member, "its node is back");
    else if (member.state === "queued") enterQueue(step, member);
  }
  return done();
}

/** Over, and nothing of it can change the workspace any more. */
function isGone(run: Run): boolean {
  return isOver(run.state) && (run.stopped || run.state === "done" || run.startedAtMs === null);
}

/** A report of an act that was for an earlier passage through this state. */
function isStale(run: Run, act: string | undefined): boolean {
  return act !== undefined && act !== actName(run);
}

/** Whether everything in the report was recorded before. */
function isHeard({ heard, told }: Run, input: Extract<Input, { type: "run.hear" }>): boolean {
  if (heard === null || input.life > heard.life) return false;
  return input.life < heard.life || (input.upTo <= heard.upTo && input.told <= told);
}

type Speech = Extract<Input, { type: "run.say" | "run.ask" }>;

function speak(step: Step, input: Speech): Result<Later, Refusal> {
  const found = runForCall(step.state, input);
  if (!found.ok) return found;
  const run = found.value;
  if (input.call < run.callsDone) return done();
  if (input.call > run.callsDone || run.call !== null) {
    return refuse({ code: "out-of-order", run: run.id, call: input.call, next: run.callsDone });
  }
  if (run.state !== "running") return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "running" });
  if (input.type === "run.say") {
    step.emit({ type: "run.said", v: 1, run: run.id, text: input.text });
    return done();
  }
  step.emit({
    ...{ type: "run.asked", v: 1, run: run.id, question: step.nextId("q"), text: input.text },
    ...(input.leave === undefined ? {} : { leave: input.leave }),
  });
  moveRun(step, run, "awaiting-input", input.text);
  return done();
}

type Finish = Extract<Input, { type: "run.finish" }>;

function finish(step: Step, input: Finish): Result<Later, Refusal> {
  const found = runForCall(step.state, input);
  if (!found.ok) return found;
  const run = found.value;
  // It may come twice: a run that has finished stays finished, whatever its driver says afterwards.
  if (["validating", "review", "landing"].includes(run.state)) return done();
  if (!input.ok && isDriven(run.state)) {
    if (input.failure === undefined) moveRun(step, run, "failed", input.message);
    else failRun(step, run, input.failure, input.message);
    return done();
  }
  if (run.state !== "running") return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "running" });
  if (run.call !== null)
    return refuse({ code: "out-of-order", run: run.id, call: run.call.number, next: run.callsDone });
  if (run.messages.length > (input.unlessSaid ?? run.messages.length)) return refuse({ code: "unheard", run: run.id });
  // What is tested and landed must not change any more: sub-runs end first, with proof where they were cut off.
  const busy = whileRewinding(rootOf(step.state, run));
  if (busy !== undefined) return refuse(busy);
  const sub =
    treeOf(step.state, run).find((member) => member !== run && !isGone(member)) ?? runsProcess(step.state, run, null);
  if (sub !== undefined) return refuse({ code: "in-use", kind: "run", id: run.id, by: sub.id });
  // Nor may its bases: what is still being brought in step would change under the eyes of whoever judges it (LD19).
  const unready = [...familyOf(step.state.table, run.family).leases.values()].find((lease) => !lease.ready);
  if (unready !== undefined && !run.sub)
    return refuse({ code: "in-use", kind: "lease", id: run.id, by: unready.claim });
  moveRun(step, run, "validating", input.message === "" ? null : input.message);
  const acceptance = step.state.tasks.get(run.task)?.acceptance ?? null;
  if (acceptance === null || run.sub) afterValidation(step, run);
  return done();
}
