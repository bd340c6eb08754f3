// One agent's keeper: it waits in the pool until somebody opens it, then holds the agent's namespaces, files and commands
// until it is closed, whoever comes and goes at its socket.

import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import { Fault } from "../base/fault.ts";
import { unreachable } from "../base/assert.ts";
import {
  type CageOrder,
  type HelloAnswer,
  type JoinOrder,
  keeperProtocol,
  type KeeperOp,
  type LimitAnswer,
  type WaysAnswer,
  type OpenAnswer,
  type PlaceAnswer,
  type ProbeAnswer,
  type ProbeOp,
  type ProcessesAnswer,
  type PlacedAnswer,
  keeperLoansName,
  usualLandBytesMax,
  type WireBytes,
  type WorkspaceOrder,
} from "../protocol/keeper/keeper-wire.ts";
import { terminalSocketName } from "../protocol/keeper/terminal-line-wire.ts";
import { outerHost } from "../protocol/keeper/outer-host.ts";
import { Bridges } from "./bridges/bridges.ts";
import type { Joins } from "./bridges/joins.ts";
import { Cage } from "./cage/cage.ts";
import { CageParts } from "./cage/cage-parts.ts";
import type { Holder } from "./cage/holder.ts";
import { Limits } from "./cage/limits.ts";
import { MountAhead } from "./cage/mount-ahead.ts";
import { Quota } from "./cage/quota.ts";
import { copyWarm, mountWorkspace, takeWorkspace } from "./cage/workspace-mount.ts";
import { AgentGit } from "./commands/agent-git.ts";
import { Commands } from "./commands/commands.ts";
import { Pipes } from "./commands/pipes.ts";
import { Workspace } from "./files/workspace.ts";
import { HolderRecord } from "./holder-record.ts";
import { programPath, runProgram } from "./os/run-program.ts";
import { rehearse } from "./rehearsal.ts";
import { type Connect, Refused } from "./ways-in/dial.ts";
import { Shares } from "./ways-in/shares.ts";
import type { WaysIn } from "./ways-in/ways-in.ts";
import { Terminals } from "./terminals/terminals.ts";

const version = "0.1.0";
/** How long the first files have the machine for themselves. */
const filesFirstMs = 400;

type Opened = {
  readonly order: CageOrder;
  readonly cage: Cage;
  readonly waysIn: WaysIn | undefined;
  readonly shares: Shares;
  readonly joins: Joins | undefined;
  readonly workspace: Workspace;
  readonly commands: Commands;
  readonly terminals: Terminals;
  readonly quota: Quota;
  readonly answer: OpenAnswer;
  readonly lock: Server;
  /** The agent's own repository, where it has one. */
  readonly git: AgentGit | undefined;
};

export type KeeperOptions = {
  readonly folder: string;
  /** What keepers share and can make again. */
  readonly cache: string;
  /** False where the machine has no user namespaces: then it keeps clones without a cage only. */
  readonly ownNamespaces: boolean;
  readonly groups: readonly string[];
  readonly onOpen: (agent: string) => void;
};

export class Keeper {
  readonly #folder: string;
  readonly #limits: Limits;
  readonly #parts: CageParts;
  readonly #pipes: Pipes;
  readonly #onOpen: (agent: string) => void;
  readonly #ahead: MountAhead;
  #opened: Opened | undefined;
  #opening: Promise<OpenAnswer> | undefined;
  #warming: NodeJS.Timeout | undefined;

  constructor({ folder, cache, ownNamespaces, groups, onOpen }: KeeperOptions) {
    this.#folder = folder;
    this.#limits = new Limits(groups);
    this.#parts = new CageParts({ folder, cache, ownNamespaces });
    this.#pipes = new Pipes(join(folder, "pipes"));
    this.#onOpen = onOpen;
    this.#ahead = new MountAhead(folder);
  }

  get isWaiting(): boolean {
    return this.#opening === undefined;
  }

  /** Does ahead what every agent needs. What fails here is told when somebody opens. */
  async warmUp(): Promise<void> {
    const parts = this.#parts.own ? this.#parts.prepare() : Promise.resolve();
    await Promise.allSettled([parts, this.#pipes.refill()]);
    const rehearsing = this.isWaiting ? rehearse(this.#folder, understudyIn, () => this.isWaiting) : undefined;
    await Promise.allSettled([this.#prepareLimits(), rehearsing]);
  }

  async #prepareLimits(): Promise<void> {
    this.#limits.prepare();
  }

  async answer(op: KeeperOp): Promise<unknown> {
    switch (op.op) {
      case "hello":
        return this.#hello();
      case "prepare":
        await this.#prepare(op.workspace);
        return {};
      case "open":
        return this.#open(op.cage);
      case "read":
        return this.#it().workspace.read(op.path);
      case "list":
        return this.#it().workspace.list(op);
      case "ignored":
        return { ignored: this.#it().workspace.ignored(op.paths, op.tracked ?? []) };
      case "search":
        return this.#it().workspace.search(op);
      case "place":
        return this.#place(this.#it(), op);
      case "placed":
        return { placed: await this.#it().workspace.placer.placed(op.tag) } satisfies PlacedAnswer;
      case "scan":
        return this.#it().workspace.scan(op);
      case "keep":
        return this.#it().workspace.keep(op.paths, op.outbox);
      case "system":
        this.#it().quota.count(op.system.data.map(({ outside }) => outside));
        await this.#it().cage.makeSystem(op.name, op.system);
        return {};
      case "start":
        return this.#it().commands.start(op);
      case "wait":
        return this.#it().commands.wait(op.call);
      case "input":
        return { taken: await this.#it().commands.input(op) };
      case "output":
        return this.#it().commands.output(op);
      case "stop":
        return this.#it().commands.stop(op.call, op.graceMs, op.signal);
      case "stop-all":
        // Nothing shall live afterwards, not even what would wait for the next command.
        clearTimeout(this.#warming);
        return this.#it().commands.stopAll(op.graceMs);
      case "cage":
        await this.#it().cage.made();
        return {};
      case "halt":
        await this.#it().commands.halt(op.on);
        return {};
      case "forget":
        await this.#it().commands.forget(op.call);
        this.#it().workspace.placer.forget(op.call);
        return {};
      case "processes":
        return this.#processes(this.#it());
      case "watch":
        return this.#it().workspace.watches.next(op.watch, op.globs, op.seen);
      case "signal":
        await this.#it().commands.signal(op.call, op.signal);
        return {};
      case "limit":
        return { held: await this.#it().commands.limit(op.call, op.limits) } satisfies LimitAnswer;
      case "limits":
        await this.#it().commands.limitAll(op.limits);
        return {};
      case "quota":
        await this.#it().quota.set(op.diskBytes);
        return {};
      case "join":
        await this.#joinsOf(this.#it()).set(op.joined);
        return {};
      case "ways":
        return { lacking: (await this.#it().waysIn?.set(op.ports, op.version)) ?? [] } satisfies WaysAnswer;
      case "share":
        await this.#it().shares.set(op.port, op.to, op.version);
        return {};
      case "probe":
        return this.#probe(this.#it(), op);
      case "terminal-open":
        return this.#it().terminals.open(op);
      case "terminal-input":
        return this.#it().terminals.input(op);
      case "terminal-resize":
        return this.#it().terminals.resize(op);
      case "terminal-read":
        return this.#it().terminals.read(op);
      case "terminal-screen":
        return this.#it().terminals.screen(op);
      case "terminal-line":
        return this.#it().terminals.line(op.terminal);
      case "terminal-wait":
        return this.#it().terminals.wait(op.terminal);
      case "terminal-close":
        return this.#it().terminals.close(op);
      case "terminal-list":
        return this.#it().terminals.list();
      case "close":
        return this.close(op.graceMs);
      default:
        return unreachable(op);
    }
  }

  /** Ends everything inside. The process ends afterwards, and its mounts with it. */
  async close(graceMs: number): Promise<object> {
    await this.#opening?.catch(() => undefined);
    const it = this.#opened;
    clearTimeout(this.#warming);
    if (it !== undefined) {
      await it.commands.stopAll(graceMs);
      it.waysIn?.close();
      it.joins?.close();
      await it.cage.close();
      await it.workspace.close();
      if (this.#parts.own) await runProgram("umount", ["-l", join(this.#folder, "w")]);
      openUp(it.order);
      it.lock.close();
    }
    return {};
  }

  /** Lets go of its folders. Only for one that was closed in a process that goes on. */
  release(): void {
    this.#opened?.workspace.release();
  }

  #processes({ order, commands }: Opened): ProcessesAnswer {
    const { usualDisk } = order.limits;
    return { keeper: process.pid, calls: commands.processes(), ...(usualDisk === undefined ? {} : { usualDisk }) };
  }

  async #place({ workspace, quota, git }: Opened, op: Extract<KeeperOp, { op: "place" }>): Promise<PlaceAnswer> {
    const { tag, changes, counted = false, evenOversized = false, stands } = op;
    const comingBytes = changes.reduce((sum, { bytes }) => sum + sizeOf(bytes), 0);
    // Whoever takes something away makes room.
    if (counted && comingBytes > 0 && !workspace.placer.isDone(tag)) await quota.check(comingBytes);
    // Where only the commit moves there is nothing to place.
    const isEmpty = changes.length === 0 && stands !== undefined;
    const answer = isEmpty ? { placed: [] } : await workspace.place(tag, changes, { evenOversized });
    if (stands !== undefined) git?.moved(stands);
    const { ignored } = op;
    return ignored === undefined ? answer : { ...answer, ignored: workspace.ignored(ignored.paths, ignored.tracked) };
  }

  async #probe({ cage }: Opened, op: ProbeOp): Promise<ProbeAnswer> {
    const { probe } = await import("./ways-in/probe.ts");
    return probe(op, (port, signal) => cage.connect(port, signal));
  }

  #hello(): HelloAnswer {
    return {
      ...{ protocol: keeperProtocol, version, pid: process.pid },
      agent: this.#opened?.order.agent ?? null,
      calls: this.#opened?.commands.list() ?? [],
    };
  }

  async #prepare(workspace: WorkspaceOrder): Promise<void> {
    if (!this.isWaiting) throw new Fault("already-open", { retry: "never", message: "this keeper has an agent" });
    await this.#ahead.prepare(workspace);
  }

  async #open(order: CageOrder): Promise<OpenAnswer> {
    if (this.#opened !== undefined) {
      if (this.#opened.order.agent === order.agent) return this.#opened.answer;
      throw new Fault("already-open", { retry: "never", message: `this keeper keeps ${this.#opened.order.agent}` });
    }
    // Two daemons at once get one agent between them: the second sees what the first has made.
    this.#opening ??= this.#make(order).finally(() => {
      if (this.#opened === undefined) this.#opening = undefined;
    });
    return this.#opening;
  }

  async #make(order: CageOrder): Promise<OpenAnswer> {
    if (order.caged) for (const program of ["bwrap", "nsenter", "setpriv"]) programPath(program);
    if ((order.caged || order.workspace.kind === "overlay") && !this.#parts.own) {
      const message =
        "there are no user namespaces on this machine, so there is no cage; allow them (signalbox doctor says how), or give the word for one run with --no-cage";
      throw new Fault("cage-unavailable", { retry: "never", message });
    }
    this.#onOpen(order.agent);
    const journal = order.journal ?? this.#folder;
    mkdirSync(journal, { recursive: true, mode: 0o700 });
    const ahead = await this.#ahead.take(order.workspace);
    const lock = ahead?.lock ?? (await takeWorkspace(order.workspace));
    let cage: Cage | undefined;
    let waysIn: WaysIn | undefined;
    let joins: Joins | undefined;
    try {
      const holders = new HolderRecord(journal);
      // Its processes went with the keeper before; until they are gone they may still write.
      await holders.waitUntilGone();
      // Before anything is made: whoever asks may have to ask for other ports.
      const shares = sharesOf(order, () => cage);
      if (order.caged) waysIn = await openWaysIn(order, shares, () => cage);
      const { hash: kind = "sha1", landBytesMax = usualLandBytesMax } = order;
      const mounted = ahead?.mounted ?? (await mountWorkspace(order.workspace, this.#folder));
      const manifest = order.workspace.kind === "clone" ? `${order.workspace.folder}.copied` : "";
      const own = { journal, loans: join(this.#folder, keeperLoansName), manifest };
      const workspace = await Workspace.open(mounted, { kind, landBytesMax }, own);
      await copyWarm(order.workspace, mounted);
      this.#limits.set(order.limits);
      const welcome = (server: Server, port: number): void => waysIn?.serve(server, port);
      if (order.caged && order.joined !== undefined) joins = await this.#makeJoins(order.joined, () => cage, welcome);
      const begun = async (holder: Holder): Promise<void> => joins?.began(holder);
      cage = new Cage(order, mounted.root, this.#parts, this.#limits, holders, welcome, begun);
      await cage.prepare();
      const folders = [...ownFolders(order.workspace), order.home, order.tmp];
      const quota = new Quota(order.limits.diskBytes ?? null, folders, order.limits.usualDisk);
      const parts = { cage, limits: this.#limits, quota, pipes: this.#pipes, outputBytesMax: landBytesMax };
      const commands: Commands = new Commands(journal, { ...parts, before: () => this.#opened?.git?.ready() });
      const terminals = new Terminals(journal, {
        ...{ cage, limits: this.#limits, quota, pipes: this.#pipes, commands },
        socket: join(this.#folder, terminalSocketName),
        before: () => this.#opened?.git?.ready(),
      });
      const lost = await commands.recover();
      // Without a cage services take their ports themselves, and what was left of those before may have had them until now.
      if (!order.caged) (await openWaysIn(order, shares, () => cage))?.close();
      const redone = workspace.placer.recover();
      const answer = { tier: this.#limits.tier, caged: order.caged, seccomp: cage.hasSeccomp, lost, redone };
      const { git: gitOrder } = order;
      const git =
        gitOrder === null
          ? undefined
          : new AgentGit({ workspace, cage, commands, order: { ...order, git: gitOrder }, journal });
      this.#opened = { order, cage, waysIn, shares, joins, workspace, commands, terminals, quota, answer, lock, git };
      // Files can be read and written meanwhile; whoever starts a command waits for it.
      const warmUp = async (): Promise<void> => {
        await git?.make();
        commands.warmUp();
      };
      // Who has only files needs no repository: it is there before anything is started.
      if (order.filesFirst !== true) void git?.make()?.catch(() => undefined);
      if (order.filesFirst === true)
        this.#warming = setTimeout(() => void warmUp().catch(() => undefined), filesFirstMs);
      else void warmUp().catch(() => undefined);
      return answer;
    } catch (error) {
      // Somebody may try again, with another order.
      waysIn?.close();
      joins?.close();
      await cage?.close();
      if (this.#parts.own) await runProgram("umount", ["-l", join(this.#folder, "w")]);
      this.#opened = undefined;
      lock.close();
      throw error;
    }
  }

  async #makeJoins(
    first: JoinOrder,
    cage: () => Cage | undefined,
    welcome: (server: Server, port: number) => void,
  ): Promise<Joins> {
    const { Joins } = await import("./bridges/joins.ts");
    const made = new Joins({
      hosts: this.#parts.hosts,
      open: (network, bridges) => Bridges.open(network, bridges),
      network: () => cage()?.livingHolder,
      welcome,
    });
    await made.set(first);
    return made;
  }

  #joinsOf({ joins }: Opened): Joins {
    if (joins !== undefined) return joins;
    throw new Fault("bad-request", { retry: "never", message: "this agent was made without what joins it to others" });
  }

  #it(): Opened {
    if (this.#opened !== undefined) return this.#opened;
    throw new Fault("not-open", { retry: "never", message: "no agent has been given to this keeper yet" });
  }
}

/** A keeper as good as any other for what it is to try: without namespaces and groups, and nobody will look for it. */
export function understudyIn(folder: string): Keeper {
  return new Keeper({ folder, cache: folder, ownNamespaces: false, groups: [], onOpen: () => undefined });
}

/** Takes the agent's ports. A connection that comes before there is a cage finds nobody. */
async function openWaysIn(
  { ports = [], caged }: CageOrder,
  shares: Shares,
  cage: () => Cage | undefined,
): Promise<WaysIn | undefined> {
  if (ports.length === 0) return undefined;
  const { WaysIn } = await import("./ways-in/ways-in.ts");
  // Without a cage services listen where they always do.
  const hosts = caged ? [outerHost] : ["127.0.0.1", "::1"];
  return WaysIn.open({ ports, hosts }, async (port, signal) =>
    shares.has(port) ? shares.connect(port, signal) : cage()?.connect(port, signal),
  );
}

function sharesOf({ shared = [] }: CageOrder, cage: () => Cage | undefined): Shares {
  const connect: Connect = async (port, signal) => {
    const found = cage();
    if (found === undefined) throw new Refused(port);
    return found.connect(port, signal);
  };
  return new Shares(shared, connect, () => cage()?.livingHolder?.pid);
}

/** What of a workspace is the agent's own. */
function ownFolders(workspace: WorkspaceOrder): string[] {
  return workspace.kind === "overlay" ? [workspace.upper] : [workspace.folder];
}

function sizeOf(bytes: WireBytes | undefined): number {
  if (bytes === undefined) return 0;
  return "base64" in bytes ? Buffer.byteLength(bytes.base64, "base64") : statSync(bytes.file).size;
}

/** The kernel leaves a folder behind that not even its owner could remove. */
function openUp({ workspace }: CageOrder): void {
  if (workspace.kind !== "overlay") return;
  const inner = join(workspace.work, "work");
  if (existsSync(inner)) chmodSync(inner, 0o700);
}
