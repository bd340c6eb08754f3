// The file work of one agent's workspace, with no more authority than the agent itself has there.

import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type {
  KeepAnswer,
  ListAnswer,
  OversizedPath,
  PlaceAnswer,
  PlaceChange,
  ReadAnswer,
  ScanAnswer,
  ScannedPath,
  SearchAnswer,
  WireBytes,
} from "../../protocol/keeper/keeper-wire.ts";
import { keeperInlineBytesMax, keeperReadBytesMax } from "../../protocol/keeper/keeper-wire.ts";
import type { MountedWorkspace } from "../cage/workspace-mount.ts";
import { syncFolder } from "../os/durable-file.ts";
import { isErrno } from "../os/errno.ts";
import {
  copyTo,
  GrownTooLarge,
  type HashKind,
  isOversized,
  readStanding,
  type StandingFile,
  tooLarge,
  wholeBytesMax,
} from "./entry.ts";
import { listPaths, type ListWish } from "./list.ts";
import { Manifest } from "./manifest.ts";
import { Placer, type PlaceWish } from "./place.ts";
import { Scanner, type ScanWish } from "./scan.ts";
import { Searcher, type SearchWish } from "./search.ts";
import { Tree } from "./tree.ts";
import { Watches } from "./watches.ts";

/** More of a file is never in memory at once; whoever wants to see it looks at it with a command. */
const readBytesMax = keeperReadBytesMax;
const loansMax = 16;
const writesAtOnce = 8;
const listedMax = 50_000;

export type WorkspaceFolders = { readonly journal: string; readonly loans: string; readonly manifest: string };

export type WorkspaceKeeping = {
  readonly kind: HashKind;
  /** A file with more bytes is scratch (LD57). */
  readonly landBytesMax: number;
};

type Kept = ScannedPath | (OversizedPath & { readonly oversized: true });

export class Workspace {
  readonly tree: Tree;
  readonly placer: Placer;
  readonly watches: Watches;
  readonly #kind: HashKind;
  readonly #scanner: Scanner;
  readonly #searcher: Searcher;
  readonly #loans: string;
  readonly #landBytesMax: number;
  readonly #trees: readonly Tree[];
  readonly #tidied = new Set<string>();

  private constructor(
    mounted: MountedWorkspace,
    { kind, landBytesMax }: WorkspaceKeeping,
    folders: WorkspaceFolders,
    tree: Tree,
    manifest: Manifest | undefined,
  ) {
    this.tree = tree;
    this.#kind = kind;
    this.#loans = folders.loans;
    this.#landBytesMax = landBytesMax;
    this.placer = new Placer(tree, { kind, landBytesMax }, folders.journal);
    this.#searcher = new Searcher(tree);
    this.watches = new Watches(tree);
    const upper = mounted.upper === undefined ? undefined : new Tree(mounted.upper);
    const lowers = mounted.lowers.map((path) => new Tree(path));
    this.#trees = [tree, ...(upper === undefined ? [] : [upper]), ...lowers];
    this.#scanner = new Scanner({ tree, upper, lowers, manifest }, { kind, landBytesMax });
    mkdirSync(folders.loans, { recursive: true, mode: 0o700 });
  }

  static async open(
    mounted: MountedWorkspace,
    keeping: WorkspaceKeeping,
    folders: WorkspaceFolders,
  ): Promise<Workspace> {
    const tree = new Tree(mounted.root);
    let manifest: Manifest | undefined;
    if (mounted.upper === undefined) {
      manifest = mounted.fresh ? await Manifest.make(tree, folders.manifest) : await Manifest.read(folders.manifest);
    }
    return new Workspace(mounted, keeping, folders, tree, manifest);
  }

  async read(path: string): Promise<ReadAnswer> {
    const standing = this.tree.standingAt(path);
    if (standing.kind === "folder" || standing.kind === "other") {
      throw new Fault("not-a-file", { retry: "never", message: `${path} is not a plain file` });
    }
    if (isOversized(standing, this.#landBytesMax)) {
      closeSync(standing.fd);
      throw tooLarge(path, Number(standing.stat.size), this.#landBytesMax);
    }
    const { entry, size, bytes } = await readStanding(standing, this.#kind, readBytesMax);
    if (entry === null || bytes === undefined) return { entry, size, bytes: null };
    return { entry, size, bytes: await this.#toWire(entry, bytes) };
  }

  list(wish: ListWish): ListAnswer {
    return listPaths(this.tree, { ...wish, limit: Math.min(wish.limit, listedMax) });
  }

  ignored(paths: readonly string[], tracked: readonly string[]): string[] {
    return this.#scanner.leftOut(paths, tracked);
  }

  search(wish: SearchWish): Promise<SearchAnswer> {
    return this.#searcher.search(wish);
  }

  place(tag: string, changes: readonly PlaceChange[], wish?: PlaceWish): Promise<PlaceAnswer> {
    return this.placer.place(tag, changes, wish);
  }

  scan(wish: ScanWish = {}): Promise<ScanAnswer> {
    return this.#scanner.scan(wish);
  }

  /** Copies files into the outbox, each under the name of its blob, so that they are there after a power cut. */
  async keep(paths: readonly string[], outbox: string): Promise<KeepAnswer> {
    const kept: ScannedPath[] = [];
    const oversized: OversizedPath[] = [];
    const writing = new Map<string, Promise<void>>();
    this.#tidy(outbox);
    try {
      for (const path of paths) {
        const found = await this.#keepOne(path, outbox, writing);
        if ("oversized" in found) oversized.push({ path, size: found.size });
        else kept.push(found);
      }
    } finally {
      await Promise.all(writing.values());
    }
    await syncFolder(outbox);
    return oversized.length === 0 ? { paths: kept } : { paths: kept, oversized };
  }

  async close(): Promise<void> {
    this.watches.close();
    await this.#searcher.close();
  }

  /** Lets go of its folders, when it is closed and nothing can be asked of it any more. */
  release(): void {
    for (const tree of this.#trees) tree.close();
  }

  /** Takes away what a keeper before this one had begun to copy. Only whole files have the name of a blob, without a dot. */
  #tidy(outbox: string): void {
    if (this.#tidied.has(outbox)) return;
    this.#tidied.add(outbox);
    for (const name of readdirSync(outbox)) if (name.includes(".")) rmSync(join(outbox, name), { force: true });
  }

  async #keepOne(path: string, outbox: string, writing: Map<string, Promise<void>>): Promise<Kept> {
    const standing = this.tree.standingAt(path);
    if (isOversized(standing, Math.min(wholeBytesMax, this.#landBytesMax)))
      return await this.#keepLarge(path, standing, outbox);
    const { entry, size, bytes } = await readStanding(standing, this.#kind, readBytesMax);
    const file = join(outbox, entry?.split(":")[1] ?? "");
    if (entry !== null && bytes !== undefined && !writing.has(file) && !isPlain(file)) {
      // Together, for they wait for the same disk; but not with everything in memory.
      if (writing.size % writesAtOnce === 0) await Promise.all(writing.values());
      const write = writeSynced(file, bytes);
      // It may fail while something else is waited for; it is asked in the end.
      write.catch(() => undefined);
      writing.set(file, write);
    }
    return { path, entry, size };
  }

  /** Piece by piece, and under its name only once all of it is there. */
  async #keepLarge(path: string, { fd }: StandingFile, outbox: string): Promise<Kept> {
    const spare = join(outbox, `large.${process.hrtime.bigint()}`);
    try {
      const file = await open(spare, "w", 0o600);
      try {
        const { entry, size } = await copyTo(fd, this.#kind, file, this.#landBytesMax);
        await file.sync();
        await rename(spare, join(outbox, entry.split(":")[1] ?? ""));
        return { path, entry, size };
      } finally {
        await file.close();
      }
    } catch (error) {
      await rm(spare, { force: true });
      if (error instanceof GrownTooLarge) return { path, size: error.bytes, oversized: true };
      throw error;
    } finally {
      closeSync(fd);
    }
  }

  async #toWire(entry: string, bytes: Buffer): Promise<WireBytes> {
    if (bytes.length <= keeperInlineBytesMax) return { base64: bytes.toString("base64") };
    const file = join(this.#loans, entry.split(":")[1] ?? "");
    await writeWhole(file, bytes);
    this.#forgetOldLoans(file);
    return { file };
  }

  #forgetOldLoans(newest: string): void {
    const loans = readdirSync(this.#loans).map((name) => join(this.#loans, name));
    if (loans.length <= loansMax) return;
    const byAge = loans.filter((path) => path !== newest).toSorted((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
    for (const path of byAge.slice(0, loans.length - loansMax)) unlinkSync(path);
  }
}

/** Something else may have been put there, to have us take it for what we left. */
function isPlain(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  const spare = `${path}.${process.pid}`;
  const file = await open(spare, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(spare, path);
}

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  try {
    closeSync(openSync(path, constants.O_RDONLY));
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
    const spare = `${path}.${process.hrtime.bigint()}`;
    await writeFile(spare, bytes, { mode: 0o600 });
    await rename(spare, path);
  }
}
