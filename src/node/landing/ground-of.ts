// What a run stands on: mainline, or the branch of its own that it has landed on, until mainline has that (LD53).

import type { Project } from "../../core/project/project.ts";
import type { Run } from "../../core/run/run-state.ts";
import { rootOf, type State } from "../../core/state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { fillBranch } from "../../protocol/branch-pattern.ts";

/** The commit that the workspace of a run is in step with, and that its next candidate is made of. */
export async function groundOf(mainline: Mainline, run: Run, project: Project): Promise<string> {
  const head = await mainline.head();
  const branch = branchFor(run, project);
  const tip = branch === undefined ? undefined : tipOn(run, branch);
  return tip === undefined || (await mainline.isAncestor(tip, head)) ? head : tip;
}

/** The same, by what the log says of the run whose workspace it is: a sub-run works in that of its root. */
export async function groundIn(state: State, mainline: Mainline, run: Run): Promise<string> {
  const root = rootOf(state, state.runs.get(run.id) ?? run);
  const project = state.projects.get(root.project);
  return project === undefined ? mainline.head() : groundOf(mainline, root, project);
}

/** The branch of its own that a run lands on, where its project says so (LD50). */
export function branchFor(run: Run, { landingBranch }: Project): string | undefined {
  return landingBranch === undefined || landingBranch === null ? undefined : fillBranch(landingBranch, run);
}

/** What a run has put on a branch so far. */
export function tipOn({ landed, landedOn }: Run, branch: string): string | undefined {
  return landedOn === branch ? (landed ?? undefined) : undefined;
}
