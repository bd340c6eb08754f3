// Sees which files of the workspace change, for those who want to know: by the folders that they may be in, so that nobody has
// to look again and again. What has changed is kept until whoever wanted it has heard of it, also while nobody is there.

import { closeSync, type Dirent, type FSWatcher, readdirSync, watch } from "node:fs";
import { Fault } from "../../base/fault.ts";
import { matchesGlob } from "../../base/glob.ts";
import type { WatchAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { isErrno } from "../os/errno.ts";
import type { Tree } from "./tree.ts";

/** Who saves one file often saves several: it is told when nothing more has come for so long, or after a while. */
const quietMs = 150;
const quietMsMax = 2000;
/** Of one watch. Beyond that changes are not seen. */
const foldersMax = 4096;
const pathsMax = 20;
/** What programs fill by themselves, unless somebody names it. */
const passedOver = [".git", "node_modules"];

export class Watches {
  readonly #tree: Tree;
  readonly #watches = new Map<string, FileWatch>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Answers when files have changed that were not told yet. `seen` says up to where they were heard of. */
  next(name: string, globs: readonly string[], seen: number | null): Promise<WatchAnswer> {
    const key = JSON.stringify([name, globs]);
    const known = this.#watches.get(name);
    if (known?.key === key) return known.next(seen);
    known?.close();
    const made = new FileWatch(this.#tree, key, globs);
    this.#watches.set(name, made);
    return made.next(seen);
  }

  close(): void {
    for (const each of this.#watches.values()) each.close();
  }
}

class FileWatch {
  readonly key: string;
  readonly #tree: Tree;
  readonly #globs: readonly string[];
  readonly #folders = new Map<string, FSWatcher>();
  /** Changes that nobody has heard of: path and number. */
  readonly #untold = new Map<string, number>();
  #count = 0;
  #more = Promise.withResolvers<void>();
  #firstMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(tree: Tree, key: string, globs: readonly string[]) {
    this.#tree = tree;
    this.key = key;
    this.#globs = globs;
    for (const root of new Set(globs.map(plainPartOf))) this.#enter(root, false);
  }

  async next(seen: number | null): Promise<WatchAnswer> {
    for (const [path, number] of this.#untold) if (seen !== null && number <= seen) this.#untold.delete(path);
    while (this.#untold.size === 0 || this.#timer !== undefined) await this.#more.promise;
    const paths = [...this.#untold.keys()];
    return { seen: this.#count, paths: paths.slice(0, pathsMax), count: paths.length };
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  /** Watches a folder and those beneath. In one that is new, everything is. */
  #enter(path: string, isNew: boolean): void {
    const names = path === "" ? [] : path.split("/");
    if (this.#folders.has(path) || this.#folders.size >= foldersMax || !this.#mayLead(names)) return;
    const folder = this.#open(names);
    // What is not there yet is seen in the folder above.
    if (folder === undefined) return path === "" ? undefined : this.#enter(names.slice(0, -1).join("/"), isNew);
    try {
      const watcher = watch(`/proc/self/fd/${folder}`, (_, name) => this.#hear(path, name));
      watcher.on("error", () => this.#leave(path));
      this.#folders.set(path, watcher);
      for (const entry of listOf(folder)) this.#meet(path, entry, isNew);
    } catch (error) {
      // The system has no more watches for us, or the folder was shut just now: like those beyond the limit it is not seen.
      if (!isErrno(error, "ENOSPC", "EMFILE", "ENFILE", "EACCES", "ENOENT")) throw error;
    } finally {
      closeSync(folder);
    }
  }

  /** One that its owner has shut is none. Nothing thrown here would have anybody to catch it but the end of the keeper. */
  #open(names: readonly string[]): number | undefined {
    try {
      return this.#tree.openFolder(names, { make: false });
    } catch (error) {
      if (error instanceof Fault) return undefined;
      throw error;
    }
  }

  #meet(path: string, entry: Dirent, isNew: boolean): void {
    const below = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) this.#enter(below, isNew);
    else if (isNew) this.#note(below);
  }

  #hear(path: string, name: string | null): void {
    if (name === null) return;
    const below = path === "" ? name : `${path}/${name}`;
    const names = below.split("/");
    const folder = this.#open(names);
    if (folder === undefined) {
      this.#leave(below);
      return this.#note(below);
    }
    closeSync(folder);
    this.#enter(below, true);
  }

  /** The folder is gone, with those beneath. */
  #leave(path: string): void {
    for (const [each, watcher] of this.#folders) {
      if (each !== path && !each.startsWith(`${path}/`)) continue;
      watcher.close();
      this.#folders.delete(each);
    }
  }

  #note(path: string): void {
    if (!this.#globs.some((glob) => matchesGlob(glob, path))) return;
    const nowMs = performance.now();
    if (this.#timer === undefined) this.#firstMs = nowMs;
    this.#untold.set(path, ++this.#count);
    clearTimeout(this.#timer);
    const waitMs = Math.max(0, Math.min(quietMs, this.#firstMs + quietMsMax - nowMs));
    this.#timer = setTimeout(() => this.#tell(), waitMs);
  }

  #tell(): void {
    this.#timer = undefined;
    this.#more.resolve();
    this.#more = Promise.withResolvers<void>();
  }

  /** Whether something beneath a folder may be meant: nobody looks into those that programs fill, unless they are named. */
  #mayLead(names: readonly string[]): boolean {
    const passed = names.find((name) => passedOver.includes(name));
    return this.#globs.some((glob) => {
      const parts = partsOf(glob);
      return mayLead(parts, names) && (passed === undefined || parts.includes(passed));
    });
  }
}

function listOf(folder: number): Dirent[] {
  return readdirSync(`/proc/self/fd/${folder}`, { withFileTypes: true });
}

/** The folder that everything a glob means is in. */
function plainPartOf(glob: string): string {
  const parts = partsOf(glob);
  const first = parts.findIndex((part) => /[*?]/.test(part));
  return parts.slice(0, first === -1 ? -1 : first).join("/");
}

function partsOf(glob: string): string[] {
  return glob.replace(/\/$/, "/**").split("/");
}

/** Whether a path that a glob means may lead through a folder. */
function mayLead(parts: readonly string[], names: readonly string[]): boolean {
  for (const [at, name] of names.entries()) {
    const part = parts[at];
    if (part === "**") return true;
    if (part === undefined || at === parts.length - 1 || !matchesGlob(part, name)) return false;
  }
  return true;
}
