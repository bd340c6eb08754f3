// Files, through the keeper of the workspace. Whatever changes several of them does so with one order, all or none. The keeper
// has that in its journal before it does it, so that a call which is repeated after a crash happens once.

import { join } from "node:path";
import { assert } from "../../base/assert.ts";
import { Fault } from "../../base/fault.ts";
import { kindOf, type Entry } from "../../core/landing/entry.ts";
import type { Read, Work } from "../../core/workspace/workspace-state.ts";
import type { FileChange, LineRange, SearchWish } from "../../ports/runner.ts";
import type {
  KeeperOp,
  ListAnswer,
  ListedPath,
  PlaceAnswer,
  PlaceChange,
  PlacedAnswer,
  PlacedPath,
  SearchAnswer,
} from "../../protocol/keeper/keeper-wire.ts";
import { writeDurably } from "../../os/durable-file.ts";
import { type ActResult, done, failed, guarded, plain, readJson } from "./act-result.ts";
import { type CallGround, type FencedAct, pathOf } from "./call-ground.ts";
import { partOf } from "./part-of.ts";
import { hasChanged, hashOf, planChanges, type ReadFile } from "./plan-changes.ts";
import { sayLink } from "./say-link.ts";
import { SeenFiles } from "./seen-files.ts";

/** What one order puts in place, with the works that come of it. */
type Planned = {
  readonly works: readonly Work[];
  readonly changes: readonly PlaceChange[];
  readonly bytes: readonly (Uint8Array | null)[];
};

/** Bytes travel to the keeper in one line. */
const bytesMax = 4 * 1024 * 1024;
/** More than this is work for a command. */
const folderFilesMax = 200;
const folderDepthMax = 64;
const listedMax = 1000;
const matchesMax = 200;
const noBytes = new Uint8Array();

export class FileTools {
  readonly #ground: CallGround;
  readonly #seen: SeenFiles;

  constructor(ground: CallGround) {
    this.#ground = ground;
    this.#seen = new SeenFiles(join(ground.folder, "seen"));
  }

  read(path: string, range: LineRange | undefined): Promise<ActResult> {
    return guarded(async () => {
      const { entry, bytes } = await this.#ground.workspace.read(path);
      if (entry === null) return failed("no-file", `${path} does not exist`);
      if (bytes === null) return failed("too-large", `${path} is too large to be read here; look at it with a command`);
      const summary = `read ${path} (${hashOf(entry)})`;
      const reads = [{ path, entry }];
      this.#seen.note(reads);
      if (kindOf(entry) === "link") {
        const said = sayLink(path, Buffer.from(bytes).toString("utf8"));
        return withReads(done(said, `${summary}, a link`, `${path}, a link, hash ${hashOf(entry)}`), reads);
      }
      const { text, which } = partOf(Buffer.from(bytes).toString("utf8"), range);
      const hash = `hash ${hashOf(entry)}`;
      if (which === null) return withReads(done(text, summary, `${path}, ${hash}`), reads);
      return withReads(done(text, `${summary}, ${which}`, `${path}, ${which}, ${hash}`), reads);
    });
  }

  list(path: string, depth: number): Promise<ActResult> {
    return guarded(async () => {
      const { paths, more, ignored } = await this.#list({ path, depth, limit: listedMax });
      const names = more ? `the first ${listedMax} of more; list a folder of it` : `${paths.length} names`;
      const note = ignored === 0 ? names : `${names}; ${ignored} that git ignores are left out`;
      return done(paths.map(toLine).join("\n"), `listed ${path === "" ? "." : path}`, note);
    });
  }

  search({ text, regex, under }: SearchWish): Promise<ActResult> {
    return guarded(async () => {
      const op = { op: "search", text, regex, under, limit: matchesMax } as const;
      const { matches, more, files } = (await this.#ground.workspace.keeper.request(op)) as SearchAnswer;
      const lines = matches.map(({ path, line, text: found }) => `${path}:${line}: ${found}`);
      const note = `${matches.length} matches in ${files} files${more ? ", and more: search for less, or in a folder" : ""}`;
      return done(lines.join("\n"), `searched for ${JSON.stringify(text.slice(0, 80))}`, note);
    });
  }

  /**
   * Names each file that a change of a folder is about, so that each is claimed and judged by itself. A call that is
   * repeated names the same ones, also when the folder is gone by then.
   */
  async expand(call: number, changes: readonly FileChange[]): Promise<readonly FileChange[] | ActResult> {
    const named = changes.flatMap((change) => (change.do === "move" ? [change.path, change.to] : [change.path]));
    const [inside] = await this.#ground.workspace.submodulesOf(named);
    if (inside !== undefined) return failed("read-only", inSubmodule(inside[0], inside[1]));
    if (changes.every((change) => change.do === "write" || change.do === "edit")) return changes;
    const file = this.#ground.fileOf(call, "changes.json");
    const of = JSON.stringify(changes);
    const known = await readJson<{ readonly of: string; readonly files: readonly FileChange[] }>(file);
    if (known?.of === of) return known.files;
    const files: FileChange[] = [];
    for (const change of changes) {
      const beneath = await this.#beneath(change);
      if (beneath === "too-many")
        return failed("too-large", `${change.path} has more than ${folderFilesMax} files; use a command: mv, rm -r`);
      files.push(...beneath);
    }
    if (files.length > changes.length) await writeDurably(file, JSON.stringify({ of, files }), "replace");
    return files;
  }

  /** The change itself, or where it is about a folder, one for each file in it. */
  async #beneath(change: FileChange): Promise<readonly FileChange[] | "too-many"> {
    if (change.do !== "delete" && change.do !== "move") return [change];
    const { path } = change;
    const listed = await this.#list({ path, depth: folderDepthMax, limit: folderFilesMax * 2, all: true }).catch(
      (error: unknown) => {
        if (error instanceof Fault && error.retry === "never") return undefined;
        throw error;
      },
    );
    if (listed === undefined) return [change];
    const files = listed.paths.filter(({ kind }) => kind !== "folder");
    if (listed.more || files.length > folderFilesMax) return "too-many";
    const to = (each: ListedPath): string => `${change.do === "move" ? change.to : ""}${each.path.slice(path.length)}`;
    // Whoever names a folder means everything in it, but for what it saw otherwise.
    const careful = change.careful === undefined ? undefined : "not-other";
    if (change.do === "move") return files.map((each) => ({ do: "move", path: each.path, to: to(each), careful }));
    return files.map((each) => ({ do: "delete", path: each.path, careful }));
  }

  /** Does all changes or none. A call that was done before a crash finds its result and does nothing. */
  change(call: number, acts: readonly FencedAct[], changes: readonly FileChange[]): Promise<ActResult> {
    return guarded(async () => {
      const guessed = await this.#tryGuess(call, acts, changes);
      if (guessed !== undefined) return guessed;
      // Whoever writes whole files without a word of what they saw means whatever is there.
      const blind = changes.every((change) => change.do === "write" && change.seen === undefined);
      const planned = await this.#plan(acts, changes, { blind, read: (path) => this.#look(path) }).catch(toNo);
      // What cannot be done now may have been done before: its own change is in the way then.
      if ("answer" in planned) return (await this.#doneBefore(call, changes)) ?? planned;
      return (await this.#place(call, acts, planned, changes)) ?? this.#sayChanged(planned);
    });
  }

  /**
   * Whole files are written on what is thought to stand there, without looking first: the keeper looks itself, and places nothing
   * where it is something else. Undefined where nothing has happened, and one has to look.
   */
  async #tryGuess(
    call: number,
    acts: readonly FencedAct[],
    changes: readonly FileChange[],
  ): Promise<ActResult | undefined> {
    if (!changes.every((change) => change.do === "write")) return undefined;
    const guesses = new Map<string, Entry>();
    for (const { path } of changes) {
      const last = this.#seen.lastOf(path);
      // What the project has there and nobody has looked at may be too large for any of this.
      if (last === undefined && (await this.#ground.workspace.baseOf(path)) !== null) return undefined;
      guesses.set(path, last ?? null);
    }
    const read: ReadFile = (path) => Promise.resolve({ entry: guesses.get(path) ?? null, bytes: noBytes });
    const planned = await this.#plan(acts, changes, { blind: false, read }).catch(toNo);
    if ("answer" in planned) return undefined;
    try {
      return await this.#place(call, acts, planned, changes);
    } catch (error) {
      if (error instanceof Fault && error.code === "in-the-way") return undefined;
      throw error;
    }
  }

  async #look(path: string): ReturnType<ReadFile> {
    const { entry, bytes } = await this.#ground.workspace.read(path);
    if (entry !== null && bytes === null)
      throw new Fault("too-large", { retry: "never", message: `${path} is too large for this; use a command` });
    return { entry, bytes };
  }

  async #plan(
    acts: readonly FencedAct[],
    changes: readonly FileChange[],
    { blind, read }: { readonly blind: boolean; readonly read: ReadFile },
  ): Promise<Planned | ActResult> {
    const { workspace } = this.#ground;
    const files = await planChanges(changes, read, (path, entry) => this.#seen.sightOf(path, entry));
    if (!files.ok) return failed(files.refusal.code, files.refusal.message);
    const bytes = files.value.map(({ after }) => after?.bytes ?? null);
    if (bytes.reduce((sum, each) => sum + (each?.length ?? 0), 0) > bytesMax)
      return failed("too-large", `more than ${bytesMax} bytes at once; change less at a time, or use a command`);
    const paths = new Set(acts.map(({ unit }) => pathOf(unit)));
    assert(
      files.value.every(({ path }) => paths.has(path) || this.#ground.isDerived(path)),
      "an act changes what it has claimed",
    );
    this.#ground.checkFences(acts);
    const works: Work[] = [];
    for (const { path, after } of files.value) works.push(await workspace.plan(path, after));
    const placed = files.value.map(({ path, before, after }, at): PlaceChange => {
      const to = works[at]?.work ?? null;
      const content = after === null ? {} : { bytes: { base64: after.bytes.toString("base64") } };
      return { path, ...(blind ? {} : { expect: before }), to, ...content };
    });
    return { works, changes: placed, bytes };
  }

  /** Puts it in place; undefined where something else stands there than what was planned on, and nothing has happened. */
  async #place(
    call: number,
    acts: readonly FencedAct[],
    planned: Planned,
    changes: readonly FileChange[],
  ): Promise<ActResult | undefined> {
    const { workspace } = this.#ground;
    const tag = this.#ground.tagOf(call);
    const ignored = await workspace.scratchQuestion(planned.works);
    const order = { op: "place", tag, changes: planned.changes, counted: true, ...(ignored && { ignored }) } as const;
    // The last question, in the same breath as the order (EN19).
    this.#ground.checkFences(acts);
    try {
      const placing = workspace.keeper.request(order);
      // Side by side: the bytes have to be safe before the call is recorded as done, not before it is done.
      const keeping = planned.bytes.map((bytes) => (bytes === null ? undefined : workspace.keepBytes(bytes)));
      const [answer] = await Promise.all([placing, ...keeping]);
      const { placed, ignored: scratch } = answer as PlaceAnswer;
      const after = new Map(placed.map(({ path, entry }) => [path, entry]));
      const isIt = planned.works.every(({ path, work }) => after.get(path) === work);
      return await (isIt
        ? this.#changed(planned.works, planned.bytes.map(lengthOf), changes, ignored === undefined ? [] : scratch)
        : this.#again(placed, changes));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "changed") throw error;
      return undefined;
    }
  }

  /** What an earlier life of this call has done, by the keeper's journal; undefined where it has done nothing. */
  async #doneBefore(call: number, changes: readonly FileChange[]): Promise<ActResult | undefined> {
    const tag = this.#ground.tagOf(call);
    const { placed } = await this.#placedAs(tag);
    return placed === null ? undefined : this.#again(placed, changes);
  }

  async #placedAs(tag: string): Promise<PlacedAnswer> {
    try {
      return (await this.#ground.workspace.keeper.request({ op: "placed", tag })) as PlacedAnswer;
    } catch (error) {
      // A keeper of an earlier release does not know the question.
      if (error instanceof Fault && error.code === "bad-request") return { placed: null };
      throw error;
    }
  }

  /** Nobody had named the bytes by then, so they may have been collected since: they are stored again (LD44). */
  async #again(placed: readonly PlacedPath[], changes: readonly FileChange[]): Promise<ActResult> {
    const { workspace } = this.#ground;
    const works: Work[] = [];
    const lengths: number[] = [];
    let isThere = true;
    for (const { path, entry } of placed) {
      const now = await workspace.read(path);
      isThere &&= now.entry === entry;
      if (now.entry === entry && now.bytes !== null) await workspace.keepBytes(now.bytes);
      works.push({ path, base: await workspace.baseOf(path), work: entry });
      lengths.push(lengthOf(now.bytes));
    }
    const result = await this.#changed(works, lengths, changes);
    // Somebody has written there since: what is there now counts.
    return isThere ? result : { ...result, look: true };
  }

  /** What was changed; where git ignores it, it is scratch, and the model should know (LD17). */
  async #changed(
    works: readonly Work[],
    lengths: readonly number[],
    changes: readonly FileChange[],
    known?: readonly string[],
  ): Promise<ActResult> {
    const scratch = known === undefined ? await this.#ground.workspace.scratchOf(works) : new Set(known);
    this.#seen.note(works.map(({ path, work }) => ({ path, entry: work })));
    const { answer, report } = changed(works, lengths, changes);
    if (scratch.size === 0 || !answer.ok) return { answer, report };
    const text = `${answer.text}\nscratch, because git ignores it, and never lands: ${[...scratch].join(", ")}`;
    const isReal = ({ path }: { readonly path: string }): boolean => !scratch.has(path);
    return {
      answer: { ...answer, text },
      report: { ...report, changed: report.changed.filter(isReal), works: report.works.filter(isReal) },
    };
  }

  async #sayChanged({ changes }: Planned): Promise<ActResult> {
    for (const { path, expect, to } of changes) {
      const entry = await this.#entryAt(path);
      if (entry === expect || entry === to) continue;
      const { code, message } = hasChanged(path, entry);
      return failed(code, message);
    }
    return failed("changed", "the files changed while this was done; nothing was changed; read them again");
  }

  async #entryAt(path: string): Promise<Entry> {
    return (await this.#ground.workspace.read(path)).entry;
  }

  async #list(wish: Omit<Extract<KeeperOp, { op: "list" }>, "op">): Promise<ListAnswer> {
    return (await this.#ground.workspace.keeper.request({ op: "list", ...wish })) as ListAnswer;
  }
}

function toLine({ path, kind, size }: ListedPath): string {
  if (kind === "folder") return `${path}/`;
  return kind === "file" ? `${path}  ${size} bytes` : `${path}  (${kind})`;
}

function withReads({ answer, report }: ActResult, reads: readonly Read[]): ActResult {
  return { answer, report: { ...report, reads } };
}

function inSubmodule(path: string, link: string): string {
  const what = path === link ? `${path} is a submodule` : `${path} is in the submodule ${link}`;
  return `${what}, which is read-only here: it is changed in its own repository, and its commit by a person`;
}

function lengthOf(bytes: Uint8Array | null): number {
  return bytes?.length ?? 0;
}

/** A no of the world is an answer here, too. */
function toNo(error: unknown): ActResult {
  if (error instanceof Fault && error.retry === "never") return failed(error.code, error.message);
  throw error;
}

const verbs = { write: "wrote", edit: "edited", delete: "deleted", move: "moved" } as const;

function changed(works: readonly Work[], lengths: readonly number[], changes: readonly FileChange[]): ActResult {
  const after = new Map(works.map(({ path, work }) => [path, work]));
  const lines = changes.map((change) => {
    const target = change.do === "move" ? change.to : change.path;
    const entry = after.get(target) ?? null;
    const name = change.do === "move" ? `${change.path} to ${change.to}` : change.path;
    return `${verbs[change.do]} ${name}${entry === null ? "" : ` (${hashOf(entry)})`}`;
  });
  const moves = changes.flatMap((change) => (change.do === "move" ? [{ from: change.path, to: change.to }] : []));
  const text = lines.join("\n");
  const summary =
    lines.length === 1 ? text : `${lines.length} changes, all done: ${works.map(({ path }) => path).join(", ")}`;
  return {
    answer: { ok: true, text, exit: null },
    report: {
      ...plain(true, summary),
      changed: works.map(({ path }, at) => ({ path, bytes: lengths[at] ?? 0 })),
      works,
      ...(moves.length === 0 ? {} : { moves }),
    },
  };
}
