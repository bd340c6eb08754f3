// LD19, LD22, LD24, LD26: what is approved is what the workspace has and the family holds; what lands is what was
// approved, under live leases, and nothing else.

import { groupPaths } from "../../src/core/landing/kin.ts";
import { wordsOf } from "../world/words.ts";
import type { Depot } from "../world/depot.ts";
import type { Checker } from "../world/watch.ts";

export function approvedIsWhatLanded(depot: Depot): Checker {
  return {
    name: "LD22 approved is what landed",
    before: (event, { model, report, sometimes }) => {
      if (event.type !== "run.approved") return;
      const run = model.runs.get(event.run);
      if (run === undefined) return;
      const workspace = depot.workspaceOf(run.id);
      const named = new Set(event.approved.map(({ path }) => path));
      if (event.approved.length < run.dirty.size) sometimes("approved in part");
      for (const { path, base, entry } of event.approved) {
        if (!model.holds(run.family, path)) report("LD19", `${path} of ${run.id} is approved and not held`);
        if (workspace.baseOf(path) !== base)
          report("LD22", `${path} of ${run.id} is approved on a base that it has not`);
        // Services of a living agent may have written there since; what was shown stays what it was (AG48).
        const shown = run.agent === null ? workspace.workOf(path) : (run.dirty.get(path)?.work ?? null);
        const [before, after] = [wordsOf(base), wordsOf(shown)];
        const chosen = wordsOf(entry);
        if (entry !== shown) sometimes("approved by hunk");
        const isPart = chosen.every((word, at) => word === after[at] || word === before[at]);
        if (!isPart || (entry === null && shown !== null))
          report("LD22", `${path} of ${run.id} is approved as ${entry}, and what was shown is ${shown}`);
      }
      const { foldCase = false } = model.projects.get(run.project) ?? {};
      for (const group of groupPaths([...run.dirty.keys()], { foldCase })) {
        const missing = group.filter((path) => !named.has(path));
        if (missing.length > 0 && missing.length < group.length)
          report("LD24", `${missing.join(", ")} of ${run.id} is not approved together with its kin`);
      }
    },
    made: ({ repo, commit }, { model, report }) => {
      const { by, parent } = commit;
      if (by === null || parent === null) return;
      const run = model.runs.get(by.run);
      if (run?.state !== "landing" || run.approved === null || `land:${run.id}@${run.sinceSeq}` !== by.act)
        return report("LD22", `${commit.id} lands ${by.run}, and nobody has approved that`);
      if (model.family(run.family).life !== "landing")
        report("LD26", `${commit.id} lands ${run.id} without frozen leases`);
      for (const { path } of run.approved) {
        if (!model.holds(run.family, path))
          report("LD26", `${commit.id} lands ${path}, which ${run.family} does not hold`);
      }
      const approved = new Map(run.approved.map((each) => [each.path, each]));
      for (const path of repo.changesBetween(parent, commit.id)) {
        const given = approved.get(path);
        if (given === undefined) {
          report("LD22", `${commit.id} changes ${path}, which was not approved of ${run.id}`);
          continue;
        }
        // Merged or not, what is new in the landed file was in the approved one.
        const before = wordsOf(repo.at(parent, path));
        const news = wordsOf(repo.at(commit.id, path)).filter((word, at) => word !== before[at]);
        if (
          repo.at(commit.id, path) === null
            ? given.entry !== null
            : news.some((word) => !wordsOf(given.entry).includes(word))
        )
          report("LD22", `${commit.id} lands ${repo.at(commit.id, path)} at ${path}, and ${given.entry} was approved`);
      }
    },
  };
}
