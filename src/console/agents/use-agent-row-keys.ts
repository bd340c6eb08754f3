// What letters do in a list of agents, beside moving through it.

import type { AgentView } from "../../protocol/wire/agent.ts";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useBox } from "../live/live-context.tsx";
import { actsOfAgent } from "../model/agent-acts.ts";
import { goTo } from "../shell/address.ts";
import type { Bindings } from "../shell/keys.ts";
import { toAgentPage } from "../shell/link.tsx";

type KeysOf = (agent: AgentView | undefined, go: (to: number) => void) => Bindings;

export function useAgentRowKeys(rows: readonly AgentView[], onAct: RequestAgentAct): KeysOf {
  const { store } = useBox();
  return (agent, go) => {
    const bindings: Record<string, Bindings[string]> = {
      N: () => go(rows.findIndex(({ state }) => state === "error")),
    };
    if (agent === undefined) return bindings;
    bindings["Enter"] = () => goTo(toAgentPage(agent.id));
    bindings["O"] = bindings["Enter"];
    if (store.read().link.is !== "live") return bindings;
    for (const act of actsOfAgent(agent)) bindings[act.key] = () => onAct(act, agent);
    return bindings;
  };
}
