// One run's view of its project, on its node's disk: for each path what mainline had when it was last brought in step
// (base) and what is there now (work). It survives every crash, and knows no leases.

import type { Entry } from "../../src/core/landing/entry.ts";
import { findClashes } from "../../src/core/landing/kin.ts";
import type { Work } from "../../src/core/workspace/workspace-state.ts";
import type { SimRepo } from "./sim-repo.ts";
import { wordsOf } from "./words.ts";

/** What the log asks of a workspace. It is done once, whoever was down when it was decided. */
export type Placing =
  | { readonly seq: number; readonly kind: "aside"; readonly works: readonly Work[] }
  | {
      readonly seq: number;
      readonly kind: "landed";
      readonly entries: readonly { readonly path: string; readonly entry: Entry }[];
      readonly approved: ReadonlyMap<string, Entry>;
    };

export class SimWorkspace {
  readonly repo: SimRepo;
  readonly foldCase: boolean;
  /** Where its clean paths stand. */
  commit: string;
  /** Paths that are not as the commit has them, or have another base. */
  readonly #own = new Map<string, { base: Entry; work: Entry }>();
  /** The commit at which a path's base was mainline's entry, as last looked at, and the last event before that. */
  readonly fresh = new Map<string, { readonly commit: string; readonly seq: number }>();
  /** What its run has taken away: whoever writes there again has seen it. */
  readonly removed = new Map<string, readonly string[]>();
  /** Sides of mainline that its family has looked at, where two have met. */
  readonly shown = new Set<string>();
  #placed = 0;

  constructor(repo: SimRepo, foldCase: boolean) {
    this.repo = repo;
    this.foldCase = foldCase;
    this.commit = repo.head;
  }

  baseOf(path: string): Entry {
    const own = this.#own.get(path);
    return own === undefined ? this.repo.at(this.commit, path) : own.base;
  }

  workOf(path: string): Entry {
    const own = this.#own.get(path);
    return own === undefined ? this.repo.at(this.commit, path) : own.work;
  }

  /** Every path that is there, or has a base of its own. */
  paths(): string[] {
    return [...new Set([...this.repo.commit(this.commit).tree.keys(), ...this.#own.keys()])];
  }

  /** Every path that is not as its base has it, by content (LD4). */
  dirty(): Work[] {
    const own = [...this.#own].map(([path, { base, work }]) => ({ path, base, work }));
    return own.filter(({ base, work }) => base !== work).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Everything that is in it, changed or not. */
  contents(): Entry[] {
    return [
      ...this.repo.commit(this.commit).tree.values(),
      ...[...this.#own.values()].flatMap(({ base, work }) => [base, work]),
    ];
  }

  /** Whether a file system could have something at this path beside what is there. */
  hasRoomFor(path: string): boolean {
    const there = this.paths().filter((each) => each !== path && this.workOf(each) !== null);
    return findClashes([path], there, { foldCase: this.foldCase }).length === 0;
  }

  put(path: string, base: Entry, work: Entry): void {
    const entry = this.repo.at(this.commit, path);
    if (base === entry && work === entry) this.#own.delete(path);
    else this.#own.set(path, { base, work });
  }

  write(path: string, work: Entry): void {
    this.put(path, this.baseOf(path), work);
  }

  /** Takes over what a path was at an earlier step. Who took it away then had seen what was there. */
  recall({ path, base, work }: Work, { onto }: { onto: Entry }): void {
    if (work === null) this.removed.set(path, wordsOf(base));
    this.put(path, onto, work);
  }

  /** Moves what is clean to another commit. Whatever is named keeps the base and the work that it is given. */
  move(commit: string, keeps: readonly Work[]): void {
    this.#own.clear();
    this.commit = commit;
    for (const { path, base, work } of keeps) this.put(path, base, work);
  }

  /** Another run gets it: what is safe elsewhere goes, and what is clean moves to this commit. */
  enter(commit: string, isSafe: (work: Work) => boolean): void {
    this.move(
      commit,
      this.dirty().filter((work) => !isSafe(work)),
    );
    this.fresh.clear();
    this.removed.clear();
  }

  /** Does what the log has decided since the last time. */
  catchUp(placings: readonly Placing[]): void {
    for (const placing of placings) {
      if (placing.seq <= this.#placed) continue;
      this.#placed = placing.seq;
      if (placing.kind === "aside") this.#putBack(placing.works);
      else this.#land(placing);
    }
  }

  /** What was set aside is as its commit has it again (LD16). What was written since stays: the next look finds it. */
  #putBack(works: readonly Work[]): void {
    const back = works.map(({ path, work }) => ({ path, work, entry: this.repo.at(this.commit, path) }));
    // What goes makes room for what comes.
    for (const { path, work, entry } of [...back.filter((each) => each.entry === null), ...back]) {
      if (this.workOf(path) !== work || (entry !== null && !this.hasRoomFor(path))) continue;
      this.removed.delete(path);
      this.put(path, entry, entry);
    }
    // What stood back for it comes along (LD11).
    for (const [path, { base, work }] of [...this.#own]) {
      const entry = this.repo.at(this.commit, path);
      if (base === work && (entry === null || this.hasRoomFor(path))) this.put(path, entry, entry);
    }
  }

  #land({ entries, approved }: Placing & { kind: "landed" }): void {
    for (const { path, entry } of entries) {
      const whole = approved.get(path) ?? null;
      const work = this.workOf(path);
      if (work === whole) this.put(path, entry, entry);
      else this.put(path, whole, work);
    }
  }
}
