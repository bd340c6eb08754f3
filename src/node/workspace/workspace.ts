// One run's copy-on-write view of its project: the keeper that has it mounted, the journal of its bases, and everything
// that moves bytes between it and mainline. One thing at a time happens here; what comes meanwhile waits.

import { randomUUID } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import { blobOf, entryOf, type Entry, kindOf } from "../../core/landing/entry.ts";
import { textBytesMax } from "../../core/landing/utf8.ts";
import { isDirty, type Work } from "../../core/workspace/workspace-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import {
  type IgnoredAnswer,
  keeperLoansName,
  keeperReadBytesMax,
  type OversizedPath,
  type ReadAnswer,
  type ScanAnswer,
  type WireStand,
} from "../../protocol/keeper/keeper-wire.ts";
import { readHanded } from "../handed-file.ts";
import type { BaseJournal, Bases, Place, Placing } from "./base-journal.ts";
import { Carrier } from "./carrier.ts";
import type { KeeperLine } from "./keepers.ts";

export type WorkspaceOptions = {
  readonly folder: string;
  readonly mainline: Mainline;
  readonly keeper: KeeperLine;
  readonly journal: BaseJournal;
  /** What programs inside are told of the ways out. */
  readonly waysEnv: Readonly<Record<string, string>>;
};

export class Workspace {
  readonly #options: WorkspaceOptions;
  readonly #carrier: Carrier;
  /** Files that were too large to be looked into, when it was last looked at (LD57). */
  oversized: readonly OversizedPath[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  /** Which paths are submodules at the commit that the workspace stands at. */
  #links: { readonly commit: string; readonly known: Map<string, boolean> } = { commit: "", known: new Map() };
  /** What the layers and the commit differ in: read once per pair. */
  #between: { readonly key: string; readonly entries: ReadonlyMap<string, Entry> } | undefined;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
    this.#carrier = new Carrier(options);
  }

  get keeper(): KeeperLine {
    return this.#options.keeper;
  }

  /** Where everything of the agent is. */
  get folder(): string {
    return this.#options.folder;
  }

  get mainline(): Mainline {
    return this.#options.mainline;
  }

  get waysEnv(): Readonly<Record<string, string>> {
    return this.#options.waysEnv;
  }

  get commit(): string {
    return this.#options.journal.bases.commit;
  }

  /** Does something while nothing else does. */
  alone<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act, act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Finishes what a crash interrupted. One that was there before may have moved when nobody told keepers of it. */
  async recover({ wasThere = false }: { readonly wasThere?: boolean } = {}): Promise<void> {
    await this.#carrier.tidy();
    const { placing } = this.#options.journal;
    if (placing !== null)
      await this.#finish(placing).catch((error: unknown) => {
        // Somebody else's command has written there since, or it can never be done: then it did not happen, and whoever wanted it
        // asks again. A daemon that starts must not end by it.
        if (!isChanged(error) && !isRefused(error)) throw error;
      });
    if (!wasThere) return;
    await this.#tellStand({ commit: this.commit }).catch((error: unknown) => {
      // Its repository is of less use then, and its files are of no less.
      if (!(error instanceof Fault)) throw error;
    });
  }

  async read(path: string): Promise<{ readonly entry: Entry; readonly bytes: Uint8Array | null }> {
    const answer = (await this.keeper.request({ op: "read", path })) as ReadAnswer;
    return { entry: answer.entry, bytes: answer.bytes === null ? null : await this.#bytesOf(answer.bytes) };
  }

  /** The bytes of a side that is not in the workspace; null where they are too many to be text. */
  async contentOf(blob: string): Promise<Uint8Array | null> {
    const { mainline } = this.#options;
    const size = (await mainline.blobSizes([blob])).get(blob) ?? 0;
    return size > textBytesMax ? null : mainline.readBlob(blob);
  }

  /** How large paths are whose bytes are safe. What is gone has none. */
  async sizesOf(works: readonly Work[]): Promise<{ readonly path: string; readonly bytes: number }[]> {
    const sizes = await this.#options.mainline.blobSizes(
      works.flatMap(({ work }) => (work === null ? [] : blobOf(work))),
    );
    return works.map(({ path, work }) => ({ path, bytes: work === null ? 0 : (sizes.get(blobOf(work)) ?? 0) }));
  }

  /** A conflict was resolved: the path stands on the side that was shown (LD31). */
  async rebase(path: string, base: Entry): Promise<void> {
    const { journal } = this.#options;
    await journal.set({ ...journal.bases, own: { ...journal.bases.own, [path]: base } });
  }

  /** What these bytes would make of a path; null takes away what is there. The base stays. */
  async plan(path: string, content: { readonly mode: string; readonly bytes: Uint8Array } | null): Promise<Work> {
    const base = await this.baseOf(path);
    if (content === null) return { path, base, work: null };
    return { path, base, work: entryOf(content.mode, this.#options.mainline.nameOfBlob(content.bytes)) };
  }

  /** Brings bytes to safety. */
  async keepBytes(bytes: Uint8Array): Promise<void> {
    await this.#options.mainline.writeBlob(bytes);
  }

  /** Which of these works are scratch: of paths that the project ignores, and has not (LD17). */
  async scratchOf(works: readonly Work[]): Promise<ReadonlySet<string>> {
    const question = await this.scratchQuestion(works);
    if (question === undefined) return new Set();
    return new Set(((await this.keeper.request({ op: "ignored", ...question })) as IgnoredAnswer).ignored);
  }

  /** What the keeper has to be asked to know that; undefined where there is no question. */
  async scratchQuestion(
    works: readonly Work[],
  ): Promise<{ readonly paths: readonly string[]; readonly tracked: readonly string[] } | undefined> {
    const paths = works.filter(({ base, work }) => base === null && work !== null).map(({ path }) => path);
    return paths.length === 0 ? undefined : { paths, tracked: await this.#trackedSince() };
  }

  /** Puts the bases back where changes were set aside (LD16). */
  async putBack(works: readonly Work[]): Promise<void> {
    const { journal } = this.#options;
    const gone = new Set(works.map((work) => work.path));
    const own = Object.fromEntries(Object.entries(journal.bases.own).filter(([path]) => !gone.has(path)));
    const places: Place[] = [];
    // Mainline may have moved on at the path since: then the base is not what the commit has, and stays noted. What was set aside
    // twice comes back once.
    for (const path of gone) {
      const base = await this.baseOf(path);
      places.push({ path, to: base });
      if (Object.hasOwn(journal.bases.own, path)) own[path] = base;
    }
    const placing = { tag: randomUUID(), places, after: { ...journal.bases, own } };
    await journal.begin(placing);
    await this.#finish(placing);
  }

  /** What Signalbox itself last put at a path. */
  async baseOf(path: string): Promise<Entry> {
    const { own, commit } = this.#options.journal.bases;
    const known = own[path];
    if (known !== undefined) return known;
    return (await this.#options.mainline.entriesAt(commit, [path])).get(path) ?? null;
  }

  /** The submodule that each of these paths is or lies in; those that are in none are left out (LD56). */
  async submodulesOf(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { mainline, journal } = this.#options;
    const { commit } = journal.bases;
    if (this.#links.commit !== commit) this.#links = { commit, known: new Map() };
    const { known } = this.#links;
    const unknown = [...new Set(paths.flatMap(pathAndFolders))].filter((path) => !known.has(path));
    const entries = unknown.length === 0 ? new Map<string, Entry>() : await mainline.entriesAt(commit, unknown);
    for (const path of unknown) known.set(path, isSubmodule(entries.get(path) ?? null));
    const found = new Map<string, string>();
    for (const path of paths) {
      const link = pathAndFolders(path).find((each) => known.get(each) === true);
      if (link !== undefined) found.set(path, link);
    }
    return found;
  }

  /** Every path that is not as its base has it, by content (LD4), its bytes safe in the project's repository. */
  async sweep(): Promise<Work[]> {
    return (await this.bringHome((await this.works()).filter(isDirty))).filter(isDirty);
  }

  /** Paths that differ from the layers, or may, with their bases. What stands at any of `also` is among them, ignored or not. */
  async works(also: readonly string[] = []): Promise<Work[]> {
    const { journal } = this.#options;
    const between = await this.#sinceLayers();
    const tracked = [...(await this.#trackedSince()), ...also];
    const { paths, oversized = [] } = (await this.keeper.request({ op: "scan", tracked })) as ScanAnswer;
    this.oversized = oversized;
    const tooLarge = new Set(oversized.map(({ path }) => path));
    const there = new Map<string, Entry>(paths.map(({ path, entry }) => [path, entry]));
    const names = new Set([...there.keys(), ...between.keys(), ...Object.keys(journal.bases.own)]);
    const sorted = [...names].toSorted();
    const { layers, commit, own } = journal.bases;
    const beneath = await this.#options.mainline.entriesAt(layers, sorted);
    const bases = await this.#options.mainline.entriesAt(commit, sorted);
    return sorted.map((path) => {
      const base = Object.hasOwn(own, path) ? (own[path] ?? null) : (bases.get(path) ?? null);
      // What is too large is nobody's change, whatever stood there before.
      if (tooLarge.has(path)) return { path, base, work: base };
      const work = there.has(path) ? (there.get(path) ?? null) : (beneath.get(path) ?? null);
      // Of a submodule there is an empty folder at most: nobody has changed what was never there (LD56).
      return { path, base, work: isSubmodule(base) && (work === null || isSubmodule(work)) ? base : work };
    });
  }

  /**
   * Moves paths and the commit on, bytes and bases together (LD3). What the puts replace has been brought home by whoever
   * asks. `own` are the bases of paths for which the commit's tree does not tell. With `anew` the workspace is given to
   * somebody new, and so is the repository in it (LD63).
   */
  async move(
    commit: string,
    places: readonly Place[],
    own: ReadonlyMap<string, Entry>,
    { anew = false }: { readonly anew?: boolean } = {},
  ): Promise<void> {
    const { journal } = this.#options;
    const after: Bases = { layers: journal.bases.layers, commit, own: Object.fromEntries(own) };
    if (places.length === 0) return this.#stand(after, anew);
    // A name of its own each time: what is wanted may be another thing when the same act is done again after a crash, and
    // under a name that it knows the keeper would do nothing.
    const placing = { tag: randomUUID(), places, after, ...(anew ? { anew } : {}) };
    await journal.begin(placing);
    await this.#finish(placing);
    this.#between = undefined;
  }

  /** Where nothing is to be placed there is only something to write down, and mostly not even that. */
  async #stand(bases: Bases, anew: boolean): Promise<void> {
    const { journal } = this.#options;
    // Told first: whoever does this again after a crash finds that the commit has moved, and tells it again.
    const stand = this.#standAfter({ after: bases, anew });
    if (stand !== undefined) await this.#tellStand(stand);
    if (journal.placing !== null || !isSame(journal.bases, bases)) await journal.set(bases);
  }

  /** What the agent's own repository has to hear of a step, if anything. */
  #standAfter({ after, anew = false }: Pick<Placing, "after" | "anew">): WireStand | undefined {
    if (after.commit === this.commit && !anew) return undefined;
    return { commit: after.commit, ...(anew ? { anew } : {}) };
  }

  /** Under one name: a keeper of an earlier release writes down that it has placed nothing, once. */
  async #tellStand(stands: WireStand): Promise<void> {
    await this.keeper.request({ op: "place", tag: "stands", changes: [], stands });
  }

  /** Puts other contents in the place of what was seen there. Bases stay (LD34). */
  async replace(places: readonly Place[]): Promise<void> {
    const { journal } = this.#options;
    const placing = { tag: randomUUID(), places, after: journal.bases };
    await journal.begin(placing);
    await this.#finish(placing);
  }

  /** Does what the journal says. Where something has changed since it was looked at, nothing happens. */
  async #finish(placing: Placing): Promise<void> {
    const { tag, places } = placing;
    const { journal } = this.#options;
    try {
      await this.#place(tag, places, this.#standAfter(placing));
    } catch (error) {
      const overtaken = isChanged(error);
      if (!overtaken && !isRefused(error)) throw error;
      await journal.giveUp();
      if (!overtaken) throw error;
      throw new Fault("changed", { retry: "later", cause: error, message: error.message });
    }
    await journal.finish();
    // Only the journal asks for it again, and now that says that it is done.
    if (places.length > 0) await this.forget(tag);
  }

  /** The outcome of a call or a placing is known for good elsewhere: the keeper need not remember it. */
  async forget(call: string): Promise<void> {
    await this.keeper.request({ op: "forget", call }).catch((error: unknown) => {
      // What is left goes with the workspace.
      if (!(error instanceof Fault)) throw error;
    });
  }

  /** These contents have landed: they are the bases of their paths now (LD32). */
  async noteLanded(landed: ReadonlyMap<string, Entry>): Promise<void> {
    const { journal } = this.#options;
    await journal.set({ ...journal.bases, own: { ...journal.bases.own, ...Object.fromEntries(landed) } });
  }

  /** Paths that are the project's, though the layers may not have them. */
  async #trackedSince(): Promise<string[]> {
    const since = [...(await this.#sinceLayers()), ...Object.entries(this.#options.journal.bases.own)];
    return since.filter(([, entry]) => entry !== null).map(([path]) => path);
  }

  async #sinceLayers(): Promise<ReadonlyMap<string, Entry>> {
    const { mainline, journal } = this.#options;
    const { layers, commit } = journal.bases;
    const key = `${layers} ${commit}`;
    if (this.#between?.key === key) return this.#between.entries;
    const changes = layers === commit ? [] : await mainline.changesBetween(layers, commit);
    this.#between = { key, entries: new Map(changes.map(({ path, after }) => [path, after])) };
    return this.#between.entries;
  }

  async #place(tag: string, places: readonly Place[], stands: WireStand | undefined): Promise<void> {
    if (places.length === 0) return;
    const files = places.map(({ path, from, to }) => ({
      path,
      ...(from === undefined ? {} : { from: fileOf(from) }),
      to: fileOf(to),
    }));
    const more = stands === undefined ? {} : { stands };
    await this.#carrier.withBytes(
      files,
      async (changes) => void (await this.keeper.request({ op: "place", tag, changes, evenOversized: true, ...more })),
    );
  }

  /** Copies the bytes of changed paths into the project's repository, and answers the works as they were copied. */
  bringHome(works: readonly Work[]): Promise<Work[]> {
    return this.#carrier.bringHome(works);
  }

  async #bytesOf(bytes: NonNullable<ReadAnswer["bytes"]>): Promise<Uint8Array> {
    if ("base64" in bytes) return Buffer.from(bytes.base64, "base64");
    const folder = this.keeper.folder ?? "";
    return await readHanded({ file: bytes.file, folder, under: keeperLoansName, bytesMax: keeperReadBytesMax });
  }
}

function isSame(a: Bases, b: Bases): boolean {
  const paths = Object.keys(a.own);
  const isOwn = paths.length === Object.keys(b.own).length && paths.every((path) => a.own[path] === b.own[path]);
  return isOwn && a.layers === b.layers && a.commit === b.commit;
}

function isChanged(error: unknown): error is Fault {
  return error instanceof Fault && error.code === "changed";
}

/** The keeper will never do it as it was asked for, and has done nothing of it. */
function isRefused(error: unknown): error is Fault {
  return error instanceof Fault && (error.code === "bad-request" || error.code === "in-the-way");
}

/** A path and the folders that it lies in, from the top down. */
function pathAndFolders(path: string): string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

function isSubmodule(entry: Entry): boolean {
  return entry !== null && kindOf(entry) === "submodule";
}

/** What there is of an entry in a workspace: of a submodule nothing. */
function fileOf(entry: Entry): Entry {
  return isSubmodule(entry) ? null : entry;
}
