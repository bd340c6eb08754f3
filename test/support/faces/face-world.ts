// A daemon's faces on a real engine with its log in memory: real sockets, an own home, a port of its own, all gone at the
// end. Nothing acts: runs move when a test says so.

import { mkdtemp, mkdir, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { ClaudeAssistant } from "../../../src/adapters/assistant/claude/claude-assistant.ts";
import { FileOutputStore } from "../../../src/adapters/output/file-output-store.ts";
import { MemoryBlobStore } from "../../../src/adapters/blob/memory-blob-store.ts";
import { systemClock } from "../../../src/adapters/clock/system-clock.ts";
import { MemoryMainline } from "../../../src/adapters/git/memory-mainline.ts";
import { FileSecretStore } from "../../../src/adapters/secret/file-secret-store.ts";
import { MemoryStore } from "../../../src/adapters/store/memory-store.ts";
import { ok } from "../../../src/base/result.ts";
import { canonical } from "../../../src/base/canonical.ts";
import { type Client, connectHttp, connectLines } from "../../../src/client/client.ts";
import type { Input } from "../../../src/core/inputs.ts";
import { toPlain } from "../../../src/core/snapshot.ts";
import { References } from "../../../src/core/workspace/references.ts";
import { DurableReads } from "../../../src/daemon/durable-reads.ts";
import type { DaemonParts } from "../../../src/daemon/parts.ts";
import { type RunningServer, startServer } from "../../../src/daemon/server.ts";
import { Storage } from "../../../src/daemon/storage/storage.ts";
import { Execs } from "../../../src/node/agents/execs.ts";
import { RunnerInventory } from "../../../src/node/assistants/runner-inventory.ts";
import { Ways } from "../../../src/node/assistants/ways.ts";
import { DoorKeys } from "../../../src/node/model-door/door-keys.ts";
import { Subscriptions } from "../../../src/node/relay/subscriptions.ts";
import { ModelDoors } from "../../../src/node/model-door/model-doors.ts";
import { Fault } from "../../../src/base/fault.ts";
import { Recordings } from "../../../src/node/terminals/recordings.ts";
import type { Workspace } from "../../../src/node/workspace/workspace.ts";
import { AgentUsage } from "../../../src/node/usage/agent-usage.ts";
import { Terminals } from "../../../src/node/terminals/terminals.ts";
import { KeptExchanges } from "../../../src/node/relay/kept-exchanges.ts";
import { Artifacts } from "../../../src/node/tool-host/artifacts.ts";
import { defaultEngineOptions, Engine, type Outcome } from "../../../src/engine/engine.ts";
import { GroundDisk, type Space } from "../../../src/node/disk/ground-disk.ts";

const keptImage = {
  id: "a".repeat(64),
  name: "localhost/base:1",
  bytes: 4096,
  usedAtMs: 1_780_000_000_000,
  inUse: false,
};

export type FaceWorld = {
  readonly engine: Engine;
  readonly store: MemoryStore;
  readonly server: RunningServer;
  readonly token: string;
  readonly home: string;
  /** A folder that is a project in waiting. */
  readonly folder: string;
  /** The history of every project here. */
  readonly mainline: MemoryMainline;
  /** Where outputs of commands are kept. */
  readonly outputs: string;
  readonly http: Client;
  readonly lines: Client;
  readonly defects: unknown[];
  readonly shutdowns: number[];
  /** Gives the engine an input, past the faces. */
  submit(input: Input): Promise<Outcome>;
  /** The whole state, as text that can be compared. */
  stateText(): string;
  close(): Promise<void>;
};

/** Of agents over time. */
export const nothingSeen: DaemonParts["seen"] = {
  read: () => ({ fine: [], coarse: [], checks: [] }),
  ...{ free: [], memory: { samples: [], totalBytes: 0 }, failed: () => [] },
  shares: () => ({ memoryBytes: null, diskBytes: null }),
  starts: () => [],
};

export async function openFaceWorld(change: Partial<DaemonParts> = {}): Promise<FaceWorld> {
  const base = await mkdtemp(path.join(tmpdir(), "sbf-"));
  const home = path.join(base, "home");
  const folder = path.join(base, "project");
  const outputs = path.join(base, "calls");
  await mkdir(home, { mode: 0o700 });
  await mkdir(folder);
  const store = new MemoryStore();
  const nodes = { prime: () => undefined, hear: () => undefined, perform: () => undefined };
  const engine = await Engine.open({ store, clock: systemClock, nodes }, { ...defaultEngineOptions, version: "0.0.0" });
  const mainline = new MemoryMainline();
  const source = { kind: "git", branch: "main", author: { name: "Eva", email: "eva@example.org" } } as const;
  const token = "t".repeat(43);
  const defects: unknown[] = [];
  const shutdowns: number[] = [];
  const space = (): Promise<Space> => Promise.resolve({ freeBytes: 5e9, totalBytes: 1e10 });
  const reads = new DurableReads({ engine, store, clock: systemClock });
  const images = { list: () => Promise.resolve([keptImage]), prune: () => Promise.resolve([keptImage]) };
  const blobs = new MemoryBlobStore();
  const storage = new Storage({
    ...{ images, blobs },
    ...{ engine, store, reads, clock: systemClock, disk: new GroundDisk({ folder: home, space }) },
    mainlines: { of: () => Promise.resolve(mainline) },
    workspaces: {
      references: () => Promise.resolve(new References()),
      folders: () => Promise.resolve(new Map()),
      warmFolderOf: () => null,
    },
  });
  const secrets = new FileSecretStore({
    ...{ file: `${home}/secrets.json`, keyFile: `${home}/secrets.key` },
    wallMs: () => 0,
  });
  const end = async (): Promise<void> => {
    await storage.close();
    reads.close();
    await engine.close();
    await rm(base, { recursive: true, force: true });
  };
  const terminals = new Terminals({
    recordings: new Recordings({ folder: path.join(base, "recordings"), owner: { uid: 0, gid: 0 } }),
    ...{ clock: systemClock, onDefect: (error: unknown) => void defects.push(error) },
  });
  terminals.connect({
    state: () => engine.state,
    submit: (actor, input) =>
      new Promise((resolve) => engine.submit({ actor, input }, (outcome) => resolve({ ok: outcome.ok }))),
    envOf: async () => ({}),
    keeperOf: () => Promise.reject(new Fault("keeper-unavailable", { retry: "later", message: "there is none here" })),
    closing: new AbortController().signal,
  });
  const server = await startServer({
    engine,
    store,
    blobs,
    outputs: new FileOutputStore(outputs),
    mainlines: {
      adopt: async () => ({ source, commit: await mainline.head() }),
      of: () => Promise.resolve(mainline),
    },
    machine: () =>
      Promise.resolve({ processors: 2, load: [0, 0, 0], memory: { totalBytes: 4e9, availableBytes: 2e9 } }),
    seen: nothingSeen,
    heldUp: { list: () => [] },
    kept: { list: () => [] },
    usage: new AgentUsage({
      meter: { measure: async () => [] },
      processesOf: async () => null,
      diskOf: async () => new Map(),
      dataOf: async () => new Map(),
      limitsOf: () => ({ limits: null, heldBy: [] }),
      ...{ memoryOf: () => null, freeBytes: async () => 5e9 },
    }),
    log: { damage: null },
    audit: { look: () => Promise.resolve([]), reap: () => Promise.resolve([]), last: null },
    maintenance: {
      ...{ everyMs: null, last: null },
      maintain: async (dryRun) => ({ atMs: 0, tookMs: 0, dryRun, bytes: 0, jobs: [] }),
    },
    projects: { take: () => Promise.resolve(), giveBack: () => Promise.resolve() },
    images,
    workspaces: { kind: "overlay", why: "stacked layers" },
    agents: {
      hasPlace: () => Promise.resolve(false),
      placeOf: () => Promise.resolve(placeWithNothingBegun),
      isAdapting: () => false,
      adapted: () => Promise.resolve(),
      envOf: () => Promise.resolve({}),
      refresh: () => Promise.resolve(ok({ from: "a".repeat(40), commit: "b".repeat(40), moved: ["a"], kept: ["b"] })),
    },
    execs: new Execs({
      agents: {
        standing: () => Promise.resolve(placeWithNothingBegun),
        envOf: () => Promise.resolve({}),
        systemOf: () => Promise.resolve(null),
        byHand: { noteCommand: () => undefined },
      },
      ...{ state: () => engine.state, clock: systemClock, onFailed: (error) => defects.push(error) },
    }),
    secrets,
    credentials: {
      outside: () => Promise.resolve([{ name: "OPENAI_API_KEY", from: "environment" }]),
      values: () => Promise.resolve(["kept-outside-0123"]),
    },
    subscriptions: new Subscriptions({ secrets, env: {}, wallMs: () => 0 }),
    storage,
    clock: systemClock,
    home,
    token,
    version: "0.0.0",
    port: 0,
    person: "person:test",
    runners: ["script", "mcp", "claude"],
    inventory: new RunnerInventory({
      own: { script: {}, mcp: { steer: true } },
      assistants: () => [new ClaudeAssistant()],
      ways: new Ways(home),
      ground: home,
      programOf: () => Promise.resolve({ file: process.execPath, folder: path.dirname(process.execPath) }),
      models: {
        credentialOf: () => Promise.resolve({ name: "ANTHROPIC_API_KEY", from: "store" }),
        lackOf: () => Promise.resolve(null),
        presetsOf: () => Promise.resolve({}),
        probe: () => Promise.resolve({ model: "small", ok: true, status: 200, why: null }),
      },
    }),
    doors: new ModelDoors({ keys: new DoorKeys(path.join(home, "doors")), clock: systemClock }),
    artifactsOf: (run) => new Artifacts(path.join(home, "calls", run)),
    exchanges: new KeptExchanges(path.join(home, "models")),
    terminals,
    nodes: ["local"],
    consoleFolder: null,
    checks: () => Promise.resolve([]),
    shutdown: () => shutdowns.push(1),
    onDefect: (error) => defects.push(error),
    ...change,
  }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const socket = server.socket ?? "";
  const http = connectHttp({ url: server.url, token });
  const lines = connectLines({ open: () => net.connect(socket), stream: { url: server.url, token } });
  return {
    engine,
    store,
    server,
    token,
    home,
    folder,
    outputs,
    mainline,
    http,
    lines,
    defects,
    shutdowns,
    submit: (input) => new Promise((resolve) => engine.submit({ actor: "person:test", input }, resolve)),
    stateText: () => canonical(toPlain(engine.state)),
    close: async () => {
      lines.close();
      await server.close();
      await end();
    },
  };
}

/** Runs a test in a world of its own and ends it whatever happens. */
export async function inFaceWorld<T>(
  test: (world: FaceWorld) => Promise<T>,
  change: Partial<DaemonParts> = {},
): Promise<T> {
  const world = await openFaceWorld(change);
  try {
    return await test(world);
  } finally {
    await world.close();
  }
}

/** The place of an agent in which no process has begun yet. */
const placeWithNothingBegun = {
  keeper: {
    request: () => Promise.reject(new Fault("unknown-call", { retry: "never", message: "there is no such call" })),
  },
} as unknown as Workspace;
