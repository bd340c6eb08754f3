import type { ReactNode } from "react";
import type { AgentView, ServiceView } from "../../protocol/wire/agent.ts";
import { useActs } from "../acts/act-context.tsx";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useBox } from "../live/live-context.tsx";
import { actsOfAgent } from "../model/agent-acts.ts";
import { activityOf, agentSignals, countWell, isBroken, lookOfService } from "../model/agent-signals.ts";
import { Icon } from "../parts/icon.tsx";
import { LookWord } from "../parts/look-word.tsx";
import { Since } from "../parts/times.tsx";
import { VirtualTable } from "../parts/virtual-table.tsx";
import { goTo } from "../shell/address.ts";
import type { Bindings } from "../shell/keys.ts";
import { Link, toAgentPage } from "../shell/link.tsx";
import { useSelection } from "../shell/selection.tsx";

const rowPx = { wide: 36, narrow: 72 } as const;
const columns = ["State", "Agent", "Project", "What it does", "Services", "Since"] as const;
const chipsMax = 6;

export function AgentTable(props: { readonly rows: readonly AgentView[]; readonly onAct: RequestAgentAct }): ReactNode {
  const { rows, onAct } = props;
  const { store } = useBox();
  const { toasts } = useActs();
  const { selected, select } = useSelection();
  const keysOf = (agent: AgentView | undefined, go: (to: number) => void): Bindings => {
    const bindings: Record<string, Bindings[string]> = {
      U: () => toasts.undoLast(),
      N: () => go(rows.findIndex(({ state }) => state === "error")),
    };
    if (agent === undefined) return bindings;
    bindings["Enter"] = () => goTo(toAgentPage(agent.id));
    bindings["O"] = bindings["Enter"];
    if (store.read().link.is !== "live") return bindings;
    for (const act of actsOfAgent(agent)) bindings[act.key] = () => onAct(act, agent);
    return bindings;
  };
  return (
    <VirtualTable
      label="Agents, those in error first"
      look="agent-row"
      columns={columns}
      rows={rows}
      rowPx={rowPx}
      cells={AgentCells}
      idOf={idOf}
      dataOf={dataOf}
      selected={selected}
      onSelect={select}
      keysOf={keysOf}
    />
  );
}

function idOf({ id }: AgentView): string {
  return id;
}

function dataOf({ id, state }: AgentView): { readonly "data-agent": string; readonly "data-state": string } {
  return { "data-agent": id, "data-state": state };
}

function AgentCells({ row: agent, isSelected }: { readonly row: AgentView; readonly isSelected: boolean }): ReactNode {
  const { words, tone } = activityOf(agent);
  return (
    <>
      <span role="cell" className="c-state">
        <LookWord look={agentSignals[agent.state]} />
      </span>
      <span role="cell" className="c-title">
        <Link to={toAgentPage(agent.id)} aside={!isSelected}>
          {agent.name}
        </Link>
        <span className="rid">{agent.id}</span>
      </span>
      <span role="cell" className="c-project">
        {agent.projectName}
      </span>
      <span role="cell" className={tone === "stop" || tone === "you" ? `c-does a-${tone}` : "c-does"} title={words}>
        {words}
      </span>
      <span role="cell" className="c-services">
        <ServicesInShort agent={agent} />
      </span>
      <span role="cell" className="c-since">
        <Since atMs={agent.sinceMs} />
      </span>
    </>
  );
}

/** Each service with its signal; of many, those that are broken first. */
function ServicesInShort({ agent }: { readonly agent: AgentView }): ReactNode {
  const { well, of } = countWell(agent);
  const chosen = agent.services.toSorted((a, b) => Number(isBroken(b)) - Number(isBroken(a))).slice(0, chipsMax);
  const shown = agent.services.length <= chipsMax ? agent.services : chosen;
  return (
    <>
      <span className="services-count num" title={`${well} of ${of} wanted services are well`}>
        {well}/{of}
      </span>
      {shown.map((service) => (
        <ServiceChip key={service.name} service={service} />
      ))}
      {agent.services.length > chipsMax ? <span className="dim">+{agent.services.length - chipsMax}</span> : null}
    </>
  );
}

function ServiceChip({ service }: { readonly service: ServiceView }): ReactNode {
  const { word, icon, tone } = lookOfService(service);
  return (
    <span className={`service-chip a-${tone}`} title={`${service.name}: ${word}`}>
      <Icon name={icon} />
      <span>{service.name}</span>
      <span className="sr"> {word}</span>
    </span>
  );
}
