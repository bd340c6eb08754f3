// Acts on agents and their services: at once, with the way back, or after a dialog where nothing brings it back.

import { type ReactNode, useState } from "react";
import type { Client } from "../../client/client.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { useBox } from "../live/live-context.tsx";
import { type AgentAct, type AgentActName, toAgentCommand, toRefreshed } from "../model/agent-acts.ts";
import { useActs } from "./act-context.tsx";
import { showRefusal } from "./perform.ts";
import { RemoveAgentDialog } from "./remove-agent-dialog.tsx";
import type { Toasts } from "./toasts.ts";

export type RequestAgentAct = (act: AgentAct, agent: AgentView, service?: string) => void;

export function useAgentActs(): { readonly request: RequestAgentAct; readonly dialog: ReactNode } {
  const { client } = useBox();
  const { toasts, underWay } = useActs();
  const [removing, setRemoving] = useState<AgentView | null>(null);
  const request: RequestAgentAct = (act, agent, service) => {
    if (act.name === "remove") return setRemoving(agent);
    const what = `${act.name} ${agent.id} ${service ?? ""}`;
    void underWay.once(what, () => perform({ client, toasts }, act, agent.name, service));
  };
  const dialog = removing === null ? null : <RemoveAgentDialog agent={removing} onClose={() => setRemoving(null)} />;
  return { request, dialog };
}

type Hands = { readonly client: Client; readonly toasts: Toasts };

async function perform({ client, toasts }: Hands, act: AgentAct, agent: string, service?: string): Promise<boolean> {
  const what = service === undefined ? agent : `${service} of ${agent}`;
  try {
    const detail = await callAct(client, act.name, agent, service);
    const { undo } = act;
    toasts.did({
      tone: act.name === "stop" ? "rest" : "go",
      about: what,
      title: `${what} ${act.done}`,
      detail,
      command: toAgentCommand(act.name, agent, service),
      undo: undo === undefined ? undefined : () => void takeBack({ client, toasts }, undo, agent, service),
    });
    return true;
  } catch (error) {
    showRefusal(toasts, `${act.label.toLowerCase()} ${what}`, error);
    return false;
  }
}

async function takeBack({ client, toasts }: Hands, name: AgentActName, agent: string, service?: string): Promise<void> {
  const what = service === undefined ? agent : `${service} of ${agent}`;
  try {
    await callAct(client, name, agent, service);
    toasts.did({
      tone: "rest",
      about: what,
      title: `${what}: taken back`,
      command: toAgentCommand(name, agent, service),
    });
  } catch (error) {
    showRefusal(toasts, `undo for ${what}`, error);
  }
}

/** Answers what more there is to say of it. */
async function callAct(
  client: Client,
  name: AgentActName,
  agent: string,
  service?: string,
): Promise<string | undefined> {
  if (name === "remove") throw new Error("removing asks first");
  // Services have no files of their own.
  if (name === "refresh") return toRefreshed(await client.call("agent.refresh", { agent }));
  if (service === undefined) await client.call(`agent.${name}`, { agent });
  else await client.call(`service.${name}`, { agent, service });
  return undefined;
}
