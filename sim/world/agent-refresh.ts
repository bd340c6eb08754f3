// Somebody has the files of a living agent brought to mainline's head (AG82): what nobody changed in it moves, what was changed
// stays. The log hears of it afterwards, or never, where the daemon died in between.

import { findRefreshObstacle } from "../../src/core/agent/agent-refresh.ts";
import type { Agent } from "../../src/core/agent/agent-state.ts";
import type { ModelAgent } from "./agent-model.ts";
import type { Depot } from "./depot.ts";
import { moveTo } from "./sim-refresh.ts";

export type AgentRefreshWorld = {
  readonly depot: Depot;
  readonly report: (kind: string, sentence: string) => void;
};

/** Answers where they are now and how many moved; undefined where it was refused. */
export function refreshAgent(
  { depot, report }: AgentRefreshWorld,
  agent: ModelAgent,
): { readonly commit: string; readonly count: number } | undefined {
  const { name, run, isMade, isArchived } = agent;
  const state = agent.state as Agent["state"];
  if (findRefreshObstacle({ name, run, isMade, isArchived, state }) !== undefined) return undefined;
  if (run !== null) report("AG82", `the files of ${name} are moved, and ${run} is in it`);
  const workspace = depot.workspaceIn(agent);
  const { repo } = workspace;
  const { head } = repo;
  const before = workspace.dirty();
  const same = new Set(before.flatMap(({ path, work }) => (repo.at(head, path) === work ? [path] : [])));
  const { moved } = moveTo(workspace, head, {
    sometimes: () => undefined,
    coverOf: (path) => (same.has(path) ? "new" : "none"),
  });
  for (const { path, base, work } of before) {
    if (workspace.workOf(path) !== work) report("AG82", `${path} was changed in ${name}, and is another now`);
    if (!same.has(path) && workspace.baseOf(path) !== base) report("AG82", `${path} of ${name} has another base`);
  }
  return { commit: head, count: moved.length };
}
