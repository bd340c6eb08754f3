import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useIsLive } from "../live/live-context.tsx";
import { actsOfAgent } from "../model/agent-acts.ts";
import { activityOf, agentSignals } from "../model/agent-signals.ts";
import { Button } from "../parts/button.tsx";
import { LookWord } from "../parts/look-word.tsx";
import { Since } from "../parts/times.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import { useVirtualRows } from "../parts/use-virtual-rows.ts";
import { moveKeys, useKeys } from "../shell/keys.ts";
import { Link, toAgentPage } from "../shell/link.tsx";
import { useSelection } from "../shell/selection.tsx";
import { ServicesInShort } from "./services-in-short.tsx";
import { useAgentRowKeys } from "./use-agent-row-keys.ts";
import "./agent-cards.css";

/** As high as agent-cards.css has them, with the gap below. */
const height = { wide: 148, narrow: 160 } as const;
const cardWidthMin = 300;

/** The same agents with more of each in sight: only those in sight are there, and J and K go through all of them. */
export function AgentCards(props: { readonly rows: readonly AgentView[]; readonly onAct: RequestAgentAct }): ReactNode {
  const { rows, onAct } = props;
  const box = useRef<HTMLDivElement>(null);
  const perRow = usePerRow(box);
  const cardPx = useIsNarrow() ? height.narrow : height.wide;
  const { from, to, scrollTo } = useVirtualRows(box, Math.ceil(rows.length / perRow), cardPx);
  const { selected, select } = useSelection();
  const keysOf = useAgentRowKeys(rows, onAct);
  useKeys(() => {
    const at = rows.findIndex(({ id }) => id === selected);
    const go = (wanted: number): void => {
      const next = Math.max(0, Math.min(rows.length - 1, wanted));
      select(rows[next]?.id ?? null);
      scrollTo(Math.floor(next / perRow));
    };
    const { J, K, ...ends } = moveKeys(rows.length, at, go);
    return {
      ...{ ...ends, J, K, ArrowRight: J, ArrowLeft: K },
      ArrowDown: () => go(at < 0 ? 0 : at + perRow),
      ArrowUp: () => go(at < 0 ? rows.length - 1 : at - perRow),
      ...keysOf(rows[at], go),
    };
  });
  return (
    <div ref={box} className="cards-scroll" tabIndex={0} role="list" aria-label="Agents, those in error first">
      <div
        className="cards-space"
        role="presentation"
        style={{ height: `${Math.ceil(rows.length / perRow) * cardPx}px` }}
      >
        {rows.slice(from * perRow, to * perRow).map((agent, at) => (
          <AgentCard
            key={agent.id}
            agent={agent}
            isSelected={selected === agent.id}
            place={{ topPx: (from + Math.floor(at / perRow)) * cardPx, column: at % perRow, perRow }}
            onSelect={select}
            onAct={onAct}
          />
        ))}
      </div>
    </div>
  );
}

type CardProps = {
  readonly agent: AgentView;
  readonly isSelected: boolean;
  readonly place: { readonly topPx: number; readonly column: number; readonly perRow: number };
  readonly onSelect: (id: string) => void;
  readonly onAct: RequestAgentAct;
};

function AgentCard({ agent, isSelected, place, onSelect, onAct }: CardProps): ReactNode {
  const isLive = useIsLive();
  const { words, tone } = activityOf(agent);
  const share = 100 / place.perRow;
  return (
    <div
      className="agent-card"
      role="listitem"
      data-row={agent.id}
      data-agent={agent.id}
      data-state={agent.state}
      aria-current={isSelected}
      style={{ top: `${place.topPx}px`, left: `${place.column * share}%`, width: `${share}%` }}
      onClick={() => onSelect(agent.id)}
    >
      <div className="agent-card-in">
        <div className="agent-card-head">
          <Link to={toAgentPage(agent.id)} className="agent-card-name" aside={!isSelected}>
            {agent.name}
          </Link>
          <LookWord look={agentSignals[agent.state]} />
          <Since atMs={agent.sinceMs} />
        </div>
        <p
          className={tone === "stop" || tone === "you" ? `agent-card-does a-${tone}` : "agent-card-does"}
          title={words}
        >
          {words}
        </p>
        <p className="agent-card-from">
          {agent.projectName}, from {agent.template}
        </p>
        <div className="agent-card-services">
          <ServicesInShort agent={agent} />
        </div>
        <div className="acts">
          {actsOfAgent(agent)
            .filter(({ name }) => name !== "remove" && name !== "refresh")
            .map((act) => (
              <Button key={act.name} size="small" disabled={!isLive} onClick={() => onAct(act, agent)}>
                {act.label}
                <span className="sr"> {agent.name}</span>
              </Button>
            ))}
        </div>
      </div>
    </div>
  );
}

function usePerRow(box: RefObject<HTMLElement | null>): number {
  const [perRow, setPerRow] = useState(1);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = (): void => setPerRow(Math.max(1, Math.floor(element.clientWidth / cardWidthMin)));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return perRow;
}
