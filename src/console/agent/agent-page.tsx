import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { useActs } from "../acts/act-context.tsx";
import { useAgentActs } from "../acts/use-agent-acts.tsx";
import { useBox, useLive } from "../live/live-context.tsx";
import { actsOfAgent, actsOfService } from "../model/agent-acts.ts";
import { findAgent } from "../model/agent-rows.ts";
import { parsePanes } from "../model/panes.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Quiet } from "../parts/panel.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { type Bindings, useKeys } from "../shell/keys.ts";
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
const Workbench = lazy(async () => {
  const { Workbench: workbench } = await import("../terminal/workbench.tsx");
  return { default: workbench };
});
const RecordingPanel = lazy(async () => {
  const { RecordingPanel: panel } = await import("../terminal/recording-panel.tsx");
  return { default: panel };
});

/** Everything about one agent. One that goes while somebody looks at it stays on the page as it was, and says so. */
export function AgentPage({ at }: { readonly at: string }): ReactNode {
  const now = useLive((state) => findAgent(state.agents, at));
  const [last, setLast] = useState(now);
  if (now !== undefined && now !== last) setLast(now);
  const agent = now ?? last;
  if (agent === undefined) return <Unknown at={at} />;
  return <KnownAgent agent={agent} isGone={now === undefined} />;
}

function KnownAgent({ agent, isGone }: { readonly agent: AgentView; readonly isGone: boolean }): ReactNode {
  const { request, dialog } = useAgentActs();
  const { events } = useAgentEvents(agent.id, agent.project);
  const [selected, select] = useState<string | null>(null);
  const { recording, panes: wanted } = useAddress();
  const panes = parsePanes(wanted);
  useAgentKeys(agent, isGone, selected, select, request);
  if (panes !== null && recording === null && !isGone) {
    return (
      <div className="board run-page with-terminal" data-page={agent.id} data-agent={agent.id}>
        <AgentHead agent={agent} isGone={isGone} onAct={request} />
        <Suspense fallback={<Awaited what="Reading what shows terminals" />}>
          <Workbench agent={agent} panes={panes} />
        </Suspense>
        {dialog}
      </div>
    );
  }
  if (recording !== null) {
    return (
      <div className="board run-page with-terminal" data-page={agent.id}>
        <AgentHead agent={agent} isGone={isGone} onAct={request} />
        <Suspense fallback={<Awaited what="Reading what plays recordings" />}>
          <RecordingPanel key={recording} id={recording} run={null} />
        </Suspense>
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
        {isGone ? null : <LogsPanel agent={agent} />}
      </div>
      <div className="agent-side">
        {isGone ? null : <TerminalsPanel agent={agent} />}
        <FacesPanel agent={agent} isGone={isGone} />
        <LadderPanel agent={agent} events={events} />
        <FailuresPanel events={events} />
        <RecordingsList agent={agent.id} />
        {isGone ? null : <HistoryPanel agent={agent} />}
        <AgentStory events={events} />
        {isGone ? null : <DriftPanel agent={agent} />}
        <TemplatePanel agent={agent} events={events} />
      </div>
      {dialog}
    </div>
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
  const { toasts } = useActs();
  useKeys(() => {
    const names = agent.services.map(({ name }) => name);
    const at = names.indexOf(selected ?? "");
    const go = (to: number): void => select(names[Math.max(0, Math.min(names.length - 1, to))] ?? null);
    const bindings: Record<string, Bindings[string]> = {
      J: () => go(at + 1),
      K: () => go(at < 0 ? names.length - 1 : at - 1),
      U: () => toasts.undoLast(),
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

function Unknown({ at }: { readonly at: string }): ReactNode {
  const { recording } = useAddress();
  if (recording !== null) {
    return (
      <div className="board run-page with-terminal" data-page={at}>
        <Suspense fallback={<Quiet title="Reading what plays recordings …" />}>
          <RecordingPanel key={recording} id={recording} run={null} />
        </Suspense>
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
      <RecordingsList agent={at} />
    </div>
  );
}
