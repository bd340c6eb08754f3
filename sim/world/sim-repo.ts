// A project's history: commits, and mainline, which moves by compare-and-swap and by nothing else. It survives every
// crash. Who may move it is not its business; checkers watch.

import type { Entry } from "../../src/core/landing/entry.ts";

export type Commit = {
  readonly id: string;
  readonly parent: string | null;
  readonly tree: ReadonlyMap<string, string>;
  /** The run and act that made it, or null for a person's own. */
  readonly by: { readonly run: string; readonly act: string } | null;
};

export class SimRepo {
  readonly start: string;
  /** Where the branches of runs stand. */
  readonly branches = new Map<string, string>();
  readonly #commits = new Map<string, Commit>();
  #head: string;

  constructor(start: string, tree: ReadonlyMap<string, string>) {
    this.start = start;
    this.#head = start;
    this.#commits.set(start, { id: start, parent: null, tree, by: null });
  }

  get head(): string {
    return this.#head;
  }

  commit(id: string): Commit {
    const found = this.#commits.get(id);
    if (found === undefined) throw new Error(`there is no commit ${id}`);
    return found;
  }

  at(commit: string, path: string): Entry {
    return this.commit(commit).tree.get(path) ?? null;
  }

  /** Makes a commit and moves nothing. */
  make(parent: string, changes: ReadonlyMap<string, Entry>, by: Commit["by"]): Commit {
    const tree = new Map(this.commit(parent).tree);
    for (const [path, entry] of changes) {
      if (entry === null) tree.delete(path);
      else tree.set(path, entry);
    }
    const made = { id: `${this.start}.${this.#commits.size}`, parent, tree, by };
    this.#commits.set(made.id, made);
    return made;
  }

  swap(from: string, to: string): boolean {
    if (this.#head !== from) return false;
    this.#head = to;
    return true;
  }

  /** Puts a run's branch where it is to be, or says that somebody else's is in the way. */
  putBranch(branch: string, from: string | null, to: string): "put" | "there" | "in the way" {
    const tip = this.branches.get(branch) ?? null;
    if (tip !== null && this.isAncestor(to, tip)) return "there";
    if (tip !== null && tip !== from) return "in the way";
    this.branches.set(branch, to);
    return "put";
  }

  /** Mainline's commits, newest first. */
  *history(from = this.#head): Iterable<Commit> {
    for (let at: string | null = from; at !== null;) {
      const commit = this.commit(at);
      yield commit;
      at = commit.parent;
    }
  }

  /** What mainline or a branch has. */
  all(): Iterable<Commit> {
    const found = new Map<string, Commit>();
    for (const tip of [this.#head, ...this.branches.values()])
      for (const commit of this.history(tip)) {
        if (found.has(commit.id)) break;
        found.set(commit.id, commit);
      }
    return found.values();
  }

  isAncestor(commit: string, of: string): boolean {
    for (const each of this.history(of)) if (each.id === commit) return true;
    return false;
  }

  /** Paths in which two trees differ. */
  changesBetween(from: string, to: string): string[] {
    const [before, after] = [this.commit(from).tree, this.commit(to).tree];
    return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
  }
}
