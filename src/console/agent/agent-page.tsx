import { type ReactNode, useEffect, useState } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { useAgentActs } from "../acts/use-agent-acts.tsx";
import { useBox, useLive } from "../live/live-context.tsx";
import { actsOfAgent, actsOfService } from "../model/agent-acts.ts";
import { findAgent } from "../model/agent-rows.ts";
import { parsePanes } from "../model/panes.ts";
import { later } from "../parts/later.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { NetworkPanel } from "../review/network-panel.tsx";
import { type Bindings, moveKeys, useKeys } from "../shell/keys.ts";
import { Link } from "../shell/link.tsx";
import { RecordingsList } from "../terminal/recordings-list.tsx";
import { AgentHead } from "./agent-head.tsx";
import { AgentStory } from "./agent-story.tsx";
import { DriftPanel } from "./drift-panel.tsx";
import { FacesPanel } from "./faces-panel.tsx";
import { FailuresPanel } from "./failures-panel.tsx";
import { HistoryPanel } from "./history-panel.tsx";
import { LadderPanel } from "./ladder-panel.tsx";
import { LogsPanel } from "./logs-panel.tsx";
import { ServicesPanel } from "./services-panel.tsx";
import { TerminalsPanel } from "./terminals-panel.tsx";
import { TemplatePanel } from "./template-panel.tsx";
import { useAgentEvents } from "./use-agent-events.ts";
import "../review/run-page.css";
import "./agent-page.css";
import "./logs.css";

// Large, and most who look at an agent do not need them.
const Workbench = later(
  "Reading what shows terminals",
  async () => (await import("../terminal/workbench.tsx")).Workbench,
);
const RecordingPanel = later(
  "Reading what plays recordings",
  async () => (await import("../terminal/recording-panel.tsx")).RecordingPanel,
);

/** Everything about one agent. One that goes while somebody looks at it stays on the page as it was, and says so. */
export function AgentPage({ at }: { readonly at: string }): ReactNode {
  const moment = useLive(({ link }) => (link.is === "past" ? link.seq : null));
  // How it is now says nothing of then, nor the other way round.
  return <AgentThen key={moment ?? "now"} at={at} isThen={moment !== null} />;
}

function AgentThen({ at, isThen }: { readonly at: string; readonly isThen: boolean }): ReactNode {
  const now = useLive((state) => findAgent(state.agents, at));
  const [last, setLast] = useState(now);
  if (now !== undefined && now !== last) setLast(now);
  const agent = now ?? last;
  if (agent === undefined) return isThen ? <NotThen at={at} /> : <Unknown at={at} />;
  return <KnownAgent agent={agent} isGone={now === undefined} isThen={isThen} />;
}

function KnownAgent(props: {
  readonly agent: AgentView;
  readonly isGone: boolean;
  /** Whether it is shown as it was. What was said, measured and recorded is not kept by moments, so it is left out. */
  readonly isThen: boolean;
}): ReactNode {
  const { agent, isGone, isThen } = props;
  const { request, dialog } = useAgentActs();
  const log = useAgentEvents(agent.id);
  const { events } = log;
  const [selected, select] = useState<string | null>(null);
  const { recording, panes: wanted } = useAddress();
  const panes = parsePanes(wanted);
  useAgentKeys(agent, isGone, selected, select, request);
  if (panes !== null && recording === null && !isGone && !isThen) {
    return (
      <div className="board run-page with-terminal" data-page={agent.id} data-agent={agent.id}>
        <AgentHead agent={agent} isGone={isGone} onAct={request} />
        <Workbench agent={agent} panes={panes} />
        {dialog}
      </div>
    );
  }
  if (recording !== null && !isThen) {
    return (
      <div className="board run-page with-terminal" data-page={agent.id}>
        <AgentHead agent={agent} isGone={isGone} onAct={request} />
        <RecordingPanel key={recording} id={recording} run={null} />
        {dialog}
      </div>
    );
  }
  return (
    <div className="board agent-page" data-page={agent.id} data-agent={agent.id} data-state={agent.state}>
      <AgentHead agent={agent} isGone={isGone} onAct={request} />
      <div className="agent-main">
        <ServicesPanel
          agent={agent}
          isGone={isGone}
          events={events}
          selected={selected}
          onSelect={select}
          onAct={request}
        />
        {isThen ? <AgentStory log={log} /> : null}
        {isThen ? <LogsThen name={agent.name} /> : isGone ? null : <LogsPanel agent={agent} />}
      </div>
      <div className="agent-side">
        {isGone || isThen ? null : <TerminalsPanel agent={agent} />}
        <FacesPanel agent={agent} isGone={isGone} />
        <LadderPanel agent={agent} events={events} />
        <FailuresPanel events={events} />
        {isGone || isThen ? null : <NetworkPanel of={{ agent: agent.id }} />}
        <RecordingsList agent={agent.id} />
        {isGone || isThen ? null : <HistoryPanel agent={agent} />}
        {isThen ? null : <AgentStory log={log} />}
        {isGone || isThen ? null : <DriftPanel agent={agent} />}
        <TemplatePanel agent={agent} events={events} />
      </div>
      {dialog}
    </div>
  );
}

function LogsThen({ name }: { readonly name: string }): ReactNode {
  return (
    <Panel name="logs" title="Logs">
      <Quiet title="What services said is not kept by moments">
        All of it is in the logs of now; what happened to them until then is beside this.
      </Quiet>
      <div className="more-row">
        <Link to={{ at: null }} className="btn small">
          {`The logs of ${name}`}
        </Link>
      </div>
    </Panel>
  );
}

/** Letters act on the selected service, and on the agent where none is. */
function useAgentKeys(
  agent: AgentView,
  isGone: boolean,
  selected: string | null,
  select: (service: string | null) => void,
  request: ReturnType<typeof useAgentActs>["request"],
): void {
  const { store } = useBox();
  useKeys(() => {
    const names = agent.services.map(({ name }) => name);
    const at = names.indexOf(selected ?? "");
    const go = (to: number): void => select(names[Math.max(0, Math.min(names.length - 1, to))] ?? null);
    const bindings: Record<string, Bindings[string]> = {
      ...moveKeys(names.length, at, go),
      Escape: () => (selected === null ? goTo({ service: null, said: "" }, "replace") : select(null)),
    };
    const service = agent.services[at];
    if (service !== undefined) bindings["Enter"] = () => goTo({ service: service.name }, "replace");
    if (isGone || store.read().link.is !== "live") return bindings;
    const acts = service === undefined ? actsOfAgent(agent) : actsOfService(agent, service);
    for (const act of acts) bindings[act.key] = () => request(act, agent, service?.name);
    return bindings;
  });
  useEffect(() => {
    if (selected === null) return;
    document.querySelector(`[data-service="${CSS.escape(selected)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);
}

function NotThen({ at }: { readonly at: string }): ReactNode {
  return (
    <div className="page-note" role="status">
      <h2>{at} was not there</h2>
      <p className="dim">At the moment that you look at it was not made yet, or it was gone already.</p>
      <Link to={{ at: null }} className="btn plain">
        {at} now
      </Link>
    </div>
  );
}

function Unknown({ at }: { readonly at: string }): ReactNode {
  const { recording } = useAddress();
  if (recording !== null) {
    return (
      <div className="board run-page with-terminal" data-page={at}>
        <RecordingPanel key={recording} id={recording} run={null} />
      </div>
    );
  }
  return (
    <div className="board">
      <div className="page-note" role="alert">
        <h2>There is no agent {at}</h2>
        <p className="dim">
          It was removed, was never there, or belongs to another daemon. The log keeps what happened, and recordings
          outlive their agent.
        </p>
        <Link to={{ place: "agents" }} className="btn plain">
          All agents
        </Link>
      </div>
      <RecordingsList agent={at} isGuess />
    </div>
  );
}
