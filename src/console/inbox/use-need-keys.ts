// What letters do to the selected thing that needs somebody, the same on the overview and in the inbox.

import type { InboxItem } from "../../protocol/wire/inbox.ts";
import { useActs } from "../acts/act-context.tsx";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useBox } from "../live/live-context.tsx";
import type { LiveState } from "../live/live-state.ts";
import { actsOfAgentInNeed } from "../model/agent-acts.ts";
import { inboxLooks, keyOfItem } from "../model/inbox-kinds.ts";
import { actsOf } from "../model/run-acts.ts";
import { goTo } from "../shell/address.ts";
import type { Bindings } from "../shell/keys.ts";
import { toAgentPage, toRunPage } from "../shell/link.tsx";
import { useOwnAct } from "./use-own-act.tsx";
import { useSeen } from "./use-seen.ts";

/** What letters act on: its run, its agent, or only the item. */
export function subjectOfItem(item: InboxItem, agents: LiveState["agents"]): string {
  if (item.run !== null) return item.run;
  const isOfAgent = item.kind === "agent" || item.kind === "warning";
  const agent = isOfAgent ? [...agents.values()].find(({ name }) => name === item.title) : undefined;
  return agent?.id ?? keyOfItem(item);
}

/** Answers a function, so that what a key does is found out when one is pressed. */
export function useNeedKeys(onAgentAct: RequestAgentAct): (item: InboxItem) => Bindings {
  const { store } = useBox();
  const { request } = useActs();
  const see = useSeen();
  const ownActOf = useOwnAct();
  return (item) => {
    const { runs, agents, link } = store.read();
    const bindings: Record<string, Bindings[string]> = {};
    const agent = agents.get(subjectOfItem(item, agents));
    if (item.run !== null) bindings["Enter"] = () => goTo(toRunPage(item.run ?? ""));
    else if (agent !== undefined) bindings["Enter"] = () => goTo(toAgentPage(agent.id));
    else if (item.kind === "unpublished")
      bindings["Enter"] = () => goTo({ place: "landing", project: item.projectName });
    bindings["O"] = bindings["Enter"];
    if (link.is !== "live") return bindings;
    const own = ownActOf(item);
    if (own !== null) bindings[own.key] = own.go;
    if (item.canBeSeen) bindings["Y"] = () => see(item);
    if (item.run === null && agent !== undefined) {
      for (const act of actsOfAgentInNeed(agent)) bindings[act.key] = () => onAgentAct(act, agent);
    }
    const run = runs.get(item.run ?? "");
    if (run === undefined) return bindings;
    const { acts } = inboxLooks[item.kind];
    for (const act of actsOf(run)) if (acts.includes(act.name)) bindings[act.key] = () => request(act, run);
    const box = document.querySelector<HTMLElement>(`[data-answer="${run.id}"]`);
    if (box !== null) bindings["R"] = () => box.focus();
    return bindings;
  };
}
