// Turns run events into the next state of runs and slots.

import { noteChange } from "../agent/note-change.ts";
import { assert, mustGet, unreachable } from "../../base/assert.ts";
import { noSpend } from "../budget/budget-state.ts";
import { returnSlot, takeSlot } from "../schedule/slots.ts";
import { rootOf, runOf, subjectOf, type State } from "../state.ts";
import { evolveCall, noteChanged, setCall, setClaim } from "./call-evolve.ts";
import { addOwnCost } from "./own-cost.ts";
import { noteRaised } from "./raise.ts";
import type { RunEvent, RunMoved, RunSubmitted } from "./run-events.ts";
import { familyName, inCallWaitMs, type Run } from "./run-state.ts";
import { isOver, mayMove, takesSlot } from "./run-states.ts";
import { watchNeeds } from "./escalation.ts";
import { watchDelay } from "./failure.ts";
import { noteActive, noteTurns, watchSilence } from "./stuck.ts";
import { carryWorks, dropApproval, noteWorks } from "../workspace/workspace-evolve.ts";
import { makeWorkspace } from "../workspace/workspace-state.ts";

export function evolveRuns(state: State, event: RunEvent, atMs: number, actor: string): void {
  switch (event.type) {
    case "run.submitted":
      return submitRun(state, event, atMs, actor);
    case "run.moved":
      return moveRun(state, event, atMs, actor);
    case "run.removed":
      return removeRun(state, runOf(state, event.run));
    default:
      return evolveRun(state, runOf(state, event.run), event, atMs);
  }
}

type OneRunEvent = Exclude<RunEvent, { type: "run.submitted" | "run.moved" | "run.removed" }>;

function evolveRun(state: State, run: Run, event: OneRunEvent, atMs: number): void {
  if (isSign(event)) noteActive(state, run, atMs);
  switch (event.type) {
    case "run.claimed":
      setClaim(state, run, event.claim);
      return;
    case "run.limited":
      run.limitPolicy = event.policy;
      run.limitLeftMs = event.limitAtMs - atMs;
      if (takesSlot(run.state)) startClock(state, run, atMs);
      return;
    case "run.lost":
      run.lost = true;
      setClaim(state, run, null);
      setCall(state, run, null);
      return;
    case "run.revived":
      run.lost = false;
      run.family = event.family;
      run.incarnation = event.incarnation;
      if (event.unplaced === true) run.placed = "not-yet";
      if (run.sub) return;
      state.runOfFamily.set(event.family, run.id);
      carryWorks(state, run);
      return;
    case "run.tested":
      run.tested = { ok: event.ok, exit: event.exit, seq: state.seq };
      return;
    case "run.entered":
      run.entered = true;
      run.workspace.commit = event.commit;
      return noteEntered(state, event.agent, `its workspace went to ${event.commit.slice(0, 12)} for ${run.id}`);
    case "run.placed":
      run.placed = event.fresh === true ? "fresh" : "again";
      run.workspace.commit = event.commit;
      return;
    case "run.stopped":
      run.stopped = true;
      noteChanged(rootOf(state, run), event.changed ?? []);
      leaveAgent(state, run);
      noteWorks(state, run, event.works);
      setCall(state, run, null);
      return;
    case "run.said":
      run.callsDone++;
      return;
    case "run.asked":
      run.callsDone++;
      run.question = {
        ...{ id: event.question, text: event.text },
        ...(event.leave === undefined ? {} : { leave: event.leave }),
      };
      return;
    case "run.answered":
      run.question = null;
      run.answers.push(event.text);
      return;
    case "run.messaged":
      run.messages.push(event.text);
      if (event.nudge !== true) beginTurns(run);
      return;
    case "run.heard": {
      const { life, upTo, told, owes, items } = event;
      // Its runner was woken after all.
      if (life !== run.heard?.life) run.regains = false;
      run.heard = { life, upTo, owes };
      run.told = told;
      run.session = items.findLast((item) => item.is === "session")?.session ?? run.session;
      run.ownCost = addOwnCost(run.ownCost, items);
      noteTurns(run, items);
      return;
    }
    case "run.stuck":
      run.stuck = { why: event.why, what: event.what, policy: event.policy, act: event.act ?? "tell", atMs };
      run.seen = false;
      return watchNeeds(state, run);
    case "run.escalated":
      run.escalated = { ...run.escalated, [event.kind]: event.sinceMs };
      return;
    case "run.seen":
      run.seen = event.undone === undefined;
      return run.seen ? undefined : watchNeeds(state, run);
    case "run.raised":
      return noteRaised(run, event);
    case "outputs.forgotten":
      run.outputsGone = { atMs, because: event.because, sinceSeq: run.sinceSeq };
      return;
    case "run.delayed": {
      const { failure, what, attempt, attemptsMax, policy, untilMs, life } = event;
      run.delay = { failure, what, attempt, attemptsMax, policy, untilMs };
      // It was for this that it was kept in mind: what fails the next time has other reasons.
      if (run.modelRefused?.raised === true) run.modelRefused = null;
      run.retries = attempt;
      // Those who have seen that it waits need not be told of each try.
      if (attempt === 1) run.seen = false;
      run.retriedAt = run.callsDone;
      run.failedLife = life;
      // It asks for room anew when its time has come.
      setClaim(state, run, null);
      return watchDelay(state, run);
    }
    case "run.handed":
      run.handed = { from: event.from, failure: event.failure, said: event.said, lives: run.heard?.life ?? 0 };
      changeRunner(state, run, event.to);
      run.session = null;
      run.retries = 0;
      run.failedLife = -1;
      // What the other one's calls came to says nothing of this one's.
      run.toolErrors = 0;
      if (run.stuck?.why === "tools") run.stuck = null;
      return;
    case "call.queued":
    case "call.started":
    case "call.refused":
    case "call.finished":
      return evolveCall(state, run, event, atMs);
    default:
      return unreachable(event);
  }
}

/** Whether the run has done something by it, or somebody with it: what is only said of a run is no sign of work. */
function isSign(event: OneRunEvent): boolean {
  if (event.type === "run.messaged") return event.nudge !== true;
  const still = ["run.stuck", "run.seen", "run.escalated", "outputs.forgotten"];
  return !still.includes(event.type);
}

function submitRun(state: State, event: RunSubmitted, atMs: number, by: string): void {
  const { run: id, task, project, title, runner, profile, node, priority } = event;
  const { tags, plan, dependsOn, script, sub, retryOf, key } = event;
  assert(!state.runs.has(id), `run ${id} is submitted once`);
  const parent = event.sub && event.parent !== null ? runOf(state, event.parent) : undefined;
  const run: Run = {
    id,
    task,
    project,
    title,
    by,
    user: state.runs.get(event.parent ?? "")?.user ?? by,
    within: event.within ?? null,
    runner,
    profile,
    settings: event.settings ?? null,
    permissions: event.permissions ?? null,
    node,
    priority,
    tags,
    plan,
    dependsOn,
    script,
    command: event.command ?? null,
    parent: event.parent,
    sub,
    retryOf,
    fork: toFork(event),
    tree: state.runs.get(event.parent ?? "")?.tree ?? id,
    key,
    submittedAtMs: atMs,
    caged: event.noCage !== true,
    egress: event.egress ?? null,
    image: event.image ?? null,
    agent: event.agent ?? null,
    reuse: event.reuse ?? null,
    entered: false,
    placed: null,
    outputsGone: null,
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
    callsDone: event.fork?.callsDone ?? 0,
    pausedFrom: null,
    question: null,
    answers: [],
    messages: [],
    heard: null,
    told: 0,
    session: null,
    sentBack: null,
    regains: false,
    tested: null,
    changed: new Map(),
    bytesWritten: 0,
    limitAtMs: null,
    limitLeftMs: null,
    limitPolicy: null,
    refused: null,
    spend: noSpend,
    turns: 0,
    asides: 0,
    ownCost: null,
    modelRefused: null,
    activeAtMs: atMs,
    repeats: null,
    turnErrors: 0,
    toolErrors: 0,
    retries: 0,
    retriedAt: 0,
    failedLife: -1,
    delay: null,
    handed: null,
    failure: null,
    stuck: null,
    seen: false,
    escalated: {},
    forced: false,
    stopped: false,
    lost: false,
    approvalPolicy: null,
    approvedBy: null,
    workspace: makeWorkspace(),
    rewinding: null,
    approved: null,
    landing: null,
    intended: [],
    landed: null,
    reached: new Map(),
  };
  state.runs.set(id, run);
  mustGet(state.tasks, event.task, "task").runs.push(id);
  if (parent === undefined) state.runOfFamily.set(run.family, id);
  else state.subRuns.set(parent.id, (state.subRuns.get(parent.id) ?? new Set()).add(id));
  if (event.key !== null) state.runKeys.set(`${event.project} ${event.key}`, id);
  // They have no lease yet: they are carried until its plan is granted (LD36).
  noteWorks(state, run, event.fork?.works ?? []);
  for (const other of event.dependsOn) {
    const waiting = state.dependants.get(other) ?? new Set();
    state.dependants.set(other, waiting.add(id));
  }
}

function toFork({ fork }: RunSubmitted): Run["fork"] {
  return fork === undefined ? null : { run: fork.run, step: fork.step, commit: fork.commit };
}

function moveRun(state: State, event: RunMoved, atMs: number, actor: string): void {
  const run = runOf(state, event.run);
  const { from, to } = event;
  assert(run.state === from, `run ${run.id} is ${run.state}, not ${from}`);
  assert(mayMove(from, to), `no run moves from ${from} to ${to}`);
  if (takesSlot(from) && !takesSlot(to)) stopWork(state, run, atMs);
  if (to === "paused") run.pausedFrom = from;
  if (from === "validating") run.sentBack = to === "running" ? event.because : null;
  if (from === "landing") run.sentBack = to === "parked" && event.regains !== true ? event.because : null;
  if (event.regains === true) run.regains = true;
  else if (from === "validating" || to === "review" || isOver(to)) run.regains = false;
  if (from === "review" && to === "landing") run.approvedBy = actor;
  else if (to === "review" || to === "landing") run.approvalPolicy = event.policy;
  // An approval is for one landing of what was shown: back at work, or back in review, it is void (LD22).
  if (["parked", "running", "review", "terminated"].includes(to)) dropApproval(run);
  if (to === "starting" || to === "running" || to === "paused") setClaim(state, run, null);
  if (from === "parked") run.delay = null;
  if (to === "starting") run.startedAtMs = atMs;
  if (from === "done") takeUp(run);
  // Whoever is sent back to work begins to count anew; not by its own acceptance command, which it could fail for ever.
  if (["review", "landing", "done"].includes(from) && !isOver(to)) beginTurns(run);
  if (from === "blocked" && to === "parked") needSlot(state, run);
  if (isOver(to)) endRun(state, run, to, atMs);
  if (to === "starting" || to === "running") enterAgent(state, run);
  run.state = to;
  run.because = event.because;
  run.forced = event.force === true;
  run.failure = event.failure ?? null;
  run.sinceMs = atMs;
  run.sinceSeq = state.seq;
  if (takesSlot(to) && !takesSlot(from)) startWork(state, run, atMs);
  if (to === "blocked") state.table.due.add(`park:${run.id}`, atMs + inCallWaitMs);
  noteActive(state, run, atMs);
  watchSilence(state, run);
  watchNeeds(state, run);
}

/** A sub-run may be at work meanwhile, on the slot of its root: that is the new one's from then on. */
function changeRunner(state: State, run: Run, to: string): void {
  const hasSlot = state.working.has(run.id);
  if (hasSlot) returnSlot(state.slots, subjectOf(run));
  run.runner = to;
  if (!hasSlot) return;
  takeSlot(state.slots, subjectOf(run));
  state.table.recheck.slots = true;
}

/** A run that begins in a living agent has it for itself until nothing of the run is left (AG41). */
function enterAgent(state: State, run: Run): void {
  const agent = state.agents.get(run.agent ?? "");
  if (agent === undefined) return;
  assert(agent.run === null || agent.run === run.id, () => `${run.id} begins in ${agent.id}, where ${agent.run} is`);
  agent.run = run.id;
}

/** Services may fail because of what is in the workspace now. */
function noteEntered(state: State, id: string, what: string): void {
  const agent = state.agents.get(id);
  if (agent !== undefined) noteChange(agent, { kind: "commit", what, atMs: state.atMs });
}

function leaveAgent(state: State, run: Run): void {
  const agent = state.agents.get(run.agent ?? "");
  run.entered = false;
  if (agent?.run !== run.id) return;
  agent.run = null;
  state.table.recheck.slots = true;
}

/** The first run of a family at work takes its slot; the others work on it too. */
function startWork(state: State, run: Run, atMs: number): void {
  const root = rootOf(state, run);
  const count = state.working.get(root.id) ?? 0;
  state.working.set(root.id, count + 1);
  startClock(state, run, atMs);
  if (count > 0) return;
  takeSlot(state.slots, subjectOf(root));
  // What else of the family waits for a slot has one now.
  for (const claim of state.table.families.get(run.family)?.queued ?? []) state.table.recheck.claims.add(claim);
}

function stopWork(state: State, run: Run, atMs: number): void {
  const root = rootOf(state, run);
  const count = mustGet(state.working, root.id, "work of");
  if (run.limitAtMs !== null) run.limitLeftMs = Math.max(0, run.limitAtMs - atMs);
  run.limitAtMs = null;
  if (count > 1) {
    state.working.set(root.id, count - 1);
    return;
  }
  state.working.delete(root.id);
  returnSlot(state.slots, subjectOf(root));
  state.table.recheck.slots = true;
}

/** A time limit runs only while the run is at work. */
function startClock(state: State, run: Run, atMs: number): void {
  if (run.limitLeftMs === null) return;
  run.limitAtMs = atMs + run.limitLeftMs;
  run.limitLeftMs = null;
  state.table.due.add(`run:${run.id}`, run.limitAtMs);
}

function endRun(state: State, run: Run, to: RunMoved["to"], atMs: number): void {
  run.endedAtMs = atMs;
  run.rewinding = null;
  run.workspace.reads.clear();
  run.question = null;
  run.stuck = null;
  run.seen = false;
  run.repeats = null;
  run.turnErrors = 0;
  run.toolErrors = 0;
  run.delay = null;
  run.limitAtMs = null;
  run.limitLeftMs = null;
  setClaim(state, run, null);
  // A process that was started is still there until its node has proven it dead, and its unit with it (LS43).
  const mayStillRun = to !== "done" && run.call?.started === true && run.call.tool === "process";
  if (!mayStillRun) setCall(state, run, null);
}

/** Continued with a message: what was proven of its first end says nothing about its second. */
function takeUp(run: Run): void {
  run.stopped = false;
  run.entered = false;
  run.endedAtMs = null;
  run.approvalPolicy = null;
  run.approvedBy = null;
}

/** The claim that the parked run waits for now has to bring a slot along (LS39). */
function needSlot(state: State, run: Run): void {
  const project = state.table.projects.get(run.project);
  const claim = project?.byId.get(run.call?.claim ?? "");
  if (claim === undefined) return;
  claim.slot = run.id;
  project?.slotClaims.set(claim.id, claim);
}

function removeRun(state: State, run: Run): void {
  setCall(state, run, null);
  state.runs.delete(run.id);
  if (!run.sub) forgetFamilies(state, run);
  if (run.parent !== null) state.subRuns.get(run.parent)?.delete(run.id);
  state.subRuns.delete(run.id);
  if (run.key !== null) state.runKeys.delete(`${run.project} ${run.key}`);
  state.dependants.delete(run.id);
  forgetTree(state, run);
  // Its failure is somebody's concern again: nobody tries again any more.
  const first = state.runs.get(run.retryOf ?? "");
  if (first !== undefined) watchNeeds(state, first);
  const task = state.tasks.get(run.task);
  if (task !== undefined) {
    task.runs.splice(task.runs.indexOf(run.id), 1);
    if (task.runs.length === 0 && !task.kept) state.tasks.delete(task.id);
  }
}

/** What a tree has spent is asked for as long as one of its runs is known. */
function forgetTree(state: State, { tree }: Run): void {
  if (!state.spending.trees.has(tree)) return;
  for (const other of state.runs.values()) if (other.tree === tree) return;
  state.spending.trees.delete(tree);
}

function forgetFamilies(state: State, run: Run): void {
  for (let incarnation = 1; incarnation <= run.incarnation; incarnation++) {
    const id = familyName(run.id, incarnation);
    assert((state.table.families.get(id)?.leases.size ?? 0) === 0, `family ${id} is forgotten once it holds nothing`);
    state.table.families.delete(id);
    state.runOfFamily.delete(id);
  }
}

/** It was given something to do: what its assistant asks its model counts anew (PF14). */
function beginTurns(run: Run): void {
  run.turns = 0;
  run.asides = 0;
}
