import type { Project } from "../core/project/project.ts";
import { isOver } from "../core/run/run-states.ts";
import type { State } from "../core/state.ts";
import { candidateProject } from "./landing/try-candidate.ts";
import type { DonePlace } from "./workspace/done-places.ts";

/**
 * The workspaces that nobody will ask for: of runs that are removed or stopped, and of candidates. A landing begins anew with
 * a candidate of its own. `done` are places that are left for whoever continues their runs.
 */
export function leftIn(
  state: State,
  agents: readonly string[],
  done: readonly Pick<DonePlace, "agent" | "project">[],
): { readonly agent: string; readonly project: Project }[] {
  const kept = new Map(done.map(({ agent, project }) => [agent, project]));
  return agents.flatMap((agent) => {
    if (state.agents.has(agent)) return [];
    const run = state.runs.get(agent);
    if (run !== undefined && !(isOver(run.state) && run.stopped)) return [];
    if (run?.state === "done" && kept.has(agent)) return [];
    const project = state.projects.get(run?.project ?? kept.get(agent) ?? candidateProject(agent) ?? "");
    return project === undefined ? [] : [{ agent, project }];
  });
}
