// A file on which a run and somebody else have met: the sides of it, and the run's word that it has made one of them (LD31).

import { blobOf, type Entry } from "../../core/landing/entry.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { ConflictSide } from "../../ports/runner.ts";
import { type ActResult, done, failed, guarded, plain } from "./act-result.ts";
import type { CallGround, FencedAct } from "./call-ground.ts";
import { hashOf } from "./plan-changes.ts";

export class ConflictTools {
  readonly #ground: CallGround;
  /** Mainline's side of each path that is open, as it was shown. */
  readonly #open: () => ReadonlyMap<string, Entry>;

  constructor(ground: CallGround, open: () => ReadonlyMap<string, Entry>) {
    this.#ground = ground;
    this.#open = open;
  }

  read(path: string, side: ConflictSide): Promise<ActResult> {
    return guarded(async () => {
      const theirs = this.#theirs(path);
      if (!theirs.ok) return theirs.refusal;
      const { workspace } = this.#ground;
      const entry = side === "theirs" ? theirs.value : await workspace.baseOf(path);
      const what = `${path}, side ${side}`;
      if (entry === null) return done("", `read ${what}`, `${what}: there is no such file`);
      const bytes = await workspace.contentOf(blobOf(entry));
      if (bytes === null)
        return failed("too-large", `${what} is too large to be read here, and no text: take one side whole`);
      return done(Buffer.from(bytes).toString("utf8"), `read ${what} (${hashOf(entry)})`, what);
    });
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
    const theirs = open.get(path);
    if (theirs !== undefined) return ok(theirs);
    const names = [...open.keys()].join(", ");
    const others = names === "" ? "there is none in this run" : `in conflict are: ${names}`;
    return refuse(failed("no-conflict", `${path} is in no conflict; ${others}`));
  }
}
