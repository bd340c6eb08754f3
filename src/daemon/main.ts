// The only place where everything is wired together: home, log, engine, node, faces.

import { existsSync, readFileSync } from "node:fs";
import { chown, mkdir } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { makeAssistants, makeOwnAssistant, otherNames } from "../adapters/assistant/built-in-assistants.ts";
import { FileBlobStore } from "../adapters/blob/file-blob-store.ts";
import { systemClock } from "../adapters/clock/system-clock.ts";
import { GitMainlines } from "../adapters/git/git-mainlines.ts";
import { SocketProjectLock } from "../adapters/lock/socket-project-lock.ts";
import { FileOutputStore } from "../adapters/output/file-output-store.ts";
import { ScriptRunner } from "../adapters/runner/script-runner.ts";
import { FileSecretStore } from "../adapters/secret/file-secret-store.ts";
import { SqliteStore } from "../adapters/store/sqlite-store.ts";
import { Defect } from "../base/assert.ts";
import { Fault } from "../base/fault.ts";
import type { Input } from "../core/inputs.ts";
import { isOver } from "../core/run/run-states.ts";
import { defaultEngineOptions, Engine } from "../engine/engine.ts";
import { Audit } from "../node/audit/audit.ts";
import { AuditWatch } from "../node/audit/audit-watch.ts";
import { AssistantRunner, type Surroundings } from "../node/assistants/assistant-runner.ts";
import { Assistants } from "../node/assistants/assistants.ts";
import { ModelSources } from "../node/assistants/model-sources.ts";
import { RunnerInventory } from "../node/assistants/runner-inventory.ts";
import { Ways } from "../node/assistants/ways.ts";
import { CommandRunner } from "../node/assistants/command-runner.ts";
import { Execs } from "../node/agents/execs.ts";
import { ServiceSystems } from "../node/agents/service-systems.ts";
import { EngineLine } from "../node/engine-line.ts";
import { readMachine } from "../node/disk/machine.ts";
import { DiskWatch } from "../node/disk/disk-watch.ts";
import { GroundDisk } from "../node/disk/ground-disk.ts";
import { Images } from "../node/images/images.ts";
import { LogCheck } from "./log-check.ts";
import { prepareGround } from "../node/keepers/agent-ground.ts";
import { chooseWorkspaces, workspacesVariable } from "../node/keepers/choose-workspaces.ts";
import { stagedFor, toStaged } from "../node/keepers/staging.ts";
import { findToolchains } from "../node/keepers/toolchains.ts";
import { KeeperPool } from "../node/keepers/keeper-pool.ts";
import { PooledKeepers } from "../node/keepers/pooled-keepers.ts";
import { EgressWays } from "../node/egress/egress-ways.ts";
import { systemResolve } from "../node/egress/reach.ts";
import { LocalNode } from "../node/local-node.ts";
import { OldOutputs } from "../node/old-outputs.ts";
import { McpServers } from "../node/mcp-servers/mcp-servers.ts";
import { DoorKeys } from "../node/model-door/door-keys.ts";
import { ModelDoors } from "../node/model-door/model-doors.ts";
import { Credentials } from "../node/relay/credentials.ts";
import { HeldBytes } from "../node/relay/held-bytes.ts";
import { KeptExchanges } from "../node/relay/kept-exchanges.ts";
import { ModelRelay } from "../node/relay/model-relay.ts";
import { Subscriptions } from "../node/relay/subscriptions.ts";
import { shareRooms } from "../node/tool-host/keep-output.ts";
import { readLive } from "../node/tool-host/live-output.ts";
import { Recordings } from "../node/terminals/recordings.ts";
import { forgetOldRecordings } from "../node/terminals/old-recordings.ts";
import { Terminals } from "../node/terminals/terminals.ts";
import { Artifacts } from "../node/tool-host/artifacts.ts";
import { UseHistory } from "../node/usage/use-history.ts";
import { watchUse } from "./watch-use.ts";
import { readLandBytesMax } from "../node/workspace/land-bytes.ts";
import { readUsualLimits } from "../node/workspace/usual-limits.ts";
import { Workspaces } from "../node/workspace/workspaces.ts";
import type { Assistant } from "../ports/assistant.ts";
import type { Runner } from "../ports/runner.ts";
import { homeFrom } from "../protocol/home.ts";
import { examine } from "./doctor.ts";
import { endAllRuns, setFirstLimit, takeProjects, warmWhereThereIsWork } from "./engine-life.ts";
import { DurableReads } from "./durable-reads.ts";
import { prepareHome, readOrMakeToken, removeDaemonInfo, writeDaemonInfo } from "./home.ts";
import { checkLogIsThere, keepPrivate } from "./guard-log.ts";
import { doorPathOf } from "./http/door-face.ts";
import { Gates } from "./http/gates.ts";
import { makeRoomOn } from "./make-room.ts";
import { checkMaintenance } from "./maintenance/check-maintenance.ts";
import { lastRoomOf } from "./maintenance/last-room.ts";
import { maintenanceJobs } from "./maintenance/jobs.ts";
import { maintainEveryMs, Maintenance } from "./maintenance/maintenance.ts";
import { mustBeApart } from "./own-folders.ts";
import { say } from "./say.ts";
import { type RunningServer, startServer } from "./server.ts";
import { PublishedWords } from "./stream/growing-words.ts";
import { Storage } from "./storage/storage.ts";

export { exportLog, verifyLog } from "./log-of-home.ts";
export { examine as doctor } from "./doctor.ts";

export type DaemonOptions = {
  readonly home: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** How often it tidies up by itself: left out, once in an hour; null is never. */
  readonly maintainMs?: number | null | undefined;
};

export type RunningDaemon = {
  readonly pid: number;
  readonly url: string;
  /** Opens the console once. */
  readonly loginUrl: string;
  readonly version: string;
  /** Everything that it has on disk: its home, and where its agents live if that is elsewhere. */
  readonly folders: readonly string[];
  /** Ends every run by force, and resolves when nothing of any of them is left. */
  endRuns(): Promise<void>;
  /** Resolves when the daemon has ended, for whatever reason. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

const root = join(import.meta.dirname, "../..");
const nodeName = "local";
/** How long a daemon that ends waits for what it was ending: its processes have two seconds to tidy up. */
const endMsMax = 10_000;
/** Keepers that wait for an agent, so that no agent waits for one. */
const warmKeepers = 2;

/** Starts a daemon in this process. Throws a Fault that says what is in the way. */
export async function startDaemon(options: DaemonOptions): Promise<RunningDaemon> {
  const paths = await prepareHome(options.home);
  await checkLogIsThere(paths);
  const store = SqliteStore.open({ path: paths.log });
  const opened: (() => Promise<void> | void)[] = [];
  let engine: Engine | undefined;
  try {
    const projects = new SocketProjectLock({ pid: process.pid, home: options.home });
    opened.push(() => projects.close());
    const blobs = new FileBlobStore(paths.blobs);
    const wallMs = (): number => systemClock.wallMs();
    const secrets = new FileSecretStore({ file: paths.secrets, keyFile: paths.secretsKey, wallMs });
    const credentials = new Credentials(secrets, process.env);
    const subscriptions = new Subscriptions({ secrets, env: process.env, wallMs });
    const keys = new DoorKeys(join(paths.node, "doors"));
    const doors = new ModelDoors({ keys, clock: systemClock });
    const version = readVersion();
    const ground = await prepareGround(options.home, paths.node);
    const token = await readOrMakeToken(paths.token);
    const gates = new Gates({ folder: join(ground.folder, "gates"), owner: ground.owner });
    opened.push(() => gates.close());
    const builtIn = makeAssistants();
    const ownAssistants = (): Assistant[] => [...(engine?.state.runners.values() ?? [])].map(makeOwnAssistant);
    const assistantOf = (name: string): Assistant | undefined =>
      [...builtIn, ...ownAssistants()].find((assistant) => assistant.name === name);
    const models = new ModelSources({ credentials, subscriptions, env: process.env, said: () => engine?.state });
    const spoken = new Ways(ground.folder);
    const assistants = new Assistants({
      all: () => [...builtIn, ...ownAssistants()],
      ...{ assistantOf, keys, gates, doorPathOf, secret: token, canRead: ground.canRead },
      relay: () => relay,
      paid: () => credentials.paid(),
      models,
      ways: spoken,
      folders: Assistants.foldersOf(process.env["PATH"] ?? "", paths.runners),
    });
    const words = new PublishedWords(async () => [...(await secrets.values()), ...(await subscriptions.values())]);
    const toRunner = (assistant: Assistant): Runner => {
      const surroundings = async (run: string): Promise<Surroundings> =>
        assistants.surroundingsOf(assistant, run, await node.placeOf(run));
      return new AssistantRunner({ assistant, doors, clock: systemClock, words, surroundings });
    };
    const command = new CommandRunner({
      keeperOf: (run) => node.keeperOf(run),
      artifactFile: (run, name) => join(paths.node, "calls", run, "artifacts", name),
    });
    const runners: ReadonlyMap<string, Runner> = new Map(
      [new ScriptRunner(), doors, command, ...builtIn.map(toRunner)].map((runner) => [runner.name, runner]),
    );
    const runnerOf = (name: string): Runner | undefined => {
      const own = runners.has(name) ? undefined : assistantOf(name);
      return own === undefined ? runners.get(name) : toRunner(own);
    };
    await keepPrivate(paths.log);
    const { owner, as, main, node: program } = ground;
    const chosen = await chooseWorkspaces(process.env[workspacesVariable], { as, folder: ground.folder });
    const stacked = chosen.kind === "overlay";
    const own = [options.home, ground.folder, ...ground.shared, homeFrom({ ...process.env, SIGNALBOX_HOME: "" })];
    const check = (root: string): Promise<void> => mustBeApart(root, own);
    const mainlines = new GitMainlines({ folder: join(ground.folder, "projects"), owner, stacked, check });
    opened.push(() => mainlines.close());
    const toolchains = await findToolchains({ env: process.env, home: homedir(), ...ground, check });
    const staged = toStaged(ground.stage, toolchains.staged);
    const pool = new KeeperPool({
      folder: join(ground.folder, "keepers"),
      warm: warmKeepers,
      as,
      namespaces: chosen.namespaces,
      cache: ground.cache,
      staged,
      main,
      node: program,
    });
    opened.push(() => pool.close());
    const images = new Images({
      ...{ folder: join(ground.folder, "images"), owner, as, env: process.env },
      wallMs: () => systemClock.wallMs(),
      label: pool.mark,
      pins: () => workspaces.pins(),
    });
    opened.push(() => images.close());
    await images.sweep();
    const disk = new GroundDisk({ folder: ground.folder });
    const usual = readUsualLimits(process.env);
    const keepers = new PooledKeepers(pool);
    const workspaces = new Workspaces({
      folder: join(ground.folder, "agents"),
      kind: chosen.kind,
      keepers,
      mainlineOf: (project) => mainlines.of(project),
      ...{ disk, usual },
      warmFolder: process.env["SIGNALBOX_WARM"] === "off" ? null : join(ground.folder, "warm"),
      ...{ homesFolder: join(ground.folder, "homes"), landBytesMax: readLandBytesMax(process.env) },
      owner,
      binds: toolchains.binds,
      staged: stagedFor(staged),
      env: { ...commandEnvironment(), ...toolchains.env },
      images,
    });
    opened.push(() => workspaces.close());
    /** Faces are there once everything else is. */
    const late: { server?: RunningServer } = {};
    const folder = join(ground.folder, "ways");
    const joinsFolder = join(ground.folder, "joins");
    await mkdir(joinsFolder, { recursive: true, mode: 0o700 });
    await chown(joinsFolder, owner.uid, owner.gid);
    const ways = new EgressWays({
      ...{ folder, owner, clock: systemClock, resolve: systemResolve() },
      faces: (label) => late.server?.faces.callable(label),
    });
    void images.prune({ all: false }).catch(() => undefined);
    const recordings = new Recordings({ folder: join(ground.folder, "recordings"), owner });
    const terminals = new Terminals({
      recordings,
      ...{ clock: systemClock, onDefect: stopOrSay },
    });
    const inventory = new RunnerInventory({
      own: {
        script: {},
        mcp: { messages: true, steer: true, subagents: true },
        command: { streaming: true, messages: true },
      },
      assistants: () => [...builtIn, ...ownAssistants()],
      programOf: (assistant) => assistants.programOf(assistant),
      models,
      ways: spoken,
      ground: ground.folder,
    });
    const seen = new UseHistory(join(paths.node, "use-history.json"), () => engine?.nowMs() ?? 0);
    await seen.load();
    const node = new LocalNode({
      name: nodeName,
      folder: paths.node,
      runners: { get: runnerOf, keys: () => runners.keys() },
      clock: systemClock,
      readScript: async (name) => readScript(await blobs.get(name), name),
      readBlob: (name) => blobs.get(name),
      secrets,
      systems: new ServiceSystems({ images, owner }),
      joinsFolder,
      missing: (runner) => inventory.whyNot(runner),
      workspaces,
      ways,
      assistants,
      terminals,
      seen,
      onDefect: stopHard,
    });
    opened.push(async () => {
      node.close();
      await node.endings.settled(endMsMax);
    });
    engine = await Engine.open(
      { store, clock: systemClock, nodes: node },
      { ...defaultEngineOptions, version, onHalt: stopHard },
    );
    const running = engine;
    shareRooms(join(paths.node, "calls"), () => running.state);
    opened.push(() => running.close());
    // What passed is told while the engine still takes it.
    opened.push(() => ways.close());
    await takeProjects(running, projects);
    warmWhereThereIsWork(running, pool);
    const line = new EngineLine(
      (given, reply) => running.submit(given, reply),
      systemClock,
      () => running.nowMs(),
    );
    const held = new HeldBytes({ clock: systemClock });
    const servers = new McpServers({
      held,
      ...{ state: () => running.state, secrets, resolve: systemResolve(), clock: systemClock, onDefect: stopOrSay },
      report: async (input) => (await line.submit({ actor: "system", input })).ok,
      faces: (label) => late.server?.faces.callable(label),
    });
    running.subscribe((events) => servers.hear(events));
    opened.push(() => servers.close());
    const exchangeFolder = join(paths.node, "models");
    const relay = new ModelRelay({
      node: nodeName,
      socketFolder: join(ground.folder, "relay"),
      owner,
      exchangeFolder,
      credentials,
      subscriptions,
      secrets,
      env: process.env,
      line,
      state: () => running.state,
      ...{ servers, held, onDefect: stopOrSay },
    });
    opened.push(() => relay.close());
    await relay.start();
    running.subscribe((events) => relay.hear(events));
    node.connect(line, () => running.state);
    await doors.keys.prune((run) => isOver(running.state.runs.get(run)?.state ?? "done"));
    if (running.state.seq === 1) await setFirstLimit(running);

    const reads = new DurableReads({ engine: running, store, clock: systemClock });
    opened.push(() => reads.close());
    const shared = { engine: running, store, mainlines, clock: systemClock };
    const storage = new Storage({ ...shared, reads, workspaces, disk, images, blobs });
    opened.push(() => storage.close());
    const diskWatch = new DiskWatch({ clock: systemClock, disk, say, onDefect: stopOrSay });
    opened.push(() => diskWatch.close());
    makeRoomOn(disk, { workspaces, images, storage, node, diskWatch, line });
    diskWatch.begin();

    const audit = new Audit({
      ...{
        ground: ground.folder,
        node: paths.node,
        pool,
        keepers,
        workspaces,
        images,
        startedAtMs: systemClock.wallMs(),
      },
      state: () => running.state,
      settled: async (patienceMs) => {
        const late = await node.endings.settled(patienceMs);
        await pool.groupsGone();
        return late;
      },
    });
    const audits = new AuditWatch({ clock: systemClock, audit, say });
    const retention = { recordings, state: () => running.state, nowMs: () => running.nowMs() };
    const forget = (input: Input): Promise<{ readonly ok: boolean }> => line.submit({ actor: "system", input });
    const outputs = new OldOutputs({
      ...{ calls: join(paths.node, "calls"), models: exchangeFolder, submit: forget },
      forgetExchanges: (run) => relay.forgetExchanges(run),
      ...{ state: () => running.state, nowMs: () => running.nowMs() },
    });
    const maintenance = new Maintenance({
      ...{ clock: systemClock, file: join(paths.node, "maintenance.json"), say },
      everyMs: options.maintainMs === undefined ? maintainEveryMs : options.maintainMs,
      jobs: maintenanceJobs({
        recordings: (dryRun) => forgetOldRecordings({ ...retention, submit: forget }, dryRun),
        outputs: (dryRun) => outputs.forget(dryRun),
        ...{ storage, images, audits, store, output: paths.output },
      }),
    });
    await maintenance.begin();
    opened.push(() => maintenance.close());
    const log = new LogCheck({ path: paths.log, events: store.lastSeq, say });
    opened.push(() => log.close());

    const watching = watchUse({
      ...{ clock: systemClock, engine: running, disk, seen, usual, machine: readMachine, onDefect: stopOrSay },
      processesOf: (agent) => node.agents.processesOf(agent),
      folder: join(ground.folder, "agents"),
    });
    opened.push(() => watching.close());

    const execs = new Execs({
      ...{ agents: node.agents, state: () => running.state, clock: systemClock },
      onFailed: stopOrSay,
    });
    const ended = Promise.withResolvers<void>();
    const consoleFolder = join(root, "dist/console");
    const server = await startServer({
      engine: running,
      store,
      blobs,
      workspaces: chosen,
      agents: node.agents,
      execs,
      outputs: new FileOutputStore(join(paths.node, "calls")),
      live: async (order) => readLive(await node.keeperOf(order.run), order),
      mainlines,
      projects,
      ...{ secrets, credentials, subscriptions, images, log, audit: audits, maintenance, storage, words },
      machine: readMachine,
      ...{ usage: watching.usage, seen, heldUp: node.heldUp, kept: workspaces.kept, diskWatch },
      clock: systemClock,
      look: (project) => node.look(project),
      home: options.home,
      token,
      version,
      port: options.port,
      person: `person:${personName()}`,
      runners: [...runners.keys()],
      otherNames,
      inventory,
      doors,
      gates,
      artifactsOf: (run) => new Artifacts(join(paths.node, "calls", run)),
      exchanges: new KeptExchanges(exchangeFolder),
      terminals,
      nodes: [nodeName],
      consoleFolder: existsSync(join(consoleFolder, "index.html")) ? consoleFolder : null,
      checks: async () => [
        ...(await examine(options.home)).checks,
        { name: "workspaces", ok: true, needed: true, detail: chosen.why, fix: null },
        checkMaintenance(maintenance, systemClock.wallMs(), lastRoomOf(running.state)),
      ],
      shutdown: () => void close(),
      onDefect: stopOrSay,
    });
    late.server = server;
    opened.push(() => server.close());
    // Whoever listens comes back to the next daemon: those who are turned away now have not left.
    opened.push(() => execs.close());
    void execs.begin();
    const startedAt = new Date().toISOString();
    await writeDaemonInfo(paths.daemon, { pid: process.pid, url: server.url, version, startedAt });
    opened.push(() => removeDaemonInfo(paths.daemon, process.pid));

    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closing ??= closeAll(opened).then(() => ended.resolve());
      return closing;
    };
    const { url: loginUrl } = server.makeLoginLink();
    const endRuns = (): Promise<void> => endAllRuns(running);
    const folders = [options.home, ...(ground.folder.startsWith(`${options.home}/`) ? [] : [ground.folder])];
    return { pid: process.pid, url: server.url, loginUrl, version, folders, endRuns, ended: ended.promise, close };
  } catch (error) {
    await closeAll(opened);
    // An engine that was opened has let the store go with it.
    if (engine === undefined) await store.close();
    throw error;
  }
}

/** The last one opened is the first to go: faces, then the engine with its store, then the node. One that cannot is said. */
async function closeAll(opened: (() => Promise<void> | void)[]): Promise<void> {
  for (let close = opened.pop(); close !== undefined; close = opened.pop()) {
    try {
      await close();
    } catch (error) {
      say(error);
    }
  }
}

function readScript(bytes: Uint8Array | null, name: string): string {
  if (bytes !== null) return new TextDecoder().decode(bytes);
  throw new Fault("blob-missing", { retry: "never", message: `the script ${name} is not stored here any more` });
}

/** What commands see of our surroundings: where programs are and how text is spelled, and nothing that could be a secret. */
function commandEnvironment(): Record<string, string> {
  const kept = ["LANG", "LC_ALL", "TERM", "TZ"];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function personName(): string {
  const name = userInfo().username.replaceAll(/[^\w.-]/g, "");
  return name === "" ? "owner" : name;
}

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return manifest.version;
}

/** A face that stumbles answers `internal` and goes on; a broken assumption of ours does not. */
function stopOrSay(error: unknown): void {
  if (error instanceof Defect) stopHard(error);
  say(error);
}

/** A mistake of ours: going on would be worse than stopping. The restart replays the log. */
function stopHard(error: unknown): void {
  say(error);
  process.exit(70);
}
