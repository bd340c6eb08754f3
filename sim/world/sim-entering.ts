// A run gets the workspace of a living agent (AG44), or the one that it was done in before it was continued (RN16): what is changed
// there and nobody's is set aside, the rest goes to mainline's head, and only then anything of the run happens there.

import type { Work } from "../../src/core/workspace/workspace-state.ts";
import type { LogModel } from "./log-model.ts";
import { hasEnded, type ModelRun, rootOf } from "./run-model.ts";
import { groundOf } from "./sim-ground.ts";
import type { SimNode } from "./sim-node.ts";

const againMs = 1000;

/** Whether a run may work where it is to work. */
export function hasEntered(model: LogModel, run: ModelRun): boolean {
  const root = rootOf(model, run);
  return root.agent === null ? !root.unplaced : root.entered;
}

/** Whether anything of a run may be where it was to work: whoever never had the workspace of an agent has left nothing in it. */
export function mayHaveLeft(model: LogModel, run: ModelRun): boolean {
  const root = rootOf(model, run);
  return root.agent === null || root.entered;
}

/** Does something once the workspace is the run's; whoever is over is let through. */
export function enter(node: SimNode, id: string, then: () => void): void {
  const { model, depot, sometimes } = node.world;
  const run = model.runs.get(id);
  const root = run === undefined ? undefined : rootOf(model, run);
  if (root === undefined || hasEntered(model, root) || hasEnded(root)) return then();
  const isFree = (): boolean => {
    const agent = model.agents.get(root.agent ?? "");
    return root.agent === null || (agent?.run === root.id && agent.isMade && agent.state !== "stopping");
  };
  if (!isFree()) return node.after(againMs, () => enter(node, id, then));
  node.alone(root.id, (release) => {
    const leave = (): void => {
      release();
      enter(node, id, then);
    };
    const isOvertaken = (): boolean =>
      hasEntered(model, root) ||
      hasEnded(root) ||
      (root.agent !== null && model.agents.get(root.agent)?.run !== root.id);
    if (isOvertaken()) return leave();
    const tell = (works: readonly Work[], commit: string | null, heard: () => void): void => {
      const about = { run: root.id, works, commit };
      node.ask(
        root.agent === null ? { type: "run.place", ...about, fresh: false } : { type: "run.enter", ...about },
        heard,
      );
    };
    const isSafe = ({ path, work }: Work): boolean =>
      [...model.trash.values()].some((item) => item.path === path && item.work === work);
    const settle = (): void => {
      if (isOvertaken()) return leave();
      const workspace = depot.workspaceOf(root.id);
      workspace.enter(groundOf(model, workspace.repo, root), isSafe);
      if (root.agent === null) sometimes("continued where it was done");
      tell([], workspace.commit, leave);
    };
    const found = depot
      .workspaceOf(root.id)
      .dirty()
      .filter((work) => !isSafe(work));
    if (found.length === 0) return settle();
    if (root.agent !== null) sometimes("left in an agent between runs");
    tell(found, null, settle);
  });
}
