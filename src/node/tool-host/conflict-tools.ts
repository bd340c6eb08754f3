// A file on which a run and somebody else have met: the sides of it, and the run's word that it has made one of them (LD31).

import { blobOf, type Entry } from "../../core/landing/entry.ts";
import type { Conflict } from "../../core/workspace/workspace-state.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { ConflictSide, DoorAnswer, LineRange } from "../../ports/runner.ts";
import { splitLines } from "../../core/landing/text-diff.ts";
import { type ActResult, done, failed, guarded, plain } from "./act-result.ts";
import type { CallGround, FencedAct } from "./call-ground.ts";
import { hashOf } from "./plan-changes.ts";
import { ShownParts } from "./shown-parts.ts";
import { type Lines, linesToRead, sayLines, unreadOf } from "./unread-lines.ts";

/** What is longer is cut on its way to a model: nobody would have read its end. */
const partCharsMax = 90_000;

export class ConflictTools {
  readonly #ground: CallGround;
  /** The paths that are open, each with mainline's side. */
  readonly #open: () => ReadonlyMap<string, Conflict>;
  readonly #parts: ShownParts;
  /** What there was to read of the side that was looked at last: to find that of a long file takes a moment, and it is read part by part. */
  #toRead: { readonly of: string; readonly lines: readonly Lines[] } | undefined;

  constructor(ground: CallGround, open: () => ReadonlyMap<string, Conflict>) {
    this.#ground = ground;
    this.#open = open;
    this.#parts = new ShownParts(`${ground.folder}/shown-parts`);
  }

  /** That all that counts of mainline's side was shown is reported with the call: only then may the run say that it has made one of both. */
  read(path: string, side: ConflictSide, range: LineRange | undefined): Promise<ActResult> {
    return guarded(async () => {
      const theirs = this.#theirs(path);
      if (!theirs.ok) return theirs.refusal;
      const entry = side === "theirs" ? theirs.value : await this.#ground.workspace.baseOf(path);
      const what = `${path}, side ${side}`;
      const asShown = (result: ActResult): ActResult =>
        side === "base" ? result : { ...result, report: { ...result.report, shown: [{ path, entry }] } };
      if (entry === null) return asShown(done("", `read ${what}`, `${what}: there is no such file`));
      const text = await this.#textOf(entry);
      // What cannot be shown is said with what there is to know of it.
      if (text === null) {
        const message = `${what} is too large to be read here, and no text: take one side whole`;
        return asShown(failed("too-large", message));
      }
      const part = partOfSide(text, range);
      const which = part.which === null ? "" : `, ${part.which}`;
      const summary = `read ${what} (${hashOf(entry)})${which}`;
      if (side === "base") return done(part.text, summary, `${what}${which}`);
      this.#parts.note(path, entry, part.lines);
      const unread = await this.#unreadOf(path, entry, text);
      if (unread.length === 0) return asShown(done(part.text, summary, `${what}${which}`));
      return done(part.text, summary, `${what}${which}; still to be read: ${sayLines(unread)}`);
    });
  }

  /** To a no to `resolve`: what of the other side the run has not read, where it has read some of it. */
  async sayUnread(path: string, answer: DoorAnswer): Promise<DoorAnswer> {
    const theirs = this.#open().get(path)?.theirs ?? null;
    if (answer.ok || answer.code !== "not-read" || theirs === null || this.#parts.of(path, theirs).length === 0)
      return answer;
    const text = await this.#textOf(theirs);
    const unread = text === null ? [] : await this.#unreadOf(path, theirs, text);
    if (unread.length === 0) return answer;
    const are = unread.length === 1 && unread[0]?.from === unread[0]?.to ? "is" : "are";
    return { ...answer, message: `${answer.message} Of their side ${sayLines(unread)} ${are} still to be read.` };
  }

  /** What mainline has changed is what has to be read of its side. */
  async #unreadOf(path: string, theirs: Entry, text: string): Promise<Lines[]> {
    const base = await this.#ground.workspace.baseOf(path);
    const of = JSON.stringify([base, theirs]);
    if (this.#toRead?.of !== of) {
      const before = base === null ? null : await this.#textOf(base);
      this.#toRead = { of, lines: linesToRead(before ?? undefined, text) };
    }
    return unreadOf(this.#toRead.lines, this.#parts.of(path, theirs));
  }

  async #textOf(entry: NonNullable<Entry>): Promise<string | null> {
    const bytes = await this.#ground.workspace.contentOf(blobOf(entry));
    return bytes === null ? null : Buffer.from(bytes).toString("utf8");
  }

  /** The base becomes the side that was shown; mainline's entry of this moment may be one that nobody has seen. */
  resolve(act: FencedAct, path: string): Promise<ActResult> {
    return guarded(async () => {
      const theirs = this.#theirs(path);
      if (!theirs.ok) return theirs.refusal;
      const { workspace } = this.#ground;
      if ((await workspace.baseOf(path)) === theirs.value)
        return failed("in-the-way", `mainline has something else in the place of ${path}: move it, or delete it`);
      this.#ground.checkFences([act]);
      await workspace.rebase(path, theirs.value);
      const { entry } = await workspace.read(path);
      const works = await workspace.bringHome([{ path, base: theirs.value, work: entry }]);
      const text = `resolved ${path}`;
      return { answer: { ok: true, text, exit: null }, report: { ...plain(true, text), works } };
    });
  }

  #theirs(path: string): Result<Entry, ActResult> {
    const open = this.#open();
    const met = open.get(path);
    if (met !== undefined) return ok(met.theirs);
    const names = [...open.keys()].join(", ");
    const others = names === "" ? "there is none in this run" : `in conflict are: ${names}`;
    return refuse(failed("no-conflict", `${path} is in no conflict; ${others}`));
  }
}

/** Some lines of a side, no more than a model is given at once; all of it where nobody asks for some. */
function partOfSide(
  text: string,
  range: LineRange | undefined,
): { readonly text: string; readonly lines: Lines; readonly which: string | null } {
  const all = splitLines(text);
  if (range === undefined) return { text, lines: { from: 1, to: all.length }, which: null };
  const part: string[] = [];
  let chars = 0;
  for (const line of all.slice(range.from - 1, range.from - 1 + range.count)) {
    chars += line.length;
    if (part.length > 0 && chars > partCharsMax) break;
    part.push(line);
  }
  const lines = { from: range.from, to: range.from + part.length - 1 };
  return { text: part.join(""), lines, which: `lines ${lines.from} to ${lines.to} of ${all.length}` };
}
