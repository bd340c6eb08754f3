import { type ReactNode, useEffect, useMemo } from "react";
import { useAgentActs } from "../acts/use-agent-acts.tsx";
import { useLive } from "../live/live-context.tsx";
import { agentSignals, type AgentState } from "../model/agent-signals.ts";
import { countStates, toAgentRows } from "../model/agent-rows.ts";
import { toCount, toMany } from "../model/format.ts";
import { toShell } from "../model/shell-text.ts";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Segmented } from "../parts/segmented.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { keepPreference, readPreference } from "../shell/preferences.ts";
import { RecordingsList } from "../terminal/recordings-list.tsx";
import { AgentCards } from "./agent-cards.tsx";
import { AgentTable } from "./agent-table.tsx";
import { NoAgents } from "./no-agents.tsx";
import "../runs/runs.css";
import "./agents.css";

/** Templates are what agents are made from. */
const makeAgent = (): void => goTo({ place: "section", id: "templates", item: null });
const states = Object.keys(agentSignals) as AgentState[];

/** Every living agent: how it is, what it does, its services and ports. What is broken comes first. */
export function AgentsPage(): ReactNode {
  const { agentState, find, project: name } = useAddress();
  const project = useProjectId();
  const agents = useLive((state) => state.agents);
  const isPast = useLive((state) => state.link.is === "past");
  const { request, dialog } = useAgentActs();
  const counts = useMemo(() => countStates(agents.values(), project), [agents, project]);
  const rows = useMemo(
    () => toAgentRows(agents.values(), { project, state: agentState, find }),
    [agents, project, agentState, find],
  );
  useKeys({ M: makeAgent });
  const [look, setLook] = useLook();
  const List = look === "cards" ? AgentCards : AgentTable;
  if (agents.size === 0 && isPast)
    return (
      <div className="board runs-place agents-place">
        <Panel name="agents" title="Agents">
          <Quiet title="No agent lived then">The slider above leads on to when one did.</Quiet>
        </Panel>
      </div>
    );
  if (agents.size === 0)
    return (
      <div className="no-agents">
        <NoAgents />
        <RecordingsList removed />
      </div>
    );
  const isFiltered = agentState !== null || find !== "";
  return (
    <div className="board runs-place agents-place">
      <Panel
        name="agents"
        title="Agents"
        meta={
          rows.length === agents.size
            ? toMany(agents.size, "agent")
            : `${toCount(rows.length)} of ${toCount(agents.size)}`
        }
        end={
          <>
            <Segmented
              label="How agents are shown"
              value={look}
              options={[
                ["table", "Table"],
                ["cards", "Cards"],
              ]}
              onChange={setLook}
            />
            <Button size="small" hotkey="M" onClick={makeAgent}>
              New agent
            </Button>
            <CopyButton
              text={`signalbox agent list${name === null ? "" : ` --project ${toShell(name)}`}`}
              label="Copy the command that lists them"
            />
            {isFiltered ? (
              <Button size="small" icon="close" onClick={() => goTo({ agentState: null, find: "" }, "replace")}>
                Clear
              </Button>
            ) : null}
          </>
        }
      >
        <div className="agent-filters" role="group" aria-label="Only one state">
          {states.map((state) => (
            <button
              key={state}
              type="button"
              className={`agent-filter ${(counts.get(state) ?? 0) === 0 ? "a-none" : `a-${agentSignals[state].tone}`}`}
              aria-pressed={agentState === state}
              data-agents={state}
              onClick={() => goTo({ agentState: agentState === state ? null : state }, "replace")}
            >
              <Icon name={agentSignals[state].icon} />
              <b className="num">{toCount(counts.get(state) ?? 0)}</b>
              <span>{agentSignals[state].word}</span>
            </button>
          ))}
        </div>
        {rows.length === 0 ? (
          <Quiet title="No agent matches">
            {isFiltered ? "Clear the filter to see all." : "Another project may have some."}
          </Quiet>
        ) : (
          <List rows={rows} onAct={request} />
        )}
      </Panel>
      <RecordingsList removed />
      {dialog}
    </div>
  );
}

type ListLook = "table" | "cards";

/** As the address says, which can be sent; else as this person likes it, and the address comes to say so. */
function useLook(): readonly [ListLook, (look: ListLook) => void] {
  const { list } = useAddress();
  const liked = readPreference("agents") === "cards" ? "cards" : null;
  useEffect(() => {
    if (list === null && liked !== null) goTo({ list: liked }, "replace");
  }, [list, liked]);
  const choose = (next: ListLook): void => {
    keepPreference("agents", next);
    goTo({ list: next === "table" ? null : next }, "replace");
  };
  return [list ?? liked ?? "table", choose];
}
