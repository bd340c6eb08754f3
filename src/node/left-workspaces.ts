import type { Project } from "../core/project/project.ts";
import { isOver } from "../core/run/run-states.ts";
import type { State } from "../core/state.ts";
import { candidateProject } from "./landing/try-candidate.ts";

/**
 * The workspaces that nobody will ask for: of runs that are removed or stopped, and of candidates. A landing begins anew with
 * a candidate of its own, and whoever continues a run does so in a new workspace.
 */
export function leftIn(
  state: State,
  agents: readonly string[],
): { readonly agent: string; readonly project: Project }[] {
  return agents.flatMap((agent) => {
    if (state.agents.has(agent)) return [];
    const run = state.runs.get(agent);
    if (run !== undefined && !(isOver(run.state) && run.stopped)) return [];
    const project = state.projects.get(run?.project ?? candidateProject(agent) ?? "");
    return project === undefined ? [] : [{ agent, project }];
  });
}
