// Real keepers for tests, as root and as an ordinary user, each with folders of its own. Where the machine lacks what a
// cage needs, tests are left out and say so; in CI they fail instead.

import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { KeeperClient } from "../../src/node/keepers/keeper-client.ts";
import { KeeperPool, type KeeperPoolOptions, readRecord, waitUntilGone } from "../../src/node/keepers/keeper-pool.ts";
import { identify, signalProcess } from "../../src/node/supervisor/process-identity.ts";
import type { StagedFolders } from "../../src/protocol/keeper/keeper-command.ts";
import type { CageOrder, CommandEnd } from "../../src/protocol/keeper/keeper-wire.ts";
import { makeTempFolder } from "./temp-folder.ts";

export type Who = "root" | "user";

const nobody = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const mustRun = process.env["CI"] === "true";
const repository = join(import.meta.dirname, "../..");

/** What this machine lacks for a cage, undefined when it has everything. */
function missingForCages(): string | undefined {
  for (const program of ["bwrap", "unshare", "nsenter", "setpriv"]) {
    if (spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0) return `${program} is not installed`;
  }
  const made = spawnSync("unshare", ["-Urm", "true"], { encoding: "utf8" });
  return made.status === 0 ? undefined : `user namespaces are not allowed here: ${made.stderr.trim()}`;
}

const missing = missingForCages();
/** Whether tests of cages are left out. */
export const noCages = missing !== undefined && !mustRun;
if (noCages) console.warn(`CAGES ARE NOT TRIED: ${missing}`);

/** Whom keepers can be started as. Root can be both; an ordinary user only itself. */
export const whos: readonly Who[] = isRoot ? (canBeNobody() ? ["user", "root"] : ["root"]) : ["user"];
if (isRoot && whos.length === 1) {
  console.warn(`KEEPERS ARE NOT TRIED AS AN ORDINARY USER: ${repository} cannot be read by others`);
}

function canBeNobody(): boolean {
  const main = join(repository, "src/keeper/main.ts");
  const args = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, "--check", main];
  return spawnSync("setpriv", args).status === 0;
}

export type RigOptions = {
  readonly files?: Readonly<Record<string, string>>;
  readonly order?: Partial<CageOrder>;
  readonly clone?: boolean;
  /** What root hands to the keeper, which could not get there. */
  readonly staged?: StagedFolders;
  /** False for limits without control groups. */
  readonly groups?: boolean;
  /** False as on a machine without user namespaces. */
  readonly namespaces?: boolean;
};

/** A line of shell that goes on once there is a process with exactly these arguments. */
export function whenThere(args: string): string {
  return `until ps -e -o args= | grep -qx '${args}'; do sleep 0.01; done`;
}

export class KeeperRig {
  readonly who: Who;
  readonly base: string;
  readonly pool: KeeperPool;
  readonly poolOptions: KeeperPoolOptions;
  readonly order: CageOrder;
  client: KeeperClient;
  #calls = 0;

  private constructor(parts: Pick<KeeperRig, "who" | "base" | "pool" | "poolOptions" | "order" | "client">) {
    this.who = parts.who;
    this.base = parts.base;
    this.pool = parts.pool;
    this.poolOptions = parts.poolOptions;
    this.order = parts.order;
    this.client = parts.client;
  }

  /** A keeper that has been opened. */
  static async open(who: Who, options: RigOptions = {}): Promise<KeeperRig> {
    const rig = await KeeperRig.start(who, options);
    await rig.client.open(rig.order);
    return rig;
  }

  /** A keeper that waits. It ends with the test. */
  static async start(who: Who, options: RigOptions = {}): Promise<KeeperRig> {
    const rig = await KeeperRig.#make(who, options, makeTempFolder());
    // Tests end in the reverse of this order: first the keepers, then their folders.
    onTestFinished(() => rig.#end());
    return rig;
  }

  /** One for several tests, which end it themselves. */
  static async shared(who: Who, options: RigOptions = {}): Promise<{ rig: KeeperRig; end: () => Promise<void> }> {
    const base = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));
    const order = { binds: [process.execPath], ...options.order };
    const rig = await KeeperRig.#make(who, { ...options, order }, base);
    await rig.client.open(rig.order);
    const end = async (): Promise<void> => {
      await rig.#end();
      rmSync(base, { recursive: true, force: true, maxRetries: 3 });
    };
    return { rig, end };
  }

  static async #make(
    who: Who,
    { files = {}, order = {}, clone = false, groups = true, namespaces = true, staged }: RigOptions,
    base: string,
  ): Promise<KeeperRig> {
    const folder = (name: string): string => join(base, name);
    for (const name of ["layer", "upper", "work", "home", "tmp", "journal", "objects", "outbox"])
      mkdirSync(folder(name));
    writeFiles(folder("layer"), files);
    giveTo(who, base);
    const poolOptions: KeeperPoolOptions = {
      ...{ folder: folder("keepers"), warm: 0, as: asOf(who), namespaces, groups },
      cache: cacheOf(who),
      ...(staged === undefined ? {} : { staged }),
    };
    const whole: CageOrder = {
      ...{ agent: "ag_1", root: "/srv/project", journal: folder("journal"), home: folder("home"), tmp: folder("tmp") },
      workspace: clone
        ? { kind: "clone", folder: folder("clone"), layers: [folder("layer")] }
        : { kind: "overlay", layers: [folder("layer")], upper: folder("upper"), work: folder("work") },
      ...{ binds: [], env: {}, network: "none", caged: true, git: null },
      limits: { memoryBytes: null, processes: null, files: null, fileBytes: null },
      ...order,
    };
    const pool = new KeeperPool(poolOptions);
    return new KeeperRig({ who, base, pool, poolOptions, order: whole, client: await pool.take() });
  }

  /** Another keeper for the same agent, after the one before was lost. */
  async replace(): Promise<void> {
    this.client.disconnect();
    this.client = await this.pool.take();
  }

  get keeperPid(): number {
    return readRecord(this.client.folder)?.pid ?? 0;
  }

  /** Kills the keeper as a power cut would, but for the disk. */
  async killKeeper(): Promise<void> {
    const identity = identify(this.keeperPid);
    if (identity !== undefined) signalProcess(identity, "SIGKILL");
    await waitUntilGone(this.client.folder);
  }

  async run(script: string, more: { call?: string; timeoutMs?: number } = {}): Promise<CommandEnd> {
    const call = await this.begin(script, more);
    return this.client.wait(call);
  }

  async begin(script: string, more: { call?: string; timeoutMs?: number; stdin?: boolean } = {}): Promise<string> {
    const { call = `call-${++this.#calls}`, timeoutMs = 50_000, stdin = false } = more;
    const argv = ["/bin/sh", "-c", script];
    await this.client.start({ call, argv, cwd: null, env: {}, timeoutMs, stdin });
    return call;
  }

  /** What a script says, without its last line end. */
  async said(script: string): Promise<string> {
    return (await this.run(script)).tail.trimEnd();
  }

  /** Resolves when a command has said something, however long that takes it. */
  async heard(call: string, text: string): Promise<void> {
    const watcher = watch(join(this.order.journal ?? this.client.folder, "calls", call));
    try {
      for (;;) {
        // What is said while we look is not missed.
        const changed = once(watcher, "change");
        if ((await this.#said(call)).includes(text)) return;
        await changed;
      }
    } finally {
      watcher.close();
    }
  }

  async #said(call: string): Promise<string> {
    const { base64 } = await this.client.output(call, { offset: 0, limit: 64 * 1024 });
    return Buffer.from(base64, "base64").toString();
  }

  path(...names: string[]): string {
    return join(this.base, ...names);
  }

  async #end(): Promise<void> {
    await this.client.close(0, { timeoutMs: 20_000 }).catch(() => this.killKeeper());
    for (const name of readdirSync(this.path("keepers"))) {
      const folder = this.path("keepers", name);
      // One that a test left hanging does not outlive it.
      if (!(await waitUntilGone(folder))) await this.pool.kill(folder);
      this.pool.discard(folder);
    }
    await this.pool.sweep();
    // An overlay leaves a folder behind that not even its owner may look into.
    const inner = this.path("work", "work");
    if (existsSync(inner)) chmodSync(inner, 0o700);
  }
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), join(folder, path));
    else writeFileSync(join(folder, path), text);
  }
}

/** Hands a folder with everything in it to whoever the keeper runs as. */
export function giveTo(who: Who, folder: string): void {
  if (asOf(who) !== null) execFileSync("chown", ["-hR", `${nobody.uid}:${nobody.gid}`, folder]);
}

export function asOf(who: Who): { uid: number; gid: number } | null {
  return who === "user" && isRoot ? nobody : null;
}

/** Files and their texts below a folder, as a test compares them. */
export function readTree(folder: string, prefix = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const path = join(prefix, entry.name);
    if (entry.isDirectory()) Object.assign(found, readTree(folder, path));
    else if (lstatSync(join(folder, path)).isFile()) found[path] = readFileSync(join(folder, path), "utf8");
  }
  return found;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** One for each user: what one has made the others may not read. */
function cacheOf(who: Who): string {
  const owner = asOf(who);
  const cache = join(repository, ".cache");
  const folder = join(isWritable(cache) ? cache : tmpdir(), `keepers-${owner?.uid ?? process.getuid?.()}`);
  mkdirSync(folder, { recursive: true });
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  return folder;
}
