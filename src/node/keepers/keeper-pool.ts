// Keepers that wait for an agent, and those that an earlier daemon left with theirs. A keeper is started ahead, because an
// agent should not wait for it; it is known again by pid, start time and boot, never by its name.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { socketPathBytesMax } from "../../base/socket-path.ts";
import {
  keeperArgv,
  keeperLogName,
  keeperRecordName,
  keeperSocketName,
  type KeeperRecord,
  type StagedFolders,
} from "../../protocol/keeper/keeper-command.ts";
import { isErrno } from "../../os/errno.ts";
import { identify, identifyWritten, signalProcess, type ProcessIdentity } from "../supervisor/process-identity.ts";
import { KeeperClient } from "./keeper-client.ts";
import { lastWordIn, whyClosed } from "./why-no-keeper.ts";
import { readHandedSync } from "../handed-file.ts";
import { keeperMark, keeperMarkName, readOrMakeMark } from "./keeper-mark.ts";
import { enterGroups, groupPrefixOf, makeGroups, removeGroups, sweepGroups } from "./keeper-groups.ts";

export type KeeperPoolOptions = {
  /** Where the keepers' folders are. Whoever keepers run as must be able to walk there. */
  readonly folder: string;
  /** How many wait at a time. */
  readonly warm: number;
  /** Whom a root daemon starts keepers as. */
  readonly as: { readonly uid: number; readonly gid: number } | null;
  readonly namespaces: boolean;
  /** What keepers share and can make again: compiled code, and the /etc of cages. */
  readonly cache: string;
  /** What keepers find though they could not get there. */
  readonly staged?: StagedFolders;
  /** False where limits shall do without control groups. */
  readonly groups?: boolean;
  readonly main?: string;
  readonly node?: string;
};

/** A keeper that is there, or what one that is gone has left. */
export type FoundKeeper = {
  readonly folder: string;
  readonly agent: string;
  readonly alive: boolean;
  /** Which protocol it speaks. */
  readonly protocol: number;
  readonly client: KeeperClient;
};

/** How long one may take until it has said who it is. */
export const startMsMax = 20_000;
/** What is left of control groups is tried again so often, for ten seconds. */
const [groupRetryMs, groupTriesMax] = [100, 100];
const refillDelayMs = 500;
const recordBytesMax = 1024 * 1024;
const defaultMain = join(import.meta.dirname, "../../keeper/main.ts");

export class KeeperPool {
  readonly #options: KeeperPoolOptions;
  readonly #warm: Promise<KeeperClient>[] = [];
  /** Those of the waiting that have made something ready for whoever comes. */
  readonly #lent = new Set<KeeperClient>();
  /** Groups of keepers that are gone, while they are taken away. */
  readonly #leaving = new Set<Promise<void>>();
  readonly groupPrefix: string;
  #mark: string | undefined;
  #refilling: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: KeeperPoolOptions) {
    this.#options = options;
    this.groupPrefix = groupPrefixOf(options.folder);
  }

  /** Where the keepers' folders are. */
  get folder(): string {
    return this.#options.folder;
  }

  /** What the environment of every keeper from here begins with. */
  get mark(): string {
    this.#mark ??= readOrMakeMark(this.#options.folder);
    return this.#mark;
  }

  /** Starts as many as shall wait. */
  async fill(): Promise<void> {
    while (!this.#closed && this.#warm.length + this.#lent.size < this.#options.warm) {
      const next = this.#start();
      next.catch(() => undefined);
      this.#warm.push(next);
    }
    await Promise.all(this.#warm);
  }

  /** A keeper that nobody has yet; another takes its place in the pool, at once where none is left. */
  async take(): Promise<KeeperClient> {
    const waiting = this.#warm.shift();
    if (this.#warm.length === 0) this.#refill();
    else this.#refillSoon();
    const client = await waiting?.catch(() => undefined);
    // One that waited may have been killed meanwhile.
    if (client !== undefined && livesIn(client.folder)) return client;
    return this.#start();
  }

  /** One of those that wait, to make something ready. It still counts as one of them. The last one is nobody's. */
  async lend(): Promise<KeeperClient | undefined> {
    const waiting = this.#closed || this.#warm.length < 2 ? undefined : this.#warm.shift();
    const client = await waiting?.catch(() => undefined);
    if (client === undefined) return undefined;
    if (this.#closed || !livesIn(client.folder)) {
      await this.#endWaiting(client);
      return undefined;
    }
    this.#lent.add(client);
    return client;
  }

  /** Somebody has it now, so that another takes its place in the pool. */
  pass(client: KeeperClient): void {
    if (this.#lent.delete(client)) this.#refillSoon();
  }

  /** Ends one that was lent. */
  async takeBack(client: KeeperClient): Promise<void> {
    await this.#endWaiting(client);
    this.pass(client);
  }

  async #endWaiting(client: KeeperClient): Promise<void> {
    await client.close(0).catch(() => undefined);
    client.disconnect();
    if (!(await waitUntilGone(client.folder))) await this.kill(client.folder);
    this.discard(client.folder);
  }

  #refill(): void {
    if (this.#options.warm > 0) void this.fill().catch(() => undefined);
  }

  /** Starting one takes the machine for a while, which is better spent on the agent that begins now. */
  #refillSoon(): void {
    this.#refilling ??= setTimeout(() => {
      this.#refilling = undefined;
      this.#refill();
    }, refillDelayMs).unref();
  }

  /** The keepers of agents, from this daemon or an earlier one. */
  find(): FoundKeeper[] {
    return this.#look().flatMap(({ folder, record, alive }) => {
      if (record === undefined || record.agent === null) return [];
      const { agent, protocol } = record;
      return [{ folder, agent, alive, protocol, client: new KeeperClient(folder) }];
    });
  }

  /** Removes what is left of keepers that waited for an agent and went with their daemon, which may be after we looked. */
  tidy(): void {
    for (const { folder, record, alive } of this.#look()) {
      if (alive || (record !== undefined && record.agent !== null)) continue;
      // One that has only just been started has not said who it is. One that has, and waited for an agent, is over.
      if (record !== undefined || ageMsOf(folder) > startMsMax) this.discard(folder);
    }
  }

  #look(): { readonly folder: string; readonly record: ReturnType<typeof readRecord>; readonly alive: boolean }[] {
    return namesIn(this.#options.folder).map((name) => {
      const folder = join(this.#options.folder, name);
      const record = readRecord(folder);
      return { folder, record, alive: identityOf(folder, record) !== undefined };
    });
  }

  /** Removes control groups that no folder speaks of any more. */
  async sweep(): Promise<void> {
    const names = namesIn(this.#options.folder).map((name) => this.groupPrefix + name);
    await sweepGroups(this.groupPrefix, new Set(names));
  }

  /**
   * Ends a keeper that does not answer, and with it everything in its cage: the kernel sees to that. False when not even
   * this ends it.
   */
  async kill(folder: string): Promise<boolean> {
    const identity = identityOf(folder);
    if (identity !== undefined) signalProcess(identity, "SIGKILL");
    return waitUntilGone(folder);
  }

  /** Removes what a keeper that is gone has left in its folder. */
  discard(folder: string): void {
    const record = readRecord(folder);
    if (identityOf(folder, record) !== undefined)
      throw new Fault("keeper-alive", { retry: "never", message: `the keeper in ${folder} lives` });
    if (record !== undefined) this.#removeGroups(record.groups);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Resolves when the control groups of those that were discarded are gone, or could not be removed for ten seconds. */
  async groupsGone(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  #removeGroups(groups: readonly string[]): void {
    const left = removeGroups(groups);
    if (left.length === 0) return;
    const leaving = this.#removeLeft(left).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  /** The kernel takes a moment to end what was in the cage of a keeper that was killed, and no folder speaks of it then. */
  async #removeLeft(groups: readonly string[]): Promise<void> {
    let left = groups;
    for (let tries = 0; tries < groupTriesMax && left.length > 0 && !this.#closed; tries++) {
      await new Promise((resolve) => setTimeout(resolve, groupRetryMs).unref());
      left = removeGroups(left);
    }
  }

  /** Ends the keepers that wait. Those that have an agent go on. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#refilling);
    for (const waiting of this.#warm.splice(0)) {
      const client = await waiting.catch(() => undefined);
      if (client !== undefined) await this.#endWaiting(client);
    }
    for (const client of this.#lent) await this.#endWaiting(client);
    this.#lent.clear();
    await this.sweep();
  }

  async #start(): Promise<KeeperClient> {
    const { as, namespaces, cache, staged, main = defaultMain, node = process.execPath } = this.#options;
    const name = `k${randomBytes(5).toString("hex")}`;
    const folder = join(this.#options.folder, name);
    if (Buffer.byteLength(join(folder, keeperSocketName)) > socketPathBytesMax) {
      const message = `${folder} is too long a path for a socket: put the keepers' folder elsewhere`;
      throw new Fault("keeper-failed", { retry: "never", message });
    }
    for (const path of [this.#options.folder, cache]) mkdirSync(path, { recursive: true, mode: 0o711 });
    mkdirSync(folder, { mode: 0o700 });
    if (as !== null) for (const path of [folder, cache]) chownSync(path, as.uid, as.gid);
    const groups = this.#options.groups === false ? [] : await makeGroups(this.groupPrefix + name, as);
    const start = { node, main, folder, as, namespaces, daemon: ownIdentity(), cache, groups };
    const argv = keeperArgv({ ...start, ...(staged === undefined ? {} : { staged }) });
    const log = openSync(join(folder, keeperLogName), "a", 0o600);
    try {
      const ended = new AbortController();
      const child = spawn(argv[0], argv.slice(1), {
        cwd: "/",
        detached: true,
        stdio: ["ignore", log, log],
        env: { ...keeperEnv(cache), [keeperMarkName]: keeperMark(this.mark, name) },
      });
      child.once("error", () => ended.abort());
      child.once("exit", () => ended.abort());
      child.unref();
      if (child.pid !== undefined) enterGroups(groups, child.pid);
      return await this.#ready(folder, ended.signal);
    } catch (error) {
      removeGroups(groups);
      const why = (await whyClosed(as, folder)) ?? lastWordIn(join(folder, keeperLogName));
      throw new Fault("keeper-failed", { retry: "later", cause: error, message: `no keeper could be started: ${why}` });
    } finally {
      closeSync(log);
    }
  }

  async #ready(folder: string, ended: AbortSignal): Promise<KeeperClient> {
    const client = new KeeperClient(folder);
    const untilMs = performance.now() + startMsMax;
    for (;;) {
      ended.throwIfAborted();
      // The record comes last, so that a keeper that is there can always be known again.
      if (livesIn(folder)) {
        await client.hello({ timeoutMs: startMsMax });
        return client;
      }
      if (performance.now() > untilMs) throw new Error(`not ready after ${startMsMax} ms`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** Whether the keeper of a folder is there. */
export function livesIn(folder: string): boolean {
  return identityOf(folder) !== undefined;
}

/** Resolves when the keeper of a folder is gone; false when it does not go. */
export async function waitUntilGone(folder: string, timeoutMs = 10_000): Promise<boolean> {
  const untilMs = performance.now() + timeoutMs;
  while (livesIn(folder)) {
    if (performance.now() > untilMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

export function readRecord(folder: string): KeeperRecord | undefined {
  const file = join(folder, keeperRecordName);
  try {
    return JSON.parse(readHandedSync({ file, folder, bytesMax: recordBytesMax }).toString("utf8")) as KeeperRecord;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Fault || isErrno(error, "ENOENT", "ENOTDIR", "EACCES"))
      return undefined;
    throw error;
  }
}

/** The process that wrote the record of a folder, undefined when it is gone. */
export function identityOf(folder: string, record = readRecord(folder)): ProcessIdentity | undefined {
  return identifyWritten(record, folder);
}

function ownIdentity(): string {
  return `${process.pid}:${identify(process.pid)?.startTicks ?? ""}`;
}

/** Nothing of the daemon's own environment: there may be secrets in it. */
function keeperEnv(cache: string): Record<string, string> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LANG: "C.UTF-8",
    NODE_COMPILE_CACHE: join(cache, "compiled"),
    // As many as a change or the beginning of a command syncs at once: with fewer, the disk is waited for twice.
    UV_THREADPOOL_SIZE: "4",
    MALLOC_ARENA_MAX: "2",
  };
}

/** The names of keepers' folders. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith("k"));
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}

export function ageMsOf(folder: string): number {
  return Date.now() - (statSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? 0);
}
