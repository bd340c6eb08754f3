// Brings the files of a living agent to mainline's head: what nobody changed in it moves, what was changed stays (AG82).

import { Fault } from "../../base/fault.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { findRefreshObstacle } from "../../core/agent/agent-refresh.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import type { Refusal } from "../../core/inputs.ts";
import type { NameRule } from "../../core/landing/kin.ts";
import { isDirty } from "../../core/workspace/workspace-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { refreshWorkspace } from "../workspace/refresh-workspace.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type AgentRefreshed = {
  /** The commit that it was at, and the one that it is at now. */
  readonly from: string;
  readonly commit: string;
  readonly moved: readonly string[];
  /** Changed in the agent, and left as they are. */
  readonly kept: readonly string[];
};

export type RefreshGround = {
  /** The agent as it is now. */
  readonly agent: () => Agent | undefined;
  readonly mainline: Mainline;
  readonly rule: NameRule;
};

/** Services may write while their files are looked at; then it is looked again. */
const triesMax = 5;

export function refreshAgent(workspace: Workspace, ground: RefreshGround): Promise<Result<AgentRefreshed, Refusal>> {
  return workspace.alone(async () => {
    for (let tries = 1; ; tries++) {
      // Whoever has come in meanwhile has the files for themselves.
      const agent = ground.agent();
      const obstacle =
        agent === undefined ? ({ code: "not-found", kind: "agent", id: "" } as const) : findRefreshObstacle(agent);
      if (obstacle !== undefined) return refuse(obstacle);
      try {
        return ok(await moveOn(workspace, ground));
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "changed" || tries === triesMax) throw error;
      }
    }
  });
}

async function moveOn(workspace: Workspace, { mainline, rule }: RefreshGround): Promise<AgentRefreshed> {
  const from = workspace.commit;
  const head = await mainline.head();
  const changed = (await workspace.works()).filter(isDirty);
  const heads = await mainline.entriesAt(
    head,
    changed.map(({ path }) => path),
  );
  // What mainline has come to have too is nobody's change any more.
  const same = new Set(changed.flatMap(({ path, work }) => ((heads.get(path) ?? null) === work ? [path] : [])));
  const { commit, moved } = await refreshWorkspace(workspace, mainline, {
    ...{ ground: head, rule, scratch: "stays" },
    coverOf: (path) => (same.has(path) ? "new" : "none"),
  });
  const kept = (await workspace.works()).filter(isDirty).map(({ path }) => path);
  return { from, commit, moved, kept };
}
