// LD28, LD41: a landing is what its run would have given, had it started from the tree before it: its own changes made
// to that, word by word, and nothing else. The tree is one that a folder can hold.

import { wordsOf } from "../world/words.ts";
import type { Entry } from "../../src/core/landing/entry.ts";
import type { Checker } from "../world/watch.ts";

export function serial(): Checker {
  return {
    name: "LD41 landings are serial",
    made: ({ project, repo, commit }, { model, report }) => {
      const { by, parent } = commit;
      if (by === null || parent === null) return;
      for (const { path, base, entry } of model.runs.get(by.run)?.approved ?? []) {
        const should = redo({ before: repo.at(parent, path), base, approved: entry });
        const is = repo.at(commit.id, path);
        if (should !== is)
          report("LD41", `${commit.id} has ${is} at ${path}; done on its parent it would be ${should}`);
      }
      const { foldCase = false } = model.projects.get(project) ?? {};
      const clash = findClash(repo.commit(commit.id).tree.keys(), foldCase);
      const known = findClash(repo.commit(parent).tree.keys(), foldCase);
      if (clash !== undefined && known === undefined)
        report("LD28", `${commit.id} has ${clash}, which no folder can hold`);
    },
  };
}

/** The change from base to approved, made to what is there. "conflict" where both changed the same. */
function redo(sides: { before: Entry; base: Entry; approved: Entry }): Entry {
  const { before, base, approved } = sides;
  if (before === base) return approved;
  if (approved === base || approved === before) return before;
  if (before === null || base === null || approved === null) return "conflict";
  const [was, now, mine] = [wordsOf(base), wordsOf(before), wordsOf(approved)];
  const words = mine.map((word, at) => {
    if (word === was[at]) return now[at] ?? "";
    return now[at] === was[at] || now[at] === word ? word : "conflict";
  });
  return words.includes("conflict") ? "conflict" : `100644:${words.join("|")}`;
}

/** Two names that cannot stand beside each other. */
function findClash(paths: Iterable<string>, foldCase: boolean): string | undefined {
  const keys = [...paths].map((path) => `/${foldCase ? path.toLowerCase() : path}/`).toSorted();
  const at = keys.findIndex((key, index) => keys[index + 1]?.startsWith(key));
  return at < 0 ? undefined : `${keys[at]} and ${keys[at + 1]}`;
}
