// What stands at paths, as git would name it. A small file is read each time that somebody asks; a large one once, in pieces, so that
// others get their turn, and afterwards it is known again by what the kernel says of it.

import { closeSync, type BigIntStats } from "node:fs";
import type { WireEntry } from "../../protocol/keeper/keeper-wire.ts";
import { entryNow, type HashKind, readStanding, type StandingFile, wholeBytesMax } from "./entry.ts";
import { oversized } from "./place-journal.ts";
import { type Tree, unavailable } from "./tree.ts";

const triesMax = 20;
/** The kernel's clock may stand still for so long: of two changes in that time nobody sees the second. */
const tickMs = 20;

export class Sights {
  readonly #tree: Tree;
  readonly #kind: HashKind;
  readonly #landBytesMax: number;
  readonly #large = new Map<string, { readonly stamp: string; readonly entry: WireEntry }>();

  constructor(tree: Tree, { kind, landBytesMax }: { readonly kind: HashKind; readonly landBytesMax: number }) {
    this.#tree = tree;
    this.#kind = kind;
    this.#landBytesMax = landBytesMax;
  }

  /** Resolves when what stands at all of these paths is known: then nothing takes long before somebody lets go of the turn. */
  async look(paths: readonly string[]): Promise<void> {
    for (let tries = 0; tries < triesMax; tries++) {
      const unknown = paths.filter((path) => this.#isUnknown(path));
      if (unknown.length === 0) return;
      for (const path of unknown) await this.#read(path);
    }
    throw unavailable(new Error("a file changes faster than it can be read"));
  }

  /** What stands there now; in place of what is too large to be looked into, that it is (LD57). */
  entryAt(path: string): WireEntry {
    const standing = this.#tree.standingAt(path);
    if (standing.kind !== "file") return entryNow(standing, this.#kind);
    const known = this.#large.get(path);
    const isTooLarge = Number(standing.stat.size) > this.#landBytesMax;
    if (!isTooLarge && known?.stamp !== stampOf(standing.stat)) return entryNow(standing, this.#kind);
    closeSync(standing.fd);
    return isTooLarge || known === undefined ? oversized : known.entry;
  }

  /** Whether a large file stands there that is not the one which was read. */
  #isUnknown(path: string): boolean {
    const standing = this.#largeAt(path);
    if (standing !== undefined) closeSync(standing.fd);
    return standing !== undefined && this.#large.get(path)?.stamp !== stampOf(standing.stat);
  }

  async #read(path: string): Promise<void> {
    let standing = this.#largeAt(path);
    if (standing !== undefined && Date.now() - Number(standing.stat.ctimeNs / 1_000_000n) < tickMs) {
      closeSync(standing.fd);
      await new Promise((resolve) => setTimeout(resolve, tickMs));
      standing = this.#largeAt(path);
    }
    if (standing === undefined) return;
    const stamp = stampOf(standing.stat);
    this.#large.set(path, { stamp, entry: (await readStanding(standing, this.#kind, 0)).entry });
  }

  #largeAt(path: string): StandingFile | undefined {
    const standing = this.#tree.standingAt(path);
    if (standing.kind !== "file") return undefined;
    const size = Number(standing.stat.size);
    if (size > wholeBytesMax && size <= this.#landBytesMax) return standing;
    closeSync(standing.fd);
    return undefined;
  }
}

function stampOf({ dev, ino, mtimeNs, ctimeNs, size, mode }: BigIntStats): string {
  return [dev, ino, mtimeNs, ctimeNs, size, mode].join(":");
}
