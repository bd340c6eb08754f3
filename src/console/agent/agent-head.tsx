import type { ReactNode } from "react";
import type { AgentView, AssistantView } from "../../protocol/wire/agent.ts";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useIsLive } from "../live/live-context.tsx";
import { actsOfAgent } from "../model/agent-acts.ts";
import { activityOf, agentSignals } from "../model/agent-signals.ts";
import { toMany } from "../model/format.ts";
import { toHeldText, toLimitText } from "../model/limit-text.ts";
import { toShell } from "../model/shell-text.ts";
import { toWho } from "../model/who.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { LookBadge } from "../parts/look-word.tsx";
import { Ago, Since } from "../parts/times.tsx";
import { Link, toRunPage } from "../shell/link.tsx";

export function AgentHead(props: {
  readonly agent: AgentView;
  readonly isGone: boolean;
  readonly onAct: RequestAgentAct;
}): ReactNode {
  const { agent, isGone, onAct } = props;
  const isLive = useIsLive();
  const { words, tone } = activityOf(agent);
  const show = `signalbox agent show ${toShell(agent.name)}`;
  return (
    <header className="run-head">
      <div className="run-name">
        <h2>{agent.name}</h2>
        {isGone ? null : (
          <LookBadge look={agentSignals[agent.state]}>
            <Since atMs={agent.sinceMs} />
          </LookBadge>
        )}
        {isGone || words === "" ? null : <span className={`agent-does a-${tone}`}>{words}</span>}
      </div>
      <p className="run-meta">
        <span className="rid">{agent.id}</span>
        <span>{agent.projectName}</span>
        <span>
          from <b>{agent.template}</b>
        </span>
        {agent.run === null ? null : (
          <span>
            runs{" "}
            <Link to={toRunPage(agent.run)} className="rid">
              {agent.run}
            </Link>
          </span>
        )}
        {agent.joined.length === 0 ? null : (
          <span>joined with {agent.joined.map(({ agent: other }) => other).join(", ")}</span>
        )}
        {agent.assistant === null ? null : <span>{toAssistantWords(agent.assistant)}</span>}
        {agent.limits === null ? null : (
          <span title="What everything in it may use together">
            may use {toLimitText(agent.limits)}
            {toHeldText(agent.heldBy)}
          </span>
        )}
        <span>on {agent.node}</span>
        <span>
          made <Ago atMs={agent.madeAtMs} /> by {toWho(agent.by)}
        </span>
        {agent.life > 1 ? <span>its place was made {toMany(agent.life, "time")}</span> : null}
      </p>
      {isGone ? (
        <p className="run-because" role="status">
          It is gone, and nothing of it is left. What you see is how it was last.
        </p>
      ) : (
        <div className="run-acts">
          <div className="acts">
            {actsOfAgent(agent).map((act) => (
              <Button
                key={act.name}
                size="small"
                look={act.name === "start" && agent.state === "error" ? "primary" : act.look}
                hotkey={act.key}
                disabled={!isLive}
                title={isLive ? undefined : "Not while disconnected"}
                onClick={() => onAct(act, agent)}
              >
                {act.label}
              </Button>
            ))}
          </div>
          <CopyButton text={show} label={`Copy: ${show}`} />
        </div>
      )}
    </header>
  );
}

function toAssistantWords({ profile, state, run, because }: AssistantView): string {
  if (state === "failed") return `its assistant (${profile}) could not begin: ${because ?? ""}`;
  return state === "begun" ? `its assistant (${profile}) is ${run ?? ""}` : `has an assistant (${profile})`;
}
