// LD37: whatever crashes between intent, swap and record, what was approved once lands once, and is recorded once, as what
// it is.

import type { Depot } from "../world/depot.ts";
import type { Checker, Watch } from "../world/watch.ts";

export function landedOnce(depot: Depot): Checker {
  const acts = new Map<string, string>();
  const recorded = new Set<string>();
  const look = (watch: Watch, isOver: boolean): void => {
    for (const repo of depot.repos()) {
      for (const { id, by } of repo.all()) {
        if (by === null || recorded.has(id) || !isOver) continue;
        const run = watch.model.runs.get(by.run);
        const stillLanding = run?.state === "landing" && `land:${run.id}@${run.sinceSeq}` === by.act;
        if (!stillLanding) watch.report("LD37", `${id} has landed ${by.run}, and the log does not have it`);
      }
    }
  };
  return {
    name: "LD37 landed once",
    made: ({ commit }, { report, sometimes }) => {
      if (commit.by === null) return;
      sometimes("landed");
      const before = acts.get(commit.by.act);
      if (before !== undefined) report("LD37", `${commit.by.act} has landed twice: as ${before} and as ${commit.id}`);
      acts.set(commit.by.act, commit.id);
    },
    before: (event, { model, report }) => {
      if (event.type === "landing.intended") {
        const run = model.runs.get(event.run);
        const act = `land:${event.run}@${run?.sinceSeq}`;
        const done = acts.get(act);
        if (done !== undefined) report("LD37", `${act} is meant to land again, and has landed as ${done}`);
      }
      if (event.type !== "run.landed") return;
      const run = model.runs.get(event.run);
      if (recorded.has(event.commit)) report("LD37", `${event.commit} is recorded twice`);
      recorded.add(event.commit);
      const repo = depot.repoOf(event.project);
      const tip = event.branch === undefined ? repo.head : (repo.branches.get(event.branch) ?? repo.start);
      if (!repo.isAncestor(event.commit, tip))
        return report("LD37", `${event.commit} is recorded as landed, and mainline does not have it`);
      const commit = repo.commit(event.commit);
      if (commit.by?.act !== `land:${event.run}@${run?.sinceSeq}`)
        report("LD37", `${event.commit} is recorded for ${event.run}, and was made for ${commit.by?.act}`);
      for (const { path, entry } of event.entries) {
        if (repo.at(event.commit, path) !== entry)
          report("LD32", `${event.commit} has ${repo.at(event.commit, path)} at ${path}, and ${entry} is recorded`);
      }
    },
    phase: (_, watch) => look(watch, true),
  };
}
