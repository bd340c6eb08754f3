// A run gets the workspace of a living agent (AG44): what is changed there and nobody's is set aside, the rest goes to
// mainline's head, and only then anything of the run happens there.

import type { Work } from "../../src/core/workspace/workspace-state.ts";
import type { LogModel } from "./log-model.ts";
import { hasEnded, type ModelRun, rootOf } from "./run-model.ts";
import { groundOf } from "./sim-ground.ts";
import type { SimNode } from "./sim-node.ts";

const againMs = 1000;

/** Whether a run may work where it is to work. */
export function hasEntered(model: LogModel, run: ModelRun): boolean {
  const root = rootOf(model, run);
  return root.agent === null || root.entered;
}

/** Does something once the workspace is the run's; whoever is over is let through. */
export function enter(node: SimNode, id: string, then: () => void): void {
  const { model, depot, sometimes } = node.world;
  const run = model.runs.get(id);
  const root = run === undefined ? undefined : rootOf(model, run);
  if (root === undefined || root.agent === null || root.entered || hasEnded(root)) return then();
  const agent = model.agents.get(root.agent);
  const isThere = agent?.run === root.id && agent.isMade && agent.state !== "stopping";
  if (!isThere) return node.after(againMs, () => enter(node, id, then));
  node.alone(root.id, (release) => {
    const leave = (): void => {
      release();
      enter(node, id, then);
    };
    if (root.entered || hasEnded(root) || agent.run !== root.id) return leave();
    const isSafe = ({ path, work }: Work): boolean =>
      [...model.trash.values()].some((item) => item.path === path && item.work === work);
    const settle = (): void => {
      if (root.entered || hasEnded(root) || agent.run !== root.id) return leave();
      const workspace = depot.workspaceOf(root.id);
      workspace.enter(groundOf(model, workspace.repo, root), isSafe);
      node.ask({ type: "run.enter", run: root.id, works: [], commit: workspace.commit }, leave);
    };
    const found = depot
      .workspaceOf(root.id)
      .dirty()
      .filter((work) => !isSafe(work));
    if (found.length === 0) return settle();
    sometimes("left in an agent between runs");
    node.ask({ type: "run.enter", run: root.id, works: found, commit: null }, settle);
  });
}
