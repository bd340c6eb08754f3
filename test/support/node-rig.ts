// A whole machine in one process: engine, node and script runner, over a log in memory and a real folder. It can be closed
// and opened again on the same ground, or die between any two steps.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ScriptRunner } from "../../src/adapters/runner/script-runner.ts";
import { makeMemoryDisk, MemoryStore, type MemoryDisk } from "../../src/adapters/store/memory-store.ts";
import { Fault } from "../../src/base/fault.ts";
import type { Logged } from "../../src/core/events.ts";
import type { Answer, Input, SubmitRun } from "../../src/core/inputs.ts";
import type { Run } from "../../src/core/run/run-state.ts";
import { isOver } from "../../src/core/run/run-states.ts";
import type { State } from "../../src/core/state.ts";
import { Engine, type Outcome } from "../../src/engine/engine.ts";
import { EngineLine } from "../../src/node/engine-line.ts";
import { LocalNode } from "../../src/node/local-node.ts";
import type { EventStore } from "../../src/ports/event-store.ts";
import type { Runner } from "../../src/ports/runner.ts";
import { parseScript } from "../../src/protocol/script.ts";
import { toSubmit } from "./engine-rig.ts";
import { commandEnv } from "./processes.ts";
import { makeTempFolder } from "./temp-folder.ts";
import { TestClock } from "./test-clock.ts";

/** What survives a restart. */
export type Ground = {
  readonly disk: MemoryDisk;
  readonly folder: string;
  readonly scripts: Map<string, string>;
};

export type NodeRigOptions = {
  readonly ground?: Ground;
  readonly clock?: TestClock;
  /** The node's own clock, when it is to fall silent while the engine's goes on. */
  readonly nodeClock?: TestClock;
  readonly runners?: readonly Runner[];
  /** Looks at every append first, and may keep it from ever being answered: the process is then dead. */
  readonly dieAt?: ((events: readonly Logged[]) => "lost" | "kept" | undefined) | undefined;
};

export class NodeRig {
  readonly ground: Ground;
  readonly clock: TestClock;
  readonly engine: Engine;
  readonly node: LocalNode;
  readonly defects: unknown[];
  /** Resolves when `dieAt` has struck. */
  readonly died: Promise<void>;

  private constructor(parts: Pick<NodeRig, "ground" | "clock" | "engine" | "node" | "defects" | "died">) {
    this.ground = parts.ground;
    this.clock = parts.clock;
    this.engine = parts.engine;
    this.node = parts.node;
    this.defects = parts.defects;
    this.died = parts.died;
  }

  static async open(options: NodeRigOptions = {}): Promise<NodeRig> {
    const { ground = makeGround(), clock = new TestClock(), runners = [new ScriptRunner()] } = options;
    const defects: unknown[] = [];
    const node = new LocalNode({
      name: "local",
      folder: ground.folder,
      runners: new Map(runners.map((runner) => [runner.name, runner])),
      clock: options.nodeClock ?? clock,
      readScript: async (name) => {
        const script = ground.scripts.get(name);
        if (script !== undefined) return script;
        throw new Fault("blob-missing", { retry: "never", message: `the script ${name} is not stored here any more` });
      },
      env: commandEnv,
      onDefect: (error) => defects.push(error),
    });
    onTestFinished(() => node.close());
    const died = Promise.withResolvers<void>();
    const store = new MortalStore(ground.disk, options.dieAt, () => {
      node.close();
      died.resolve();
    });
    const engineOptions = { version: "test", inboxMax: 1000, batchMax: 100, snapshotEvery: 1_000_000 };
    const engine = await Engine.open({ store, clock, nodes: node }, engineOptions);
    const line = new EngineLine(
      (given, reply) => engine.submit(given, reply),
      options.nodeClock ?? clock,
      () => engine.nowMs(),
    );
    node.connect(line, () => engine.state);
    return new NodeRig({ ground, clock, engine, node, defects, died: died.promise });
  }

  get state(): State {
    return this.engine.state;
  }

  /** Everything that is in the log. */
  get log(): Logged[] {
    return this.ground.disk.records.map(({ body }) => JSON.parse(body) as Logged);
  }

  /** Lets go in good order. */
  async close(): Promise<void> {
    this.node.close();
    await this.engine.close();
    assert.deepEqual(this.defects, []);
  }

  /** Closes and opens again on the same ground. */
  async reopen(options: NodeRigOptions = {}): Promise<NodeRig> {
    await this.close();
    return NodeRig.open({ ...options, ground: this.ground });
  }

  give(input: Input, actor = "person:eva"): Promise<Outcome> {
    return new Promise((resolve) => this.engine.submit({ actor, input }, resolve));
  }

  async ok(input: Input, actor?: string): Promise<Answer> {
    const outcome = await this.give(input, actor);
    assert(outcome.ok, `refused: ${JSON.stringify(outcome)}`);
    return outcome.value;
  }

  async id(input: Input, actor?: string): Promise<string> {
    const answer = await this.ok(input, actor);
    assert(answer.of === "id", `no id: ${answer.of}`);
    return answer.id;
  }

  project(processes: Record<string, readonly string[]> = {}, name = "p"): Promise<string> {
    const named = Object.entries(processes).map(([key, argv]) => [key, { argv, scope: "project" }] as const);
    const body = { name, root: `/${name}`, foldCase: false, processes: Object.fromEntries(named) };
    return this.id({ type: "project.add", ...body });
  }

  /** Submits a script as the steps that it has, one YAML step per line. */
  submit(project: string, steps: string, more: Partial<SubmitRun> = {}): Promise<string> {
    const lines = steps.trim().split("\n");
    return this.submitText(
      project,
      `task: a task\nsteps:\n${lines.map((line) => `  - ${line.trim()}`).join("\n")}\n`,
      more,
    );
  }

  submitText(project: string, text: string, more: Partial<SubmitRun> = {}): Promise<string> {
    const name = `s${this.ground.scripts.size}`;
    this.ground.scripts.set(name, text);
    const script = parseScript(text);
    const plan = script.ok ? script.value.plan : [];
    return this.id(toSubmit(project, { script: name, plan, ...more }));
  }

  run(id: string): Run {
    const run = this.state.runs.get(id);
    assert(run !== undefined, `there is a run ${id}`);
    return run;
  }

  /** Waits until something holds, looking whenever something became durable. */
  until(holds: (state: State) => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (holds(this.state)) return resolve();
      const stop = this.engine.subscribe(() => {
        if (!holds(this.state)) return;
        stop();
        resolve();
      });
    });
  }

  untilState(id: string, ...states: readonly Run["state"][]): Promise<void> {
    return this.until(() => states.includes(this.run(id).state));
  }

  /** Waits until a run is over and nothing of it is left; says how it ended and why. */
  async ended(id: string): Promise<string> {
    await this.until(() => isOver(this.run(id).state) && this.run(id).stopped);
    const { state, because } = this.run(id);
    return because === null ? state : `${state}: ${because}`;
  }

  terminate(id: string): Promise<Answer> {
    return this.ok({ type: "run.terminate", select: { by: "run", run: id }, because: "enough" });
  }

  /** A file of the project's scratch folder, undefined where there is none. */
  file(path: string): string | undefined {
    const [project = ""] = this.state.projects.keys();
    const full = join(this.scratch(project), path);
    return existsSync(full) ? readFileSync(full, "utf8") : undefined;
  }

  scratch(project: string): string {
    return join(this.ground.folder, "scratch", project);
  }

  /** What a run said. */
  said(id: string): string[] {
    return this.log.flatMap((event) => (event.type === "run.said" && event.run === id ? event.text : []));
  }
}

export function makeGround(): Ground {
  return { disk: makeMemoryDisk(), folder: makeTempFolder(), scripts: new Map() };
}

/** A store of a process that can die at an append: then nothing is answered any more, whether it was kept or not. */
class MortalStore implements EventStore {
  readonly #disk: MemoryDisk;
  readonly #store: MemoryStore;
  readonly #dieAt: NodeRigOptions["dieAt"];
  readonly #onDeath: () => void;
  #dead = false;

  constructor(disk: MemoryDisk, dieAt: NodeRigOptions["dieAt"], onDeath: () => void) {
    this.#disk = disk;
    this.#store = new MemoryStore(disk);
    this.#dieAt = dieAt;
    this.#onDeath = onDeath;
  }

  get lastSeq(): number {
    return this.#store.lastSeq;
  }

  append(events: readonly Logged[], done: (fault: Fault | null) => void): void {
    if (this.#dead) return;
    const death = this.#dieAt?.(events);
    if (death === undefined) return this.#store.append(events, done);
    this.#dead = true;
    if (death === "kept") this.#store.append(events, () => undefined);
    this.#disk.isInUse = false;
    this.#onDeath();
  }

  read(...range: Parameters<EventStore["read"]>): ReturnType<EventStore["read"]> {
    return this.#store.read(...range);
  }

  saveSnapshot(...given: Parameters<EventStore["saveSnapshot"]>): Promise<void> {
    return this.#store.saveSnapshot(...given);
  }

  loadSnapshot(): ReturnType<EventStore["loadSnapshot"]> {
    return this.#store.loadSnapshot();
  }

  async close(): Promise<void> {
    if (!this.#dead) await this.#store.close();
  }
}
