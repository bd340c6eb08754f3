// Which commit a workspace stands at, and the bases of the paths that do not. It is written with the placing of bytes: first
// what is going to be placed, then that it was, so that after a crash the same placing is done again (LD3, LD12).

import { readFile } from "node:fs/promises";
import type { Entry } from "../../core/landing/entry.ts";
import { References } from "../../core/workspace/references.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { swapDurably } from "../../os/durable-file.ts";
import { isErrno } from "../../os/errno.ts";

export type Bases = {
  /** The commit that the layers beneath were made of. */
  readonly layers: string;
  /** The mainline commit that clean paths stand at. */
  readonly commit: string;
  /** Bases of paths for which the commit's tree does not tell. */
  readonly own: Readonly<Record<string, Entry>>;
};

/** An entry to put, in the place of what was seen there; where nothing is said of that, in the place of anything. */
export type Place = { readonly path: string; readonly from?: Entry; readonly to: Entry };

/** A placing under way: the entries to put, and what holds once they are there. */
export type Placing = {
  readonly tag: string;
  readonly places: readonly Place[];
  readonly after: Bases;
  /** The workspace is given to somebody new with it (LD63). */
  readonly anew?: boolean;
};

/** What a journal says: where the workspace stands, and what is still to be placed. */
export type Kept = { readonly bases: Bases; readonly placing: Placing | null };

/** The first entry of a journal: nothing is changed yet. */
export function beginningAt(commit: string): Kept {
  return { bases: { layers: commit, commit, own: {} }, placing: null };
}

/** The first entry of a journal: the changes that a workspace begins with are placed like any others (LD3). */
export async function beginAt(mainline: Mainline, commit: string, works: readonly Work[]): Promise<Kept> {
  const plain = beginningAt(commit);
  if (works.length === 0) return plain;
  const entries = await mainline.entriesAt(
    commit,
    works.map(({ path }) => path),
  );
  const others = works.filter(({ path, base }) => base !== (entries.get(path) ?? null));
  const bases = { ...plain.bases, own: Object.fromEntries(others.map(({ path, base }) => [path, base])) };
  const places = works.map(({ path, work }) => ({ path, to: work }));
  return { bases, placing: { tag: "begin", places, after: bases } };
}

export class BaseJournal {
  readonly #file: string;
  #kept: Kept;

  private constructor(file: string, kept: Kept) {
    this.#file = file;
    this.#kept = kept;
  }

  /** The journal of a workspace, or a new one for a workspace that is made now. */
  static async open(file: string, fresh: () => Promise<Kept>): Promise<BaseJournal> {
    const { journal, isThere } = await BaseJournal.begin(file, fresh);
    await isThere;
    return journal;
  }

  /** The same before a new one is on the disk. Until it is there nothing may be placed, but other things can be made ready. */
  static async begin(
    file: string,
    fresh: () => Promise<Kept>,
  ): Promise<{ readonly journal: BaseJournal; readonly isThere: Promise<void> }> {
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      if (isErrno(error, "ENOENT")) return undefined;
      throw error;
    });
    if (text !== undefined)
      return { journal: new BaseJournal(file, JSON.parse(text) as Kept), isThere: Promise.resolve() };
    const journal = new BaseJournal(file, await fresh());
    const isThere = journal.#write();
    // It may fail while something else is waited for; it is asked in the end.
    isThere.catch(() => undefined);
    return { journal, isThere };
  }

  /** One that somebody else has written. */
  static at(file: string, kept: Kept): BaseJournal {
    return new BaseJournal(file, kept);
  }

  /** What the journal of a workspace stands on, also in the middle of a placing; nothing where there is none. */
  static async referencesIn(file: string): Promise<References> {
    const found = new References();
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
      throw error;
    });
    if (text === undefined) return found;
    const { bases, placing } = JSON.parse(text) as Kept;
    for (const { layers, commit, own } of placing === null ? [bases] : [bases, placing.after]) {
      found.addCommit(layers);
      found.addCommit(commit);
      for (const entry of Object.values(own)) found.addEntry(entry);
    }
    for (const { from, to } of placing?.places ?? []) {
      found.addEntry(from);
      found.addEntry(to);
    }
    return found;
  }

  get bases(): Bases {
    return this.#kept.bases;
  }

  /** What a crash interrupted. */
  get placing(): Placing | null {
    return this.#kept.placing;
  }

  async begin(placing: Placing): Promise<void> {
    this.#kept = { bases: this.#kept.bases, placing };
    await this.#write();
  }

  async finish(): Promise<void> {
    const { placing } = this.#kept;
    if (placing === null) return;
    this.#kept = { bases: placing.after, placing: null };
    await this.#write();
  }

  /** Nothing of it has happened, and nothing will. */
  async giveUp(): Promise<void> {
    await this.set(this.#kept.bases);
  }

  async set(bases: Bases): Promise<void> {
    this.#kept = { bases, placing: null };
    await this.#write();
  }

  async #write(): Promise<void> {
    await swapDurably(this.#file, JSON.stringify(this.#kept));
  }
}
