// What a run has at its door: the tools for its workspace, and what it finds beside it in a living agent.

import { callsFaces } from "../core/agent/face-calls.ts";
import { isDerived } from "../core/project/derived.ts";
import { isWritten, type Run } from "../core/run/run-state.ts";
import { livesIn, rootOf, type State } from "../core/state.ts";
import type { Beside } from "../ports/runner.ts";
import type { LivingAgents } from "./agents/living-agents.ts";
import { forwarderEnv } from "./egress/egress-ways.ts";
import type { NodeGuards } from "./node-guards.ts";
import type { RunPlaces } from "./run-places.ts";
import { Tools } from "./tool-host/tools.ts";
import type { Workspace } from "./workspace/workspace.ts";

export type HandsGround = {
  readonly state: () => State;
  readonly guards: NodeGuards;
  readonly places: RunPlaces;
  readonly agents: LivingAgents;
  readonly callsFolder: (run: string) => string;
  /** Resolves when nothing is about to move in a run's workspace. */
  readonly inStep: (run: string) => Promise<void>;
};

const nothing: Beside = { env: {}, services: [] };

/** What is there besides the project where a run works. */
export async function besideOf({ state, agents }: HandsGround, run: Run): Promise<Beside> {
  const agent = state().agents.get(livesIn(state(), run));
  if (agent === undefined) return nothing;
  // Where its agent has no network nothing else in it knows of the way to faces.
  const way = callsFaces(state(), run) ? forwarderEnv : {};
  const env = { ...way, ...(await agents.envOf(agent)), ...rootOf(state(), run).settings?.env };
  return { env, services: agents.tell(agent) };
}

export function toolsFor(ground: HandsGround, run: Run, workspace: Workspace, beside: Beside): Tools {
  const { state, guards, places, agents } = ground;
  const { project } = run;
  const root = (): Run => rootOf(state(), state().runs.get(run.id) ?? run);
  return new Tools({
    ...{ run: run.id, workspace, env: beside.env, callsFolder: ground.callsFolder(run.id) },
    check: (act) => guards.check(project, act, state()),
    known: () => root().workspace.dirty,
    oversized: () => root().workspace.oversized,
    conflicts: () => root().workspace.conflicts,
    trashed: (path, work) => places.isTrashed(run, path, work),
    isDriven: !isWritten(run),
    isDerived: (path) => isDerived(state().projects.get(project)?.derived ?? [], path),
    processes: () => state().projects.get(project)?.processes ?? {},
    services: () => agents.callsOf(livesIn(state(), run)),
    inStep: () => ground.inStep(run.id),
  });
}
