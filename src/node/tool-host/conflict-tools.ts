// A file on which a run and somebody else have met: the sides of it, and the run's word that it has made one of them (LD31).

import { blobOf, type Entry } from "../../core/landing/entry.ts";
import type { Conflict } from "../../core/workspace/workspace-state.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { ConflictSide, LineRange } from "../../ports/runner.ts";
import { type ActResult, done, failed, guarded, plain } from "./act-result.ts";
import type { CallGround, FencedAct } from "./call-ground.ts";
import { partOf } from "./part-of.ts";
import { hashOf } from "./plan-changes.ts";

export class ConflictTools {
  readonly #ground: CallGround;
  /** The paths that are open, each with mainline's side. */
  readonly #open: () => ReadonlyMap<string, Conflict>;

  constructor(ground: CallGround, open: () => ReadonlyMap<string, Conflict>) {
    this.#ground = ground;
    this.#open = open;
  }

  /** That mainline's side was shown is reported with the call: only then may the run say that it has made one of both. */
  read(path: string, side: ConflictSide, range: LineRange | undefined): Promise<ActResult> {
    return guarded(async () => {
      const theirs = this.#theirs(path);
      if (!theirs.ok) return theirs.refusal;
      const entry = side === "theirs" ? theirs.value : await this.#ground.workspace.baseOf(path);
      const result = await this.#show(entry, `${path}, side ${side}`, range);
      // Lines beyond its end show nothing of it.
      const isShown = side === "theirs" && (range === undefined || result.answer.text !== "" || !result.answer.ok);
      return isShown ? { ...result, report: { ...result.report, shown: [{ path, entry }] } } : result;
    });
  }

  /** What cannot be shown is said with what there is to know of it. */
  async #show(entry: Entry, what: string, range: LineRange | undefined): Promise<ActResult> {
    if (entry === null) return done("", `read ${what}`, `${what}: there is no such file`);
    const bytes = await this.#ground.workspace.contentOf(blobOf(entry));
    if (bytes === null)
      return failed("too-large", `${what} is too large to be read here, and no text: take one side whole`);
    const summary = `read ${what} (${hashOf(entry)})`;
    const { text, which } = partOf(Buffer.from(bytes).toString("utf8"), range);
    return which === null ? done(text, summary, what) : done(text, `${summary}, ${which}`, `${what}, ${which}`);
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
