// What the agent changed. For an overlay only the upper folder is walked: it holds what is new or different, and a mark
// where something was taken away. What a mark or an opaque folder hides is found in the layers.

import { closeSync, type BigIntStats, lstatSync, type Dirent } from "node:fs";
import type { KeeperOp, OversizedPath, ScanAnswer, ScannedPath } from "../../protocol/keeper/keeper-wire.ts";
import { Fault } from "../../base/fault.ts";
import { type HashKind, readStanding } from "./entry.ts";
import { entriesIn, namesOf, openIn, standingIn, type Tree, within } from "./tree.ts";
import { Ignores } from "./ignores.ts";
import type { Manifest } from "./manifest.ts";

/** At the root of the workspace: not the agent's work. */
const ownNames = new Set([".git", ".signalbox-stage"]);
const pathsMax = 250_000;
const restEvery = 200;
/** Two changes within one tick of the clock leave the same times behind; what is so young is read again. */
const youngNs = 100_000_000n;

export type ScanWish = Omit<Extract<KeeperOp, { op: "scan" }>, "op">;

type Cached = { readonly key: string; readonly path: ScannedPath };

export type ScanSources = {
  readonly tree: Tree;
  /** Only what the agent changed, where the kernel keeps it apart. */
  readonly upper: Tree | undefined;
  readonly lowers: readonly Tree[];
  /** How the files of a copy were when it was made. */
  readonly manifest: Manifest | undefined;
};

export class Scanner {
  readonly #sources: ScanSources;
  readonly #kind: HashKind;
  readonly #landBytesMax: number;
  #cache = new Map<string, Cached>();
  #next = new Map<string, Cached>();
  #found: ScannedPath[] = [];
  #oversized: OversizedPath[] = [];
  #steps = 0;
  #ignores: Ignores | undefined;
  /** Paths that are the project's though the layers do not have them, and the folders that they are in. */
  #tracked: ReadonlySet<string> = new Set();
  #running: Promise<ScanAnswer> | undefined;

  constructor(
    sources: ScanSources,
    { kind, landBytesMax }: { readonly kind: HashKind; readonly landBytesMax: number },
  ) {
    this.#sources = sources;
    this.#kind = kind;
    this.#landBytesMax = landBytesMax;
  }

  /** One at a time: whoever asks while one is under way gets the one after it. */
  async scan(wish: ScanWish): Promise<ScanAnswer> {
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
    this.#running = this.#scan(wish).finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Which of these paths a scan does not tell of. */
  leftOut(paths: readonly string[], tracked: readonly string[]): string[] {
    const ignores = new Ignores(this.#sources.tree);
    const known = new Set(tracked.flatMap(withFolders));
    return paths.filter((path) =>
      namesOf(path).some((_, at, names) => {
        const [here, isFolder] = [names.slice(0, at + 1), at + 1 < names.length];
        return !known.has(here.join("/")) && this.#isNew(here, isFolder) && ignores.covers(here, isFolder);
      }),
    );
  }

  async #scan({ all = false, tracked = [] }: ScanWish): Promise<ScanAnswer> {
    this.#ignores = all ? undefined : new Ignores(this.#sources.tree);
    this.#tracked = new Set(tracked.flatMap(withFolders));
    this.#found = [];
    this.#oversized = [];
    this.#next = new Map();
    const { upper, manifest, tree } = this.#sources;
    if (upper !== undefined) {
      const [top, below] = [upper.openFolder([], { make: false }), this.#lower([])];
      if (top !== undefined) await this.#walkUpper(top, below, []);
      for (const fd of [top, below]) if (fd !== undefined) closeSync(fd);
    } else if (manifest !== undefined) {
      const top = tree.openFolder([], { make: false });
      const seen = new Set<string>();
      if (top !== undefined) await this.#walkCopy(top, manifest, [], seen);
      if (top !== undefined) closeSync(top);
      for (const path of manifest.paths()) if (!seen.has(path)) this.#add({ path, entry: null, size: 0 });
    }
    this.#cache = this.#next;
    const paths = this.#found.toSorted(byPath);
    return this.#oversized.length === 0 ? { paths } : { paths, oversized: this.#oversized.toSorted(byPath) };
  }

  async #walkUpper(upper: number, lower: number | undefined, names: readonly string[]): Promise<void> {
    const entries = entriesIn(upper).filter(({ name }) => names.length > 0 || !ownNames.has(name));
    for (const entry of entries) {
      await this.#rest();
      await this.#oneOfUpper(upper, lower, names, entry);
    }
    if (lower !== undefined) await this.#hidden(lower, names, new Set(entries.map(({ name }) => name)));
  }

  async #oneOfUpper(
    upper: number,
    lower: number | undefined,
    names: readonly string[],
    { name }: Dirent,
  ): Promise<void> {
    const stat = lstatSync(within(upper, name), { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return;
    const here = [...names, name];
    const isNew = lower === undefined || !standsIn(lower, name);
    if (isNew && this.#isScratch(here, stat.isDirectory())) return;
    if (stat.isDirectory()) {
      if (name === ".git") return;
      const [above, below] = [openIn(upper, name), lower === undefined ? undefined : openIn(lower, name)];
      try {
        if (below === undefined && lower !== undefined) await this.#gone(lower, name, here);
        if (above !== undefined) await this.#walkUpper(above, below, here);
      } finally {
        for (const fd of [above, below]) if (fd !== undefined) closeSync(fd);
      }
      return;
    }
    if (stat.isFile() || stat.isSymbolicLink()) {
      if (lower !== undefined && standsFolder(lower, name)) await this.#gone(lower, name, here);
      await this.#file(upper, name, here, stat, lower === undefined ? [] : [lower]);
      return;
    }
    // A mark that something was taken away, or a thing that is no file: either way what was below is not seen any more.
    if (lower !== undefined) await this.#gone(lower, name, here);
  }

  /** Names of the layers that the upper folder does not have: usually seen through it, but not through an opaque one. */
  async #hidden(lower: number, names: readonly string[], inUpper: ReadonlySet<string>): Promise<void> {
    const candidates = entriesIn(lower).filter(
      ({ name }) => !inUpper.has(name) && (names.length > 0 || !ownNames.has(name)),
    );
    if (candidates.length === 0) return;
    const seen = this.#sources.tree.openFolder(names, { make: false });
    try {
      const visible = new Set(seen === undefined ? [] : entriesIn(seen).map(({ name }) => name));
      for (const { name } of candidates) if (!visible.has(name)) await this.#gone(lower, name, [...names, name]);
    } finally {
      if (seen !== undefined) closeSync(seen);
    }
  }

  /** Everything that the layers have at a name is gone. */
  async #gone(lower: number, name: string, names: readonly string[]): Promise<void> {
    await this.#rest();
    const folder = openIn(lower, name);
    if (folder === undefined) {
      const standing = standingIn(lower, name);
      if (standing.kind === "file") closeSync(standing.fd);
      if (standing.kind === "file" || standing.kind === "link")
        this.#add({ path: names.join("/"), entry: null, size: 0 });
      return;
    }
    try {
      for (const each of entriesIn(folder)) await this.#gone(folder, each.name, [...names, each.name]);
    } finally {
      closeSync(folder);
    }
  }

  async #walkCopy(folder: number, manifest: Manifest, names: readonly string[], seen: Set<string>): Promise<void> {
    for (const { name } of entriesIn(folder)) {
      if (names.length === 0 && ownNames.has(name)) continue;
      await this.#rest();
      const stat = lstatSync(within(folder, name), { bigint: true, throwIfNoEntry: false });
      if (stat === undefined) continue;
      const here = [...names, name];
      const path = here.join("/");
      const isNew = stat.isDirectory() ? !manifest.hasBelow(path) : !manifest.has(path);
      if (isNew && this.#isScratch(here, stat.isDirectory())) continue;
      if (stat.isDirectory()) {
        if (name === ".git") continue;
        const below = openIn(folder, name);
        if (below === undefined) continue;
        await this.#walkCopy(below, manifest, here, seen).finally(() => closeSync(below));
      } else if (stat.isFile() || stat.isSymbolicLink()) {
        if (manifest.has(path)) seen.add(path);
        if (manifest.isAsCopied(path, stat)) continue;
        const lowers = this.#sources.lowers.flatMap((lower) => lower.openFolder(names, { make: false }) ?? []);
        await this.#file(folder, name, here, stat, lowers).finally(() => lowers.forEach((fd) => closeSync(fd)));
      }
    }
  }

  #isScratch(names: readonly string[], isFolder: boolean): boolean {
    return this.#ignores?.covers(names, isFolder) === true && !this.#tracked.has(names.join("/"));
  }

  /** Whether the layers have nothing at a path. */
  #isNew(names: readonly string[], isFolder: boolean): boolean {
    const { manifest } = this.#sources;
    const path = names.join("/");
    if (manifest !== undefined) return isFolder ? !manifest.hasBelow(path) : !manifest.has(path);
    const folder = this.#lower(names.slice(0, -1));
    if (folder === undefined) return true;
    try {
      return !standsIn(folder, names.at(-1) ?? "");
    } finally {
      closeSync(folder);
    }
  }

  /** A file or a link that may differ from the one in the layers. */
  async #file(
    folder: number,
    name: string,
    names: readonly string[],
    stat: BigIntStats,
    lowers: readonly number[],
  ): Promise<void> {
    const path = names.join("/");
    if (stat.isFile() && Number(stat.size) > this.#landBytesMax) {
      if (this.#oversized.length < pathsMax) this.#oversized.push({ path, size: Number(stat.size) });
      return;
    }
    const key = `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.size}:${stat.mode}`;
    const known = this.#cache.get(path);
    let scanned = known?.key === key ? known.path : undefined;
    if (scanned === undefined) {
      const { entry, size } = await readStanding(standingIn(folder, name), this.#kind, 0);
      scanned = { path, entry, size };
    }
    const nowNs = BigInt(Date.now()) * 1_000_000n;
    if (stat.ctimeNs < nowNs - youngNs) this.#next.set(path, { key, path: scanned });
    if (scanned.entry === null || (await this.#isInLayers(lowers, name, scanned))) return;
    this.#add(scanned);
  }

  async #isInLayers(lowers: readonly number[], name: string, { entry, size }: ScannedPath): Promise<boolean> {
    for (const lower of lowers) {
      const standing = standingIn(lower, name);
      if (standing.kind === "nothing") continue;
      if (standing.kind === "file" && Number(standing.stat.size) !== size) {
        closeSync(standing.fd);
        return false;
      }
      return (await readStanding(standing, this.#kind, 0)).entry === entry;
    }
    return false;
  }

  #lower(names: readonly string[]): number | undefined {
    return this.#sources.lowers[0]?.openFolder(names, { make: false });
  }

  #add(path: ScannedPath): void {
    if (this.#found.length >= pathsMax) {
      throw new Fault("too-large", { retry: "never", message: `more than ${pathsMax} paths have changed` });
    }
    this.#found.push(path);
  }

  /** Other requests get their turn. */
  async #rest(): Promise<void> {
    if (++this.#steps % restEvery === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

function withFolders(path: string): string[] {
  return path.split("/").map((_, at, names) => names.slice(0, at + 1).join("/"));
}

function standsIn(folder: number, name: string): boolean {
  return lstatSync(within(folder, name), { throwIfNoEntry: false }) !== undefined;
}

function standsFolder(folder: number, name: string): boolean {
  const below = openIn(folder, name);
  if (below !== undefined) closeSync(below);
  return below !== undefined;
}
