// A whole machine in one process: engine, node and script runner, over a log in memory, with real workspaces in real
// cages. It can be closed and opened again on the same ground, or die between any two steps.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { GitMainlines } from "../../src/adapters/git/git-mainlines.ts";
import { ScriptRunner } from "../../src/adapters/runner/script-runner.ts";
import { makeMemoryDisk, MemoryStore, type MemoryDisk } from "../../src/adapters/store/memory-store.ts";
import { Fault } from "../../src/base/fault.ts";
import type { Derived } from "../../src/core/project/derived.ts";
import type { Egress } from "../../src/core/egress/egress.ts";
import type { Logged } from "../../src/core/events.ts";
import type { Answer, Input, SubmitRun } from "../../src/core/inputs.ts";
import { blobOf } from "../../src/core/landing/entry.ts";
import type { Project } from "../../src/core/project/project.ts";
import type { Run } from "../../src/core/run/run-state.ts";
import { isOver } from "../../src/core/run/run-states.ts";
import type { State } from "../../src/core/state.ts";
import { Engine, type Outcome } from "../../src/engine/engine.ts";
import { EngineLine } from "../../src/node/engine-line.ts";
import { GroundDisk } from "../../src/node/disk/ground-disk.ts";
import { prepareGround, type AgentGround } from "../../src/node/keepers/agent-ground.ts";
import type { KeeperClient } from "../../src/node/keepers/keeper-client.ts";
import { KeeperPool, waitUntilGone } from "../../src/node/keepers/keeper-pool.ts";
import { PooledKeepers } from "../../src/node/keepers/pooled-keepers.ts";
import { LocalNode } from "../../src/node/local-node.ts";
import type { KeeperLine, Keepers } from "../../src/node/workspace/keepers.ts";
import type { Env } from "../../src/node/images/image-tool.ts";
import { Images } from "../../src/node/images/images.ts";
import { EgressWays } from "../../src/node/egress/egress-ways.ts";
import type { Resolve } from "../../src/node/egress/reach.ts";
import type { DoneBounds } from "../../src/node/workspace/done-places.ts";
import { Workspaces } from "../../src/node/workspace/workspaces.ts";
import { ServiceSystems } from "../../src/node/agents/service-systems.ts";
import type { EventStore } from "../../src/ports/event-store.ts";
import type { Mainline } from "../../src/ports/mainline.ts";
import type { Runner } from "../../src/ports/runner.ts";
import type { CageOrder, KeeperOp } from "../../src/protocol/keeper/keeper-wire.ts";
import { parseScript } from "../../src/protocol/script.ts";
import { settle, toSubmit } from "./engine-rig.ts";
import { Person } from "./git/person.ts";
import { Life } from "./life.ts";
import { Pipe } from "./processes.ts";
import { makeTempFolder } from "./temp-folder.ts";
import { TestClock } from "./test-clock.ts";

/** What survives a restart. */
export type Ground = {
  readonly disk: MemoryDisk;
  readonly folder: string;
  readonly scripts: Map<string, string>;
  readonly blobs: Map<string, Uint8Array>;
  readonly agents: AgentGround;
  readonly pool: KeeperPool;
  /** False as on a machine without user namespaces. */
  readonly namespaces: boolean;
  /** The node's life on it now, or the last one. */
  life: Life;
  /** Ends whatever still lives there; otherwise the test's end does. */
  readonly end: () => Promise<void>;
};

export type NodeRigOptions = {
  readonly ground?: Ground;
  readonly clock?: TestClock;
  /** The node's own clock, when it is to fall silent while the engine's goes on. */
  readonly nodeClock?: TestClock;
  readonly runners?: readonly Runner[];
  /** Makes another order of the one that a cage is made by. */
  readonly cage?: (order: CageOrder) => CageOrder;
  /** Whether keepers die of what they are asked. */
  readonly isDeadly?: (op: KeeperOp) => boolean;
  /** How much of runs that are done is left as it is. */
  readonly done?: DoneBounds;
  /** What names lead to; without it there are none. */
  readonly resolve?: Resolve;
  /** Where podman is and has its images; without it there is none. */
  readonly imageEnv?: Env;
  /** Looks at every append first, and may keep it from ever being answered: the process is then dead. */
  readonly dieAt?: ((events: readonly Logged[]) => "lost" | "kept" | undefined) | undefined;
};

export type ProjectOptions = {
  readonly name?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** A repository of the person's; else a plain folder. */
  readonly git?: boolean;
  readonly landingTest?: readonly string[];
  readonly derived?: readonly Derived[];
  readonly testTimeMs?: number;
  readonly egress?: Egress;
};

type Parts = Pick<NodeRig, "ground" | "clock" | "engine" | "node" | "defects" | "died" | "mainlines">;

export class NodeRig {
  readonly ground: Ground;
  readonly clock: TestClock;
  readonly engine: Engine;
  readonly node: LocalNode;
  readonly mainlines: GitMainlines;
  readonly defects: unknown[];
  /** Resolves when `dieAt` has struck. */
  readonly died: Promise<void>;

  private constructor(parts: Parts) {
    this.ground = parts.ground;
    this.clock = parts.clock;
    this.engine = parts.engine;
    this.node = parts.node;
    this.mainlines = parts.mainlines;
    this.defects = parts.defects;
    this.died = parts.died;
  }

  static async open(options: NodeRigOptions = {}): Promise<NodeRig> {
    const { clock = new TestClock(), runners = [new ScriptRunner()] } = options;
    const ground = options.ground ?? (await makeGround());
    await ground.life.end();
    const life = new Life();
    ground.life = life;
    const defects: unknown[] = [];
    const mainlines = new GitMainlines({ folder: join(ground.agents.folder, "projects"), owner: ground.agents.owner });
    const { owner } = ground.agents;
    const images: Images = new Images({
      label: "test",
      ...{ owner, as: ground.agents.as, folder: join(ground.agents.folder, "images") },
      ...{ env: options.imageEnv ?? { PATH: "/nowhere" }, wallMs: () => clock.wallMs() },
      pins: () => workspaces.pins(),
    });
    const workspaces: Workspaces = new Workspaces({
      folder: join(ground.agents.folder, "agents"),
      kind: ground.namespaces ? "overlay" : "clone",
      keepers: mortalKeepers(life, ground.pool, options),
      mainlineOf: async (project) => life.mortal<Mainline>(await mainlines.of(project)),
      disk: new GroundDisk({ folder: ground.agents.folder }),
      warmFolder: join(ground.agents.folder, "warm"),
      ...(options.done === undefined ? {} : { done: options.done }),
      owner,
      binds: [pipesOf(ground)],
      env: {},
      images,
    });
    const ways = new EgressWays({
      folder: join(ground.agents.folder, "ways"),
      owner: ground.agents.owner,
      clock: options.nodeClock ?? clock,
      resolve: options.resolve ?? (async () => []),
    });
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
      readBlob: async (name) => ground.blobs.get(name) ?? null,
      secrets: { get: async () => null, list: async () => [] },
      systems: new ServiceSystems({ images, owner }),
      joinsFolder: join(ground.agents.folder, "joins"),
      workspaces,
      ways,
      onDefect: (error) => defects.push(error),
    });
    life.atEnd(() => node.close());
    life.atEnd(() => workspaces.close());
    life.afterwards(() => ways.close());
    life.afterwards(() => mainlines.close());
    onTestFinished(() => life.end());
    const died = Promise.withResolvers<void>();
    const store = new MortalStore(ground.disk, options.dieAt, () => {
      void life.end();
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
    return new NodeRig({ ground, clock, engine, node, mainlines, defects, died: died.promise });
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
    const ended = this.ground.life.end();
    await this.engine.close();
    await ended;
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

  /** A project in a folder of its own, as the person's. */
  async project(processes: Record<string, readonly string[]> = {}, more: ProjectOptions = {}): Promise<string> {
    const { name = "p", files = {}, git = false, landingTest = null, egress, derived = [], testTimeMs } = more;
    const root = join(this.ground.folder, "people", name);
    if (git) Person.withRepository(root, files);
    else new Person(root).write(files);
    const named = Object.entries(processes).map(([key, argv]) => [key, { argv, scope: "project" }] as const);
    const found = await this.mainlines.adopt(root);
    const body = { name, root, foldCase: false, processes: Object.fromEntries(named), landingTest, derived, ...found };
    return this.id({ type: "project.add", ...body, egress, testTimeMs });
  }

  /** The folder of a project, as its person sees it. */
  person(project: string): Person {
    return new Person(this.#project(project).root);
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

  /** Lets time pass as it does: the engine and the node hear of each moment before the next one comes. */
  async passTime(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1000) {
      this.clock.advance(1000);
      await settle();
    }
  }

  untilState(id: string, ...states: readonly Run["state"][]): Promise<void> {
    return this.until(() => states.includes(this.run(id).state));
  }

  /** Waits until a run is over and nothing of it is left; says how it ended and, unless it ended well, why. */
  async ended(id: string): Promise<string> {
    await this.until(() => isOver(this.run(id).state) && this.run(id).stopped);
    const { state, because } = this.run(id);
    return because === null || state === "done" ? state : `${state}: ${because}`;
  }

  terminate(id: string): Promise<Answer> {
    return this.ok({ type: "run.terminate", select: { by: "run", run: id }, because: "enough" });
  }

  /** A file as mainline has it, undefined where there is none. */
  async file(path: string): Promise<string | undefined> {
    const [project = ""] = this.state.projects.keys();
    const mainline = await this.mainlines.of(this.#project(project));
    const entry = (await mainline.entriesAt(await mainline.head(), [path])).get(path) ?? null;
    return entry === null ? undefined : textOf(await mainline.readBlob(blobOf(entry)));
  }

  /** Everything that mainline has. */
  async files(): Promise<string[]> {
    const [project = ""] = this.state.projects.keys();
    const mainline = await this.mainlines.of(this.#project(project));
    return [...(await mainline.listTree(await mainline.head())).keys()];
  }

  /** A file as it stands in the workspace of a run, undefined where there is none. */
  async inside(run: string, path: string): Promise<string | undefined> {
    const { bytes } = await this.keeper(run).read(path);
    return bytes !== null && "base64" in bytes ? textOf(Buffer.from(bytes.base64, "base64")) : undefined;
  }

  /** Does something in the workspace of a run behind its back, as a command that it left running would. */
  async meddle(run: string, script: string): Promise<void> {
    const keeper = this.keeper(run);
    const call = `meddle-${this.log.length}`;
    await keeper.start({ call, argv: ["/bin/sh", "-c", script], cwd: null, env: {}, timeoutMs: null });
    assert.equal((await keeper.wait(call)).exit, 0);
  }

  /** What was set aside of a run, by its paths. */
  async trash(run: string): Promise<Record<string, string | null>> {
    const items = [...this.state.trash.values()].filter((item) => item.run === run);
    const found: Record<string, string | null> = {};
    for (const { path, project, work } of items) {
      const mainline = await this.mainlines.of(this.#project(project));
      found[path] = work === null ? null : textOf(await mainline.readBlob(blobOf(work)));
    }
    return found;
  }

  /** The keeper of an agent, which has to live. */
  keeper(agent: string): KeeperClient {
    const found = this.ground.pool.find().find((keeper) => keeper.agent === agent && keeper.alive);
    assert(found !== undefined, `${agent} has a keeper`);
    onTestFinished(() => found.client.disconnect());
    return found.client;
  }

  /** The agents that have a living keeper. */
  get kept(): string[] {
    return this.ground.pool.find().flatMap(({ agent, alive }) => (alive ? agent : []));
  }

  /** A pipe that commands see at the same path. */
  pipe(): Pipe {
    return new Pipe(pipesOf(this.ground), `pipe-${pipes++}`);
  }

  #project(id: string): Project {
    const project = this.state.projects.get(id);
    assert(project !== undefined, `there is a project ${id}`);
    return project;
  }

  /** What a run said. */
  said(id: string): string[] {
    return this.log.flatMap((event) => (event.type === "run.said" && event.run === id ? event.text : []));
  }
}

let pipes = 0;
/** What keepers have compiled is good for the next test, too. */
const cache = join(import.meta.dirname, "../../.cache");

/** Ground that nobody has lived on. What is left there ends with the test. */
export async function makeGround({ namespaces = true, folder = makeTempFolder() } = {}): Promise<Ground> {
  const agents = await prepareGround(folder, join(folder, "node"));
  const { as, main, node } = agents;
  const poolOptions = { folder: join(agents.folder, "keepers"), warm: 0, as, namespaces };
  const pool = new KeeperPool({ ...poolOptions, cache: join(cache, `keepers-${agents.owner.uid}`), main, node });
  const ground: Ground = {
    ...{
      disk: makeMemoryDisk(),
      folder,
      scripts: new Map(),
      blobs: new Map(),
      agents,
      pool,
      life: new Life(),
      namespaces,
    },
    end: async () => {
      await ground.life.end();
      await endKeepers(pool);
    },
  };
  mkdirSync(pipesOf(ground), { mode: 0o755 });
  onTestFinished(() => ground.end());
  return ground;
}

/** Ends every keeper of a pool, each by its own socket, and what it kept with it. */
async function endKeepers(pool: KeeperPool): Promise<void> {
  await pool.close();
  for (const { client, alive, folder } of pool.find()) {
    if (alive) await client.close(0, { timeoutMs: 20_000 });
    client.disconnect();
    assert(await waitUntilGone(folder), `the keeper in ${folder} ends`);
    pool.discard(folder);
  }
  await pool.sweep();
}

/** Keepers go on when a life ends, and so does what they were asked for; only nobody hears of it. */
function mortalKeepers(
  life: Life,
  pool: KeeperPool,
  { cage = (order) => order, isDeadly = () => false }: Pick<NodeRigOptions, "cage" | "isDeadly">,
): Keepers {
  const keepers = new PooledKeepers(pool);
  const open = async (order: CageOrder): Promise<KeeperLine> => {
    const line = await keepers.open(cage(order));
    const ask: KeeperLine["request"] = async (op, signal) => {
      if (!isDeadly(op)) return line.request(op, signal);
      for (const { agent, folder } of pool.find()) if (agent === order.agent) await pool.kill(folder);
      throw new Fault("keeper-unavailable", { retry: "later", message: "the keeper was lost" });
    };
    const request: KeeperLine["request"] = (op, signal) => life.ask(() => ask(op, signal), op.op !== "wait");
    return { request, close: () => line.close() };
  };
  return life.mortal<Keepers>({ open, end: (agent, graceMs) => keepers.end(agent, graceMs) });
}

function pipesOf(ground: Pick<Ground, "folder">): string {
  return join(ground.folder, "pipes");
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
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
