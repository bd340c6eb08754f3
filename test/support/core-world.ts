// The core with nothing around it: inputs go in at a time we choose, and after every step everything that must always
// hold is looked at. Tests speak to it in short verbs.

import assert from "node:assert/strict";
import { canonical } from "../../src/base/canonical.ts";
import { actsOf, actsPending, type Act } from "../../src/core/acts.ts";
import { decide, type Decision } from "../../src/core/decide.ts";
import type { EventType, Logged } from "../../src/core/events.ts";
import { evolve } from "../../src/core/evolve.ts";
import type {
  BeginCall,
  CallAnswer,
  ClaimAnswer,
  Given,
  Input,
  LandedInput,
  MakeClaim,
  Refusal,
  SubmitRun,
  FinishCall,
} from "../../src/core/inputs.ts";
import type { Policy, PolicyRules, PolicyScope } from "../../src/core/policy/policy.ts";
import { actName, type Run } from "../../src/core/run/run-state.ts";
import { fromPlain, toPlain } from "../../src/core/snapshot.ts";
import { makeState, rootOf, runOf, type State } from "../../src/core/state.ts";
import type { Work } from "../../src/core/workspace/workspace-state.ts";
import { findBreaches } from "./core-checks.ts";

export type CoreWorldOptions = {
  /** Compare with a restored state after every so many steps; 0 is never. */
  readonly restoreEvery?: number;
  readonly checkEvery?: number;
};

export class CoreWorld {
  state: State = makeState();
  nowMs = 1_000_000;
  readonly log: Logged[] = [];
  /** Steps with their inputs, to be run again. */
  readonly inputs: { readonly given: Given; readonly nowMs: number }[] = [];
  readonly #follower: State = makeState();
  readonly #options: CoreWorldOptions;
  #last: Decision = { events: [], result: { ok: true, value: { of: "done" } } };

  constructor(options: CoreWorldOptions = {}) {
    this.#options = options;
  }

  /** Gives an input, moves on, and checks everything. */
  give(input: Input, actor = "person:eva"): Decision["result"] {
    const given = { actor, input };
    this.inputs.push({ given, nowMs: this.nowMs });
    const every = this.#options.restoreEvery ?? 1;
    const twin = every > 0 && this.inputs.length % every === 0 ? restore(this.state) : undefined;
    const before = this.state.table.nextFence;
    this.#last = decide(this.state, given, this.nowMs);
    const { events, result } = this.#last;
    this.log.push(...events);
    checkEvents(this.log, events.length, before);
    for (const event of events) evolve(this.#follower, event);
    emptyRecheck(this.#follower);
    if (this.inputs.length % (this.#options.checkEvery ?? 1) === 0) this.check();
    if (twin !== undefined) checkTwin(twin, given, this.nowMs, this.#last);
    return result;
  }

  check(): void {
    assert.deepEqual(findBreaches(this.state, this.nowMs), []);
    const plain = canonical(toPlain(this.state));
    assert.equal(canonical(toPlain(this.#follower)), plain, "the fold of the log is the state");
    assert.equal(canonical(toPlain(restore(this.state))), plain, "a snapshot restores the state");
  }

  /** The events of the last step. */
  get last(): readonly Logged[] {
    return this.#last.events;
  }

  lastOf<T extends EventType>(type: T): Extract<Logged, { type: T }>[] {
    return this.last.filter((event) => event.type === type) as Extract<Logged, { type: T }>[];
  }

  acts(): Act[] {
    return this.last.flatMap((event) => actsOf(this.state, event));
  }

  pending(): Act[] {
    return actsPending(this.state);
  }

  ok(input: Input, actor?: string): Extract<Decision["result"], { ok: true }>["value"] {
    const result = this.give(input, actor);
    assert(result.ok, `refused: ${canonical(result)}`);
    return result.value;
  }

  no(input: Input, actor?: string): Refusal {
    const result = this.give(input, actor);
    assert(!result.ok, `not refused: ${canonical(result)}`);
    return result.refusal;
  }

  id(input: Input): string {
    const answer = this.ok(input);
    if (answer.of !== "id") throw new Error(`no id: ${answer.of}`);
    return answer.id;
  }

  /** Lets time pass, and looks at what is due. */
  pass(ms: number): void {
    this.nowMs += ms;
    this.ok({ type: "tick" }, "system");
  }

  /** Lets time pass with the node's signs of life, which say nothing about the work. */
  passWithBeats(ms: number): void {
    for (let left = ms; left > 0; left -= 20_000) {
      this.pass(Math.min(left, 20_000));
      this.ok({ type: "node.beat", node: "local", families: [...this.state.table.families.keys()] }, "system");
    }
  }

  project(more: Partial<Extract<Input, { type: "project.add" }>> = {}): string {
    const count = this.state.projects.size;
    return this.id({ ...toProject(`p${count}`), ...more });
  }

  policy(name: string, rules: PolicyRules, scope: PolicyScope = {}, priority = 0): Policy {
    const policy = { name, priority, enabled: true, scope, rules };
    this.ok({ type: "policy.set", policy });
    return policy;
  }

  claim(as: string | null, units: string | readonly string[], more: Partial<MakeClaim> = {}): ClaimAnswer {
    const answer = this.ok(toClaim(this.state, as, units, more));
    if (answer.of !== "claim") throw new Error(`no claim: ${answer.of}`);
    return answer.claim;
  }

  /** How a claim stands now. */
  stateOf(claim: ClaimAnswer | string): string | undefined {
    return this.state.table.claims.get(typeof claim === "string" ? claim : claim.claim)?.state;
  }

  release(claim: ClaimAnswer | string, units: readonly string[] | null = null): void {
    this.ok({ type: "lease.release", claim: typeof claim === "string" ? claim : claim.claim, units });
  }

  submit(more: Partial<SubmitRun> = {}): string {
    return this.id(toSubmit(this.state, more));
  }

  run(id: string): Run {
    return runOf(this.state, id);
  }

  driven(run: string): void {
    this.ok({ type: "run.driven", run, family: this.run(run).family }, "system");
  }

  /** Submits a run, lets it start and be driven. */
  started(more: Partial<SubmitRun> = {}): string {
    const run = this.submit(more);
    assert.equal(this.run(run).state, "starting");
    this.driven(run);
    this.refresh();
    assert.equal(this.run(run).state, "running");
    return run;
  }

  /** Answers every refresh that is asked for. */
  refresh(): void {
    for (const act of this.pending()) {
      if (act.type === "refresh") this.ok(toRefreshed(act.claim), "system");
    }
  }

  /** What paths of a run's workspace would be after it wrote to them: its bases stay, the contents are new. */
  works(run: string, paths: readonly string[]): Work[] {
    const { dirty } = rootOf(this.state, this.run(run)).workspace;
    return paths.map((path) => ({
      path,
      base: dirty.get(path)?.base ?? null,
      work: `100644:${path}@${this.state.seq}`,
    }));
  }

  begin(
    run: string,
    tool: BeginCall["tool"],
    units: readonly string[] = [],
    more: Partial<BeginCall> = {},
  ): CallAnswer {
    const answer = this.ok(toBegin(this.state, run, tool, units, more), `agent:${run}`);
    if (answer.of !== "call") throw new Error(`no call: ${answer.of}`);
    return answer.call;
  }

  refused(run: string, tool: BeginCall["tool"], units: readonly string[] = [], more: Partial<BeginCall> = {}): Refusal {
    return this.no(toBegin(this.state, run, tool, units, more), `agent:${run}`);
  }

  finishCall(
    run: string,
    dirty: readonly string[] = [],
    works = this.works(run, dirty),
    more: Partial<FinishCall> = {},
  ): void {
    const changed = dirty.map((path) => ({ path, bytes: 10 }));
    const { family, callsDone } = this.run(run);
    const body = { ok: true, exit: null, summary: "", changed, works, output: null };
    this.ok({ type: "call.finish", run, family, call: callsDone, ...body, ...more }, `agent:${run}`);
  }

  /** A command from door to door, with what the node found changed after it. */
  command(run: string, ...paths: readonly string[]): void {
    this.commandOf(run, 0, ...paths);
  }

  /** The same, where each of these files is so large then. */
  commandOf(run: string, bytes: number, ...paths: readonly string[]): void {
    this.begin(run, "run");
    this.finishCall(run, [], this.works(run, paths), { swept: paths.map((path) => ({ path, bytes })) });
  }

  /** A whole write: begun, refreshed, finished. */
  write(run: string, ...paths: readonly string[]): void {
    this.begin(
      run,
      "write",
      paths.map((path) => `file:${path}`),
    );
    this.refresh();
    assert(this.run(run).call?.started, `${run} may write`);
    this.finishCall(run, paths);
  }

  finish(run: string, ok = true, message = ""): void {
    this.ok({ type: "run.finish", run, family: this.run(run).family, ok, message }, `agent:${run}`);
  }

  /** Finishes a run and brings its result home. */
  complete(run: string): void {
    this.finish(run);
    if (this.run(run).state === "landing") this.landed(run);
    assert.equal(this.run(run).state, "done");
  }

  /** The ref is about to move for what was approved of a run. */
  intend(run: string, candidate = `k${this.state.seq}`): void {
    const act = actName(this.run(run));
    const about = { parent: "m0", entries: [], tested: "passed", merged: [] } as const;
    this.ok({ type: "landing.intend", run, act, candidate, ...about }, "system");
  }

  /** Brings home what was approved of a run, as it was approved. */
  landed(run: string, more: Partial<Extract<LandedInput, { how: "landed" }>> = {}): void {
    this.ok({ ...toLanded(this.run(run), this.state.seq), ...more }, "system");
  }

  stopped(run: string, works: readonly Work[] = []): void {
    this.ok({ type: "run.stopped", run, works }, "system");
  }

  /** What was set aside and is still there: `path (why)`, oldest first. */
  trash(): string[] {
    return [...this.state.trash.values()].map((item) => `${item.path} (${item.why})`);
  }

  beat(...runs: readonly string[]): readonly string[] {
    const families = runs.map((run) => this.run(run).family);
    const answer = this.ok({ type: "node.beat", node: "local", families }, "system");
    return answer.of === "beat" ? answer.expired : [];
  }

  /** Lets time pass while the given runs keep giving signs of life. */
  live(ms: number, ...runs: readonly string[]): void {
    for (let left = ms; left > 0; left -= 10_000) {
      this.pass(Math.min(left, 10_000));
      this.beat(...runs);
    }
  }

  /** Who holds what: `family: units`, one line each. */
  holdings(): string[] {
    const families = [...this.state.table.families.values()].filter((family) => family.leases.size > 0);
    return families.map((family) => {
      const units = [...family.leases.values()].map((lease) => lease.unit.text).toSorted();
      return `${family.holder}: ${units.join(" ")}`;
    });
  }
}

export function toProject(name: string): Extract<Input, { type: "project.add" }> {
  const source = { kind: "git", branch: "main", author: { name: "Eva", email: "eva@example.org" } } as const;
  const body = { foldCase: false, processes: {}, source, landingTest: null, commit: "m0" };
  return { type: "project.add", name, root: `/${name}`, ...body };
}

/** The report of a node that found nothing to do. */
export function toRefreshed(claim: string): Extract<Input, { type: "lease.refreshed" }> {
  return { type: "lease.refreshed", claim, bases: {}, commit: "m0", works: [], conflicts: [], moved: [] };
}

/** The report of a landing in which everything that was approved became mainline's. */
export function toLanded(run: Run, seq: number): Extract<LandedInput, { how: "landed" }> {
  const entries = (run.approved ?? []).map(({ path, entry }) => ({ path, entry }));
  return {
    type: "run.landed",
    run: run.id,
    how: "landed",
    commit: `m${seq}`,
    entries,
    tested: "untested",
    merged: [],
  };
}

export function toClaim(
  state: State,
  as: string | null,
  units: string | readonly string[],
  more: Partial<MakeClaim> = {},
): MakeClaim {
  const project = more.project ?? firstProject(state);
  const list = typeof units === "string" ? units.split(" ") : units;
  const body = { as, units: list, priority: 0, key: null, mode: "wait", ttlMs: 60_000, waitMs: null } as const;
  return { type: "claim.make", ...body, ...more, project };
}

export function toSubmit(state: State, more: Partial<SubmitRun> = {}): SubmitRun {
  return {
    type: "run.submit",
    project: more.project ?? firstProject(state),
    title: "work",
    description: "",
    acceptance: null,
    runner: "script",
    profile: null,
    node: "local",
    priority: 0,
    tags: [],
    plan: [],
    dependsOn: [],
    script: null,
    parent: null,
    sub: false,
    key: null,
    ...more,
  };
}

export function toBegin(
  state: State,
  run: string,
  tool: BeginCall["tool"],
  units: readonly string[],
  more: Partial<BeginCall> = {},
): BeginCall {
  const { family, callsDone } = runOf(state, run);
  return { type: "call.begin", run, family, call: callsDone, tool, units, bytes: 0, other: null, ...more };
}

/** A state that went through a snapshot's bytes. */
export function restore(state: State): State {
  return fromPlain(JSON.parse(JSON.stringify(toPlain(state))) as ReturnType<typeof toPlain>);
}

function firstProject(state: State): string {
  return state.projects.keys().next().value ?? "p_none";
}

/** Gapless, with causes that came before, and with fences that only rise. */
function checkEvents(log: readonly Logged[], count: number, fence: number): void {
  let next = fence;
  for (const [at, event] of log.slice(log.length - count).entries()) {
    assert.equal(event.seq, log.length - count + at + 1);
    assert(event.cause === null || event.cause < event.seq, "a cause comes before");
    if (event.type !== "lease.granted") continue;
    for (const each of event.fences) assert.equal(each, next++, "fences rise by one");
  }
}

/** Inputs whose refusal is a fact of its own (SC18). */
const recorded: ReadonlySet<Input["type"]> = new Set(["call.begin", "model.request"]);

/** The restored state decides the same, byte for byte; and what is refused changes nothing but what was due anyway. */
function checkTwin(twin: State, given: Given, nowMs: number, decision: Decision): void {
  const other = twin.seq === 0 && decision.result.ok ? undefined : restore(twin);
  assert.equal(canonical(decide(twin, given, nowMs)), canonical(decision), "a restored state decides the same");
  if (decision.result.ok || recorded.has(given.input.type) || other === undefined) return;
  const due = decide(other, { actor: "system", input: { type: "tick" } }, nowMs);
  assert.equal(canonical(decision.events), canonical(due.events), "a refusal changes nothing");
}

function emptyRecheck(state: State): void {
  const { recheck } = state.table;
  recheck.freed.length = 0;
  recheck.claims.clear();
  recheck.slots = false;
}
