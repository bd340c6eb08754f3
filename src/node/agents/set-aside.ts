// What was changed in an agent's workspace goes to the trash before its files do, or before its place is made anew around them.

import type { Agent } from "../../core/agent/agent-state.ts";
import type { Input } from "../../core/inputs.ts";
import type { Project } from "../../core/project/project.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import type { Workspaces } from "../workspace/workspaces.ts";

type Parts = {
  readonly workspaces: Pick<Workspaces, "end" | "has" | "of">;
  readonly project: Project;
  readonly report: (input: Input) => Promise<unknown>;
};

/** Keeps it once nothing writes there any more: its files go only when that is in the log (AG87). */
export async function setAside({ workspaces, project, report }: Parts, agent: Agent, force: boolean): Promise<void> {
  await workspaces.end(agent.id, force);
  if (!(await workspaces.has(agent.id))) return;
  const workspace = await workspaces.of(agent.id, project, { still: true, kind: agent.spec.workspace });
  const works = await workspace.alone(() => workspace.sweep());
  await report({ type: "agent.aside", agent: agent.id, works });
}

/** The same of one whose files stay. It comes back also where nothing can be kept: they are where they were (AG91). */
export async function saveFirst(parts: Parts, agent: Agent, force: boolean): Promise<void> {
  try {
    await setAside(parts, agent, force);
  } catch (error) {
    if (!isOfTheWorld(error)) throw error;
    const failed = error instanceof Error ? error.message : String(error);
    await parts.report({ type: "agent.aside", agent: agent.id, works: [], failed });
  }
}
