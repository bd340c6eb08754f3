import { memo, type ReactNode } from "react";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useIsLive, useLive } from "../live/live-context.tsx";
import { actsOfAgent } from "../model/agent-acts.ts";
import { inboxLooks, keyOfItem } from "../model/inbox-kinds.ts";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Key } from "../parts/key.tsx";
import { Since } from "../parts/times.tsx";
import { ActButtons } from "../run/act-buttons.tsx";
import { AnswerBox } from "../run/answer-box.tsx";
import { Link, toAgentPage, toRunPage } from "../shell/link.tsx";
import { useSeen } from "./use-seen.ts";

type CardProps = {
  readonly item: InboxItem;
  readonly isSelected: boolean;
  readonly onSelect: (key: string) => void;
  readonly onAgentAct: RequestAgentAct;
};

/** One thing that needs somebody: what, since when, and what to do about it. */
export const InboxCard = memo(function InboxCard(props: CardProps): ReactNode {
  const { item, isSelected, onSelect } = props;
  const { word, icon, tone } = inboxLooks[item.kind];
  const key = keyOfItem(item);
  return (
    <article
      className="need inbox-item"
      tabIndex={-1}
      data-item={key}
      data-run={item.run ?? undefined}
      aria-current={isSelected}
      aria-label={`${word}: ${item.title}`}
      onFocus={() => onSelect(key)}
      onClick={() => onSelect(key)}
    >
      <div className="need-head">
        <span className={`kind a-${tone}`}>
          <Icon name={icon} />
          {word}
        </span>
        {item.run === null ? null : <span className="rid">{item.run}</span>}
        <span className="need-project">{item.projectName}</span>
        {item.escalated ? (
          <span className="kind a-stop escalated" title="It has waited for longer than policies want">
            <Icon name="clock" />
            Overdue
          </span>
        ) : null}
        <Since atMs={item.sinceMs} />
      </div>
      <p className="need-what">{item.kind === "question" ? item.what : item.title}</p>
      <p className="need-meta">{item.kind === "question" ? item.title : item.what}</p>
      <Answer {...props} />
    </article>
  );
});

function Answer(props: CardProps): ReactNode {
  const { item } = props;
  if (item.run !== null) return <RunAnswer {...props} run={item.run} />;
  return item.kind === "agent" ? <AgentAnswer {...props} /> : <ProjectAnswer item={item} />;
}

function RunAnswer({ item, isSelected, run: id }: CardProps & { readonly run: string }): ReactNode {
  const run = useLive((state) => state.runs.get(id));
  const isLive = useIsLive();
  const see = useSeen();
  const { acts, canBeSeen } = inboxLooks[item.kind];
  return (
    <>
      {item.kind === "question" && run !== undefined ? <AnswerBox run={run} primary={isSelected} /> : null}
      <div className="acts">
        <Link to={toRunPage(id)} className={`btn small ${isSelected && item.kind === "review" ? "primary" : "plain"}`}>
          {item.kind === "review" ? "Review" : "Open"} <Key>O</Key>
        </Link>
        {run === undefined ? null : <ActButtons run={run} only={acts} primary={false} />}
        {canBeSeen ? (
          <Button size="small" hotkey="Y" disabled={!isLive} onClick={() => see(id)}>
            Seen
          </Button>
        ) : null}
      </div>
    </>
  );
}

function AgentAnswer({ item, onAgentAct }: CardProps): ReactNode {
  const isLive = useIsLive();
  const agent = useLive((state) => [...state.agents.values()].find(({ name }) => name === item.title));
  if (agent === undefined) return <Command text={item.command} />;
  return (
    <div className="acts">
      <Link to={toAgentPage(agent.id)} className="btn small plain">
        Open <Key>O</Key>
      </Link>
      {actsOfAgent(agent)
        .filter(({ name }) => name !== "remove")
        .map((act) => (
          <Button key={act.name} size="small" disabled={!isLive} onClick={() => onAgentAct(act, agent)}>
            {act.label}
          </Button>
        ))}
    </div>
  );
}

function ProjectAnswer({ item }: { readonly item: InboxItem }): ReactNode {
  return (
    <div className="inbox-command">
      <Command text={item.command} />
      <Link to={{ place: "landing", project: item.projectName }} className="btn small plain">
        Landing <Key>O</Key>
      </Link>
    </div>
  );
}
