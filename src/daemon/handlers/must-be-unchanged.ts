import type { Agent } from "../../core/agent/agent-state.ts";
import { isDirty } from "../../core/workspace/workspace-state.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { Context } from "../context.ts";

/** What somebody changed in a workspace is lost with it only if they say so. */
export async function mustBeUnchanged({ parts }: Context, agent: Agent): Promise<void> {
  if (!(await parts.agents.hasPlace(agent))) return;
  const paths = (await (await parts.agents.placeOf(agent)).works()).filter(isDirty).map(({ path }) => path);
  if (paths.length > 0) throw protocolError("unsaved", { agent: agent.name, paths: paths.slice(0, 20) });
}

/** Changes are kept or lost, and whoever removes an agent says which; undefined where they say nothing. */
export function asideOf(discard: boolean, setAside: boolean): boolean | undefined {
  const why = "what was changed is set aside or discarded, not both";
  if (discard && setAside) throw protocolError("bad-input", { where: "setAside", why });
  return discard || setAside ? setAside : undefined;
}
