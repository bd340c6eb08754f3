import type { ReactNode } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { activityOf, agentSignals } from "../model/agent-signals.ts";
import { LookWord } from "../parts/look-word.tsx";
import { Since } from "../parts/times.tsx";
import { VirtualTable } from "../parts/virtual-table.tsx";
import { Link, toAgentPage } from "../shell/link.tsx";
import { useSelection } from "../shell/selection.tsx";
import { ServicesInShort } from "./services-in-short.tsx";
import { useAgentRowKeys } from "./use-agent-row-keys.ts";

const rowPx = { wide: 36, narrow: 72 } as const;
const columns = ["State", "Agent", "Project", "What it does", "Services", "Since"] as const;

export function AgentTable(props: { readonly rows: readonly AgentView[]; readonly onAct: RequestAgentAct }): ReactNode {
  const { rows, onAct } = props;
  const { selected, select } = useSelection();
  const keysOf = useAgentRowKeys(rows, onAct);
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
