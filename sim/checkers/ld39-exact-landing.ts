// LD39: a path that its family held without a gap since its base was set, and that nobody changed by hand, lands by
// replacing an entry. Mainline is found elsewhere than at the base only after a gap or a person's commit.

import { findClashes } from "../../src/core/landing/kin.ts";
import type { Depot, Made } from "../world/depot.ts";
import type { LogModel } from "../world/log-model.ts";
import { allows } from "../world/model-unit.ts";
import type { Checker } from "../world/watch.ts";

export function exactLanding(depot: Depot): Checker {
  /** Since which event a family has held a path without a gap, by family and path. */
  const since = new Map<string, number>();
  const paths = new Set<string>();
  const look = (model: LogModel, family: string): void => {
    if (model.family(family).kind !== "run") return;
    const leases = model.leasesOf(family).filter((lease) => !lease.quarantined);
    for (const path of paths) {
      const unit = model.unit(family, `file:${path}`);
      const name = `${family} ${path}`;
      if (!leases.some((lease) => allows(lease.unit, unit))) since.delete(name);
      else if (!since.has(name)) since.set(name, model.seq);
    }
  };
  return {
    name: "LD39 exact landing",
    after: (event, { model }) => {
      if (event.type === "project.added") {
        for (const path of depot.repoOf(event.project).commit(event.commit).tree.keys()) paths.add(path);
      }
      if ("works" in event) for (const { path } of event.works) paths.add(path);
      if ("family" in event && typeof event.family === "string" && model.families.has(event.family))
        look(model, event.family);
      if (event.type === "call.finished") look(model, model.runs.get(event.run)?.family ?? "");
    },
    made: (made, { model, report, sometimes }) => {
      const { repo, commit } = made;
      if (commit.by === null || commit.parent === null) return;
      const run = model.runs.get(commit.by.run);
      const workspace = depot.workspaceOf(commit.by.run);
      for (const { path, base } of run?.approved ?? []) {
        if (repo.at(commit.parent, path) === base) continue;
        const fresh = workspace.fresh.get(path) ?? { commit: repo.start, seq: 0 };
        const held = since.get(`${run?.family} ${path}`) ?? Number.POSITIVE_INFINITY;
        if (held > fresh.seq) sometimes("landed after a gap");
        else if (touchedByHand(made, path, fresh.commit)) sometimes("landed over a person's commit");
        else report("LD39", `${path} was held since event ${held} and touched by nobody, and is no longer at its base`);
      }
    },
  };
}

function touchedByHand({ repo, commit }: Made, path: string, since: string): boolean {
  for (const each of repo.history(commit.parent ?? repo.start)) {
    if (each.id === since) return false;
    if (each.by !== null || each.parent === null) continue;
    const touched = repo.changesBetween(each.parent, each.id);
    if (touched.includes(path) || findClashes([path], touched, { foldCase: true }).length > 0) return true;
  }
  return false;
}
