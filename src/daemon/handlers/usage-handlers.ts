// What agents use of the machine.

import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { Context, Handlers } from "../context.ts";
import { compareIds } from "../../core/step.ts";
import { findAgent } from "../views/agent-view.ts";

export const usageHandlers: Handlers<"agent.stats" | "agent.top"> = {
  "agent.stats": (context, input, _caller, reply) => context.later(readStats(context, input), reply),
  "agent.top": (context, input, _caller, reply) => context.later(readTop(context, input), reply),
};

async function readStats(
  { parts, state }: Context,
  { agents, disk }: ParsedInputOf<"agent.stats">,
): Promise<OutputOf<"agent.stats">> {
  const wanted = agents?.map((ref) => findAgent(state, ref)) ?? [...state.agents.values()];
  const once = [...new Set(wanted)].toSorted((a, b) => compareIds(a.id, b.id));
  return { agents: await parts.usage.stats(once, { disk }) };
}

async function readTop(
  { parts, state }: Context,
  { agent: ref, limit }: ParsedInputOf<"agent.top">,
): Promise<OutputOf<"agent.top">> {
  const agent = findAgent(state, ref);
  return { agent: agent.id, name: agent.name, ...(await parts.usage.top(agent, { limit })) };
}
