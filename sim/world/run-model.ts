// Runs as the log tells them, worked out a second time.

import type { Logged } from "../../src/core/events.ts";
import type { Entry } from "../../src/core/landing/entry.ts";
import type { Approved, LandingIntent, Work } from "../../src/core/workspace/workspace-state.ts";
import type { LogModel } from "./log-model.ts";
import type { Placing } from "./sim-workspace.ts";

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
  /** Who works for it now, and who may one after the other. */
  runner: string;
  readonly team: readonly string[];
  readonly profile: string | null;
  /** What its profile bounds, with what people have raised since. */
  readonly limits: Map<string, number>;
  readonly priority: number;
  readonly sub: boolean;
  readonly parent: string | null;
  /** The living agent that it works in, and whether the workspace there is its own by now. */
  readonly agent: string | null;
  entered: boolean;
  /** It was continued, and has no workspace yet that is its own. */
  unplaced: boolean;
  readonly plan: readonly string[];
  readonly dependsOn: readonly string[];
  readonly script: string;
  /** Whether it does what was written down before, so that nobody is there who would do something again (LD60). */
  written: boolean;
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
  /** How often it was to be tried again, and how often another one took over. */
  delays: number;
  handed: number;
  question: boolean;
  removed: boolean;
  /** What it and its sub-runs have changed; a sub-run's own stays empty. */
  readonly dirty: Map<string, Work>;
  /** Paths where mainline has something else in the same place, with what that is. */
  readonly conflicts: Map<string, Entry>;
  /** What it landed last, and the branch that this is on where it is not mainline. */
  landed: string | null;
  landedOn: string | null;
  approved: readonly Approved[] | null;
  intent: LandingIntent | null;
  /** What the log asks of its workspace. */
  readonly placings: Placing[];
  /** How its workspace stood after each of its calls: what was changed, and the commit beneath. */
  readonly steps: ModelStep[];
  /** Where its clean paths stand, as last reported. */
  commit: string | null;
  /** What its workspace began with, where it is a fork. */
  readonly fork: { readonly commit: string; readonly works: readonly Work[] } | null;
  /** The event that began the rewind under way. */
  rewinding: number | null;
};

export type ModelStep = {
  readonly step: number;
  readonly atMs: number;
  readonly commit: string | null;
  readonly works: Map<string, Work>;
};

const limitNames: ReadonlySet<string> = new Set(["maxTurns", "maxCostMicros"]);
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

/** Where a run works: a living agent, or a place of its root's own. */
export function placeOf(model: LogModel, run: ModelRun): string {
  const root = rootOf(model, run);
  return root.agent ?? root.id;
}

/** What paths of a workspace are now. A path with another base than before has no open conflict any more. */
function note(run: ModelRun, works: readonly Work[]): void {
  for (const work of works) {
    const before = run.dirty.get(work.path);
    run.dirty.delete(work.path);
    if (work.base !== work.work) run.dirty.set(work.path, work);
    if (work.base === work.work || before?.base !== work.base) run.conflicts.delete(work.path);
  }
}

export function evolveModelRun(model: LogModel, event: Logged): void {
  if (event.type === "lease.ready") {
    const root = model.runs.get(model.families.get(event.family)?.holder ?? "");
    if (root !== undefined) note(root, event.works);
    if (root !== undefined && event.commit !== null) root.commit = event.commit;
  }
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
      if (event.unplaced === true) run.unplaced = true;
      return;
    case "run.entered":
      run.entered = true;
      run.commit = event.commit;
      return;
    case "run.placed":
      run.unplaced = false;
      run.commit = event.commit;
      return;
    case "run.stopped":
      run.stopped = true;
      leave(model, run);
      note(rootOf(model, run), event.works);
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
    case "run.delayed":
      run.delays++;
      return;
    case "run.handed":
      run.runner = event.to;
      run.written &&= event.to === "script";
      run.handed++;
      return;
    case "run.raised":
      run.limits.set(event.limit, event.value);
      return;
    case "run.heard":
    case "run.stuck":
    case "run.escalated":
    case "run.seen":
    case "outputs.forgotten":
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
      if (event.type === "call.finished") note(rootOf(model, run), event.works);
      if (!run.sub)
        run.steps.push({ step: event.call, atMs: event.atMs, commit: run.commit, works: new Map(run.dirty) });
      return;
    case "rewind.begun":
      run.rewinding = event.seq;
      return;
    case "works.found":
      note(run, event.works);
      return;
    case "run.rewound":
      run.rewinding = null;
      event.givenUp.forEach((work, at) => model.trash.set(event.ids[at] ?? "", work));
      note(run, event.works);
      return;
    case "paths.set-aside":
      event.works.forEach((work, at) => model.trash.set(event.ids[at] ?? "", work));
      run.placings.push({ seq: event.seq, kind: "aside", works: event.works });
      for (const { path } of event.works) {
        run.dirty.delete(path);
        run.conflicts.delete(path);
        const last = run.steps.at(-1);
        if (last?.atMs === event.atMs) last.works.delete(path);
      }
      return;
    case "run.approved":
      run.approved = event.approved;
      run.intent = null;
      return;
    case "landing.intended":
      run.intent = event;
      return;
    case "landing.overtaken":
      run.intent = null;
      return;
    case "run.landed": {
      const approved = new Map((run.approved ?? []).map(({ path, entry }) => [path, entry]));
      run.placings.push({ seq: event.seq, kind: "landed", entries: event.entries, approved });
      for (const { path } of event.entries) {
        const work = run.dirty.get(path);
        const entry = approved.get(path) ?? null;
        if (work === undefined) continue;
        if (work.work === entry) run.dirty.delete(path);
        else run.dirty.set(path, { path, base: entry, work: work.work });
        run.conflicts.delete(path);
      }
      run.landed = event.commit;
      run.landedOn = event.branch ?? null;
      run.approved = null;
      run.intent = null;
      return;
    }
    case "run.conflicted":
      for (const { path, theirs } of event.conflicts) run.conflicts.set(path, theirs);
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
    limits: new Map(
      Object.entries(event.settings ?? {}).filter(([name]) => limitNames.has(name)) as [string, number][],
    ),
    priority,
    sub,
    parent,
    agent: event.agent ?? null,
    entered: false,
    unplaced: false,
    plan,
    dependsOn,
    script: event.script ?? "[]",
    written: event.script !== null && runner === "script",
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
    callsDone: event.fork?.callsDone ?? 0,
    messages: 0,
    delays: 0,
    handed: 0,
    team: event.settings?.runner === undefined ? [] : [event.settings.runner, ...(event.settings.fallbacks ?? [])],
    question: false,
    removed: false,
    dirty: new Map((event.fork?.works ?? []).map((work) => [work.path, work])),
    conflicts: new Map(),
    landed: null,
    landedOn: null,
    approved: null,
    intent: null,
    placings: [],
    steps: [],
    commit: null,
    fork: event.fork === undefined || event.fork.commit === null ? null : { ...event.fork, commit: event.fork.commit },
    rewinding: null,
  });
}

function leave(model: LogModel, run: ModelRun): void {
  const agent = model.agents.get(run.agent ?? "");
  run.entered = false;
  if (agent?.run === run.id) agent.run = null;
}

function move(model: LogModel, run: ModelRun, event: Logged & { type: "run.moved" }): void {
  // The claim of a call that parks comes to need a slot while it waits.
  if (event.from === "blocked" && event.to === "parked" && run.call !== null) {
    const { claim } = run.call;
    for (const queued of model.queuedOf(run.family)) if (queued.id === claim) queued.slot = run.id;
  }
  if (event.from === "done") run.stopped = run.entered = false;
  const agent = model.agents.get(run.agent ?? "");
  if (agent !== undefined && (event.to === "starting" || event.to === "running")) agent.run = run.id;
  if (["parked", "running", "review", "terminated"].includes(event.to)) {
    run.approved = null;
    run.intent = null;
  }
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
    run.rewinding = null;
    run.question = false;
    run.limitAtMs = null;
    run.limitLeftMs = null;
    if (event.to !== "done") run.call = null;
  }
}
