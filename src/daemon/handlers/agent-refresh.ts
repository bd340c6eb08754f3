// The files of an agent, brought to mainline's head. They move first; that they did is then a fact of the log.

import { limits } from "../../protocol/limits.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { Caller, Context, Reply } from "../context.ts";
import { toError } from "../failure.ts";
import { findAgent, toAgentView } from "../views/agent-view.ts";

export async function refreshAgent(
  context: Context,
  ref: string,
  caller: Caller,
  reply: Reply<OutputOf<"agent.refresh">>,
): Promise<void> {
  try {
    const agent = findAgent(context.state, ref);
    const refreshed = await context.parts.agents.refresh(agent);
    if (!refreshed.ok) return reply({ ok: false, refusal: toError(context.state, refreshed.refusal) });
    const { from, commit, moved, kept } = refreshed.value;
    const answer = (): OutputOf<"agent.refresh"> => ({
      agent: toAgentView(context.state, findAgent(context.state, agent.id), context.facts.faces),
      ...{ from, commit, movedCount: moved.length, keptCount: kept.length },
      ...{ moved: moved.slice(0, limits.pageMax), kept: kept.slice(0, limits.pageMax) },
    });
    if (from === commit && moved.length === 0) return context.read(answer, reply);
    const input = { type: "agent.refresh", agent: agent.id, commit, count: moved.length } as const;
    return context.submit(caller, input, reply, answer);
  } catch (error) {
    return reply({ ok: false, refusal: context.toThrown(error) });
  }
}
