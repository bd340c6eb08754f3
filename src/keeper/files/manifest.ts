// How each file of a copied workspace was when the copy was made. A program can set the other times of a file, but not the
// time of its last change: what still has that is as it was.

import { closeSync, createReadStream, lstatSync, type BigIntStats } from "node:fs";
import { createInterface } from "node:readline";
import { replaceDurably } from "../os/durable-file.ts";
import { entriesIn, openIn, type Tree, within } from "./tree.ts";

export class Manifest {
  readonly #keys: ReadonlyMap<string, string>;
  #folders: ReadonlySet<string> | undefined;

  private constructor(keys: ReadonlyMap<string, string>) {
    this.#keys = keys;
  }

  /** Looks at a fresh copy, and writes down for good that it is complete. */
  static async make(tree: Tree, file: string): Promise<Manifest> {
    const keys = new Map<string, string>();
    const root = tree.openFolder([], { make: false });
    if (root !== undefined) {
      walk(root, "", keys);
      closeSync(root);
    }
    await replaceDurably(file, [...keys].map((pair) => `${JSON.stringify(pair)}\n`).join(""));
    return new Manifest(keys);
  }

  static async read(file: string): Promise<Manifest> {
    const keys = new Map<string, string>();
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const [path, key] = JSON.parse(line) as [string, string];
      keys.set(path, key);
    }
    return new Manifest(keys);
  }

  paths(): Iterable<string> {
    return this.#keys.keys();
  }

  has(path: string): boolean {
    return this.#keys.has(path);
  }

  /** Whether the copy had something in a folder. */
  hasBelow(folder: string): boolean {
    this.#folders ??= foldersOf(this.#keys.keys());
    return this.#folders.has(folder);
  }

  isAsCopied(path: string, stat: BigIntStats): boolean {
    return this.#keys.get(path) === keyOf(stat);
  }
}

function walk(folder: number, prefix: string, keys: Map<string, string>): void {
  for (const { name } of entriesIn(folder)) {
    const stat = lstatSync(within(folder, name), { bigint: true });
    if (!stat.isDirectory()) {
      keys.set(prefix + name, keyOf(stat));
      continue;
    }
    const below = openIn(folder, name);
    if (below === undefined) continue;
    walk(below, `${prefix}${name}/`, keys);
    closeSync(below);
  }
}

function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      if (folders.has(path.slice(0, end))) break;
      folders.add(path.slice(0, end));
    }
  }
  return folders;
}

function keyOf(stat: BigIntStats): string {
  return `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.mode}`;
}
