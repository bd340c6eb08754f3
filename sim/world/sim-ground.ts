// What a run stands on: mainline, or the branch of its own that it has landed on (LD53), worked out from the model of the log.

import type { LogModel } from "./log-model.ts";
import { type ModelRun, rootOf } from "./run-model.ts";
import type { SimRepo } from "./sim-repo.ts";

/** The branch that a run lands on, where its project says so. */
export function branchOf(model: LogModel, run: ModelRun): string | undefined {
  return model.projects.get(run.project)?.landingBranch?.replace("{run}", run.id);
}

export function groundOf(model: LogModel, repo: SimRepo, run: ModelRun): string {
  const root = rootOf(model, run);
  const tip = root.landedOn === null || root.landedOn !== branchOf(model, root) ? null : root.landed;
  return tip ?? repo.head;
}
