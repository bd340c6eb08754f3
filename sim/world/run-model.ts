// Runs as the log tells them, worked out a second time.

import type { Logged } from "../../src/core/events.ts";
import type { LogModel } from "./log-model.ts";

export type ModelCall = {
  readonly number: number;
  readonly tool: string;
  readonly units: readonly string[];
  claim: string | null;
  readonly other: string | null;
  readonly started: boolean;
};

export type ModelRun = {
  readonly id: string;
  readonly task: string;
  readonly project: string;
  readonly node: string;
  readonly runner: string;
  readonly profile: string | null;
  readonly priority: number;
  readonly sub: boolean;
  readonly parent: string | null;
  readonly plan: readonly string[];
  readonly dependsOn: readonly string[];
  readonly script: string;
  state: string;
  sinceSeq: number;
  sinceMs: number;
  family: string;
  incarnation: number;
  lost: boolean;
  stopped: boolean;
  started: boolean;
  /** When its time is up while it is at work, and what is left of it while it is not. */
  limitAtMs: number | null;
  limitLeftMs: number | null;
  call: ModelCall | null;
  callsDone: number;
  messages: number;
  question: boolean;
  removed: boolean;
};

const atWork = ["starting", "running", "blocked", "validating"];
const ends = ["done", "failed", "rejected", "terminated"];

export function isAtWork(run: ModelRun): boolean {
  return atWork.includes(run.state);
}

export function hasEnded(run: ModelRun): boolean {
  return ends.includes(run.state);
}

/** The run whose family this one acts in: itself, or the run that it stems from. */
export function rootOf(model: LogModel, run: ModelRun): ModelRun {
  let root = run;
  while (root.sub) {
    const parent = model.runs.get(root.parent ?? "");
    if (parent === undefined) return root;
    root = parent;
  }
  return root;
}

export function evolveModelRun(model: LogModel, event: Logged): void {
  if (event.type === "task.added") model.acceptances.set(event.task, event.acceptance);
  if (event.type === "run.submitted") return submit(model, event);
  if (!("run" in event) || typeof event.run !== "string") return;
  const run = model.runs.get(event.run);
  if (run === undefined) throw new Error(`the log speaks of run ${event.run} before it was submitted`);
  switch (event.type) {
    case "run.moved":
      return move(model, run, event);
    case "run.limited":
      run.limitAtMs = isAtWork(run) ? event.limitAtMs : null;
      run.limitLeftMs = isAtWork(run) ? null : event.limitAtMs - event.atMs;
      return;
    case "run.lost":
      run.lost = true;
      run.call = null;
      return;
    case "run.revived":
      run.lost = false;
      run.family = event.family;
      run.incarnation = event.incarnation;
      return;
    case "run.stopped":
      run.stopped = true;
      return;
    case "run.tested":
      return;
    case "run.asked":
      run.question = true;
      run.callsDone++;
      return;
    case "run.said":
      run.callsDone++;
      return;
    case "run.answered":
      run.question = false;
      return;
    case "run.messaged":
      run.messages++;
      return;
    case "run.removed":
      run.removed = true;
      return;
    case "call.queued":
    case "call.started": {
      const claim = event.type === "call.queued" ? event.claim : null;
      const other = event.type === "call.queued" ? event.other : (run.call?.other ?? null);
      const started = event.type === "call.started";
      run.call = { number: event.call, tool: event.tool, units: event.units, claim, other, started };
      return;
    }
    case "call.refused":
    case "call.finished":
      run.call = null;
      run.callsDone = event.call + 1;
      return;
    default:
      return;
  }
}

function submit(model: LogModel, event: Logged & { type: "run.submitted" }): void {
  const { run: id, task, project, node, runner, profile, priority, sub, parent, plan, dependsOn } = event;
  const family = sub ? (model.runs.get(parent ?? "")?.family ?? "") : `${id}.1`;
  model.runs.set(id, {
    id,
    task,
    project,
    node,
    runner,
    profile,
    priority,
    sub,
    parent,
    plan,
    dependsOn,
    script: event.script ?? "[]",
    family,
    state: "queued",
    sinceSeq: event.seq,
    sinceMs: event.atMs,
    incarnation: 1,
    lost: false,
    stopped: false,
    started: false,
    limitAtMs: null,
    limitLeftMs: null,
    call: null,
    callsDone: 0,
    messages: 0,
    question: false,
    removed: false,
  });
}

function move(model: LogModel, run: ModelRun, event: Logged & { type: "run.moved" }): void {
  // The claim of a call that parks comes to need a slot while it waits.
  if (event.from === "blocked" && event.to === "parked" && run.call !== null) {
    const { claim } = run.call;
    for (const queued of model.queuedOf(run.family)) if (queued.id === claim) queued.slot = run.id;
  }
  if (event.from === "done") run.stopped = false;
  const worked = isAtWork(run);
  run.state = event.to;
  if (worked && !isAtWork(run) && run.limitAtMs !== null) {
    run.limitLeftMs = Math.max(0, run.limitAtMs - event.atMs);
    run.limitAtMs = null;
  } else if (!worked && isAtWork(run) && run.limitLeftMs !== null) {
    run.limitAtMs = event.atMs + run.limitLeftMs;
    run.limitLeftMs = null;
  }
  run.sinceSeq = event.seq;
  run.sinceMs = event.atMs;
  if (event.to === "starting") run.started = true;
  if (hasEnded(run)) {
    run.question = false;
    run.limitAtMs = null;
    run.limitLeftMs = null;
    if (event.to !== "done") run.call = null;
  }
}
