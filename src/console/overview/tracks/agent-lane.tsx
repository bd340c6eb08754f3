import { memo, type ReactNode, useMemo, useRef } from "react";
import type { AgentView } from "../../../protocol/wire/agent.ts";
import { activityOf, activitySignals, agentSignals } from "../../model/agent-signals.ts";
import { toStretch } from "../../model/segments.ts";
import { Icon } from "../../parts/icon.tsx";
import { LookWord } from "../../parts/look-word.tsx";
import { Since } from "../../parts/times.tsx";
import { useNearSight } from "../../parts/use-near-sight.ts";
import { goTo, toHref, useAddress } from "../../shell/address.ts";
import { isPlainClick, toAgentPage } from "../../shell/link.tsx";
import { useSelection } from "../../shell/selection.tsx";
import { useLaneNow } from "./axis.tsx";

/** A living agent whose run has no lane: since when it is as it is, its state, and what it does. One with a run is named in that lane. */
export const AgentLane = memo(function AgentLane(props: {
  readonly agent: AgentView;
  readonly isNearAtFirst: boolean;
  readonly windowMs: number;
}): ReactNode {
  const { agent, isNearAtFirst, windowMs } = props;
  const { selected, select } = useSelection();
  const address = useAddress();
  const row = useRef<HTMLAnchorElement>(null);
  const isNear = useNearSight(row, isNearAtFirst);
  const page = { ...toAgentPage(agent.id), run: null };
  return (
    <li>
      <a
        ref={row}
        className="lane run-lane agent-lane"
        href={toHref({ ...address, ...page })}
        data-lane
        data-subject={agent.id}
        data-agent={agent.id}
        data-state={agent.state}
        aria-current={selected === agent.id}
        tabIndex={selected === agent.id ? 0 : -1}
        onFocus={() => select(agent.id)}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          goTo(page);
        }}
      >
        <span className="lane-title">
          <span className="lane-name" title={`agent ${agent.name}`}>
            <Icon name="agents" />
            <span className="sr">agent </span>
            {agent.name}
          </span>
          <span className="lane-id">{agent.id}</span>
        </span>
        {isNear ? <Body agent={agent} windowMs={windowMs} /> : null}
      </a>
    </li>
  );
});

function Body({ agent, windowMs }: { readonly agent: AgentView; readonly windowMs: number }): ReactNode {
  const nowMs = useLaneNow(windowMs);
  const stretch = useMemo(() => toStretch(agent.sinceMs, nowMs, windowMs), [agent.sinceMs, nowMs, windowMs]);
  const look = agentSignals[agent.state];
  const activity = activitySignals[agent.activity];
  const { words, tone } = activityOf(agent);
  return (
    <>
      <span className="lane-track" aria-hidden="true">
        <i className={`seg seg-agent-${agent.state}`} style={stretch} />
        <span className={`head a-${look.tone}`} style={{ left: "100%" }}>
          <Icon name={look.icon} />
        </span>
      </span>
      <span className="lane-gutter" />
      <span className="lane-state">
        <LookWord look={look} />
        <Since atMs={agent.sinceMs} />
      </span>
      <span className="lane-words">
        {agent.state === "running" ? (
          <span className={`waits a-${activity.tone}`} title={activity.word}>
            <Icon name={activity.icon} />
          </span>
        ) : null}
        <span className={tone === "stop" || tone === "you" ? `words-more a-${tone}` : "words-more"} title={words}>
          {words}
        </span>
      </span>
    </>
  );
}
