// LD6, LD8, LD9: once a grant is ready, the paths that it brought stand on what mainline had when they were looked at.

import type { Depot } from "../world/depot.ts";
import { allows } from "../world/model-unit.ts";
import type { Checker } from "../world/watch.ts";

export function inStep(depot: Depot): Checker {
  return {
    name: "LD8 what is ready is in step",
    before: (event, { model, report }) => {
      if (event.type !== "lease.ready" || event.commit === null) return;
      const run = model.runs.get(model.family(event.family).holder);
      if (run?.family !== event.family) return;
      const workspace = depot.workspaceOf(run.id);
      const { repo, commit } = workspace;
      const leases = model.leasesOf(event.family);
      for (const path of new Set([...workspace.paths(), ...repo.commit(event.commit).tree.keys()])) {
        const unit = model.unit(event.family, `file:${path}`);
        const covers = leases.filter((lease) => allows(lease.unit, unit));
        if (covers.length === 0 || covers.some((lease) => lease.ready || lease.claim !== event.claim)) continue;
        const base = workspace.baseOf(path);
        // Somebody wrote there after the look: what it is based on shows when it is looked at again.
        const raced = run.placings.some(
          (placing) =>
            placing.kind === "aside" &&
            placing.works.some((work) => work.path === path && work.work !== workspace.workOf(path)),
        );
        const should = [repo.at(event.commit, path), repo.at(commit, path)];
        if (!should.includes(base) && !(raced && workspace.workOf(path) !== base))
          report("LD8", `${path} of ${run.id} is ready on ${base}, and mainline has ${should[0]}`);
        const reported = event.works.find((work) => work.path === path);
        if (reported !== undefined && reported.base === reported.work) continue;
        if (reported !== undefined && !should.includes(reported.base))
          report("LD9", `${path} of ${run.id} is ready, and its changes still stand on ${reported.base}`);
      }
    },
  };
}
