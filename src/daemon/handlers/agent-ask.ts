// What is asked of an agent or of one of its services, and answered with how the agent is then.

import type { OutputOf } from "../../protocol/operations.ts";
import type { Caller, Context, Reply } from "../context.ts";
import { findAgent, toAgentView } from "../views/agent-view.ts";

type Asked =
  | { readonly type: "agent.join"; readonly with: string; readonly across: boolean }
  | { readonly type: "agent.part"; readonly with: string }
  | { readonly type: "agent.start" }
  | { readonly type: "agent.restart"; readonly applications: boolean }
  | { readonly type: "agent.stop" | "agent.archive"; readonly force: boolean }
  | { readonly type: "service.start" | "service.stop" | "service.restart"; readonly service: string };

export function ask(
  context: Context,
  ref: string,
  caller: Caller,
  reply: Reply<OutputOf<"agent.get">>,
  asked: Asked,
): void {
  const { id } = findAgent(context.state, ref);
  context.submit(caller, { ...asked, agent: id }, reply, () => ({
    agent: toAgentView(context.state, findAgent(context.state, id), context.facts.faces),
  }));
}
