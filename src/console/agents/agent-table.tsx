import { memo, type ReactNode, useRef } from "react";
import type { AgentView, ServiceView } from "../../protocol/wire/agent.ts";
import { useActs } from "../acts/act-context.tsx";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useBox } from "../live/live-context.tsx";
import { actsOfAgent } from "../model/agent-acts.ts";
import { activityOf, agentSignals, countWell, isBroken, lookOfService } from "../model/agent-signals.ts";
import { Icon } from "../parts/icon.tsx";
import { LookWord } from "../parts/look-word.tsx";
import { Since } from "../parts/times.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import { useVirtualRows } from "../parts/use-virtual-rows.ts";
import { goTo } from "../shell/address.ts";
import { type Bindings, useKeys } from "../shell/keys.ts";
import { Link, toAgentPage } from "../shell/link.tsx";
import { useSelection } from "../shell/selection.tsx";

const rowPx = { wide: 36, narrow: 72 } as const;
const pageRows = 15;
const chipsMax = 6;

/** A table of any length: only the rows in sight are there, and J and K go through all of them. */
export function AgentTable(props: { readonly rows: readonly AgentView[]; readonly onAct: RequestAgentAct }): ReactNode {
  const { rows, onAct } = props;
  const box = useRef<HTMLDivElement>(null);
  const height = useIsNarrow() ? rowPx.narrow : rowPx.wide;
  const { from, to, scrollTo } = useVirtualRows(box, rows.length, height);
  const { selected } = useSelection();
  useTableKeys(rows, scrollTo, onAct);
  return (
    <div
      ref={box}
      className="runs-scroll"
      tabIndex={0}
      role="table"
      aria-label="Agents, those in error first"
      aria-rowcount={rows.length + 1}
    >
      <div className="run-row agent-row th" role="row" aria-rowindex={1}>
        {["State", "Agent", "Project", "What it does", "Services", "Since"].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div className="run-space" role="rowgroup" style={{ height: `${rows.length * height}px` }}>
        {rows.slice(from, to).map((agent, at) => (
          <AgentRow
            key={agent.id}
            agent={agent}
            index={from + at}
            topPx={(from + at) * height}
            isSelected={selected === agent.id}
          />
        ))}
      </div>
    </div>
  );
}

const AgentRow = memo(function AgentRow(props: {
  readonly agent: AgentView;
  readonly index: number;
  readonly topPx: number;
  readonly isSelected: boolean;
}): ReactNode {
  const { agent, index, topPx, isSelected } = props;
  const { select } = useSelection();
  const { words, tone } = activityOf(agent);
  return (
    <div
      className="run-row agent-row"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={agent.id}
      data-agent={agent.id}
      data-state={agent.state}
      style={{ top: `${topPx}px` }}
      onClick={() => select(agent.id)}
    >
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
    </div>
  );
});

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

function useTableKeys(rows: readonly AgentView[], scrollTo: (row: number) => void, onAct: RequestAgentAct): void {
  const { store } = useBox();
  const { toasts } = useActs();
  const { selected, select } = useSelection();
  const go = (to: number): void => {
    const at = Math.max(0, Math.min(rows.length - 1, to));
    const agent = rows[at];
    if (agent === undefined) return;
    select(agent.id);
    scrollTo(at);
  };
  useKeys(() => {
    const at = rows.findIndex((agent) => agent.id === selected);
    const up = (): void => go(at < 0 ? rows.length - 1 : at - 1);
    const bindings: Record<string, Bindings[string]> = {
      J: () => go(at + 1),
      K: up,
      ArrowDown: () => go(at + 1),
      ArrowUp: up,
      PageDown: () => go(at + pageRows),
      PageUp: () => go(at - pageRows),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      U: () => toasts.undoLast(),
      N: () => go(rows.findIndex(({ state }) => state === "error")),
    };
    const agent = rows[at];
    if (agent === undefined) return bindings;
    bindings["Enter"] = () => goTo(toAgentPage(agent.id));
    bindings["O"] = bindings["Enter"];
    if (store.read().link.is !== "live") return bindings;
    for (const act of actsOfAgent(agent)) bindings[act.key] = () => onAct(act, agent);
    return bindings;
  });
}
