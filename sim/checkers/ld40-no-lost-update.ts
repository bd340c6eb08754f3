// LD40: a landing replaces a word only by one whose writer had seen it, and a file only by what was made with it in view.

import type { Depot } from "../world/depot.ts";
import type { Checker } from "../world/watch.ts";
import { wordsOf } from "../world/words.ts";

export function noLostUpdate({ authors }: Depot): Checker {
  return {
    name: "LD40 no lost update",
    made: ({ repo, commit }, { model, report }) => {
      const { by, parent } = commit;
      if (by === null || parent === null) return;
      const bases = new Map((model.runs.get(by.run)?.approved ?? []).map(({ path, base }) => [path, base]));
      for (const path of repo.changesBetween(parent, commit.id)) {
        const [before, after] = [repo.at(parent, path), repo.at(commit.id, path)];
        if (before === null || after === null) {
          if (bases.get(path) !== before) report("LD40", `${commit.id} makes ${after} of ${before} at ${path}, unseen`);
          continue;
        }
        const words = wordsOf(after);
        wordsOf(before).forEach((word, at) => {
          const next = words[at];
          if (next === undefined || !authors.knew(next, word))
            report("LD40", `${commit.id} puts ${next} over ${word} at ${path}, and its writer never saw that`);
        });
      }
    },
  };
}
