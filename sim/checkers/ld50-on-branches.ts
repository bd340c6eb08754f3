// LD50, LD53: where a project says so, each run lands on a branch of its own and mainline stays; what it lands later comes on top
// of that, and meanwhile that is what it stands on.

import type { Depot } from "../world/depot.ts";
import { branchOf } from "../world/sim-ground.ts";
import type { Checker } from "../world/watch.ts";

export function onBranches(depot: Depot): Checker {
  /** Landings that began when their project had its runs land on branches. */
  const meant = new Map<string, string>();
  return {
    name: "LD50 landings on branches",
    before: (event, { model, report, sometimes }) => {
      if (event.type === "run.moved" && event.to === "landing") {
        const run = model.runs.get(event.run);
        const branch = run === undefined ? undefined : branchOf(model, run);
        if (branch === undefined) meant.delete(event.run);
        else meant.set(event.run, branch);
      }
      if (event.type === "lease.ready" && event.commit !== null) {
        const run = model.runs.get(model.families.get(event.family)?.holder ?? "");
        if (run === undefined || run.landedOn === null || run.landed === null) return;
        sometimes("in step with its own branch");
        if (!depot.repoOf(run.project).isAncestor(run.landed, event.commit))
          report("LD53", `${run.id} is in step with ${event.commit}, which has not what it landed: ${run.landed}`);
      }
      if (event.type !== "run.landed") return;
      const run = model.runs.get(event.run);
      const repo = depot.repoOf(event.project);
      const branch = meant.get(event.run);
      if (branch !== undefined && event.branch !== branch)
        report("LD50", `${event.run} lands on ${event.branch ?? "mainline"}, and not on ${branch}`);
      if (event.branch === undefined || run === undefined) return;
      sometimes("landed on a branch");
      if (repo.isAncestor(event.commit, repo.head))
        report("LD50", `${event.commit} of ${event.run} is for a branch, and mainline has it`);
      const tip = repo.branches.get(event.branch);
      if (tip === undefined || !repo.isAncestor(event.commit, tip))
        report("LD50", `${event.commit} is recorded on ${event.branch}, which does not have it`);
      if (run.landedOn !== event.branch || run.landed === null) return;
      sometimes("landed on a branch again");
      if (!repo.isAncestor(run.landed, event.commit))
        report("LD53", `${event.commit} of ${event.run} leaves out ${run.landed}, which it landed before`);
    },
    sample: ({ state }, { model, report }) => {
      for (const { id, mainline } of model.projects.values()) {
        const known = state.projects.get(id);
        if (known !== undefined && known.mainline !== mainline && state.seq === model.seq)
          report("LD50", `mainline of ${id} is at ${mainline}, and ${known.mainline} is taken for it`);
      }
    },
  };
}
