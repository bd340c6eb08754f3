import type { ReactNode } from "react";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useIsLive, useLive } from "../live/live-context.tsx";
import { actsOfAgentInNeed } from "../model/agent-acts.ts";
import { inboxLooks } from "../model/inbox-kinds.ts";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Key } from "../parts/key.tsx";
import { ActButtons } from "../run/act-buttons.tsx";
import { AnswerBox } from "../run/answer-box.tsx";
import { Link, toAgentPage, toRunPage } from "../shell/link.tsx";
import { useOwnAct } from "./use-own-act.tsx";
import { useSeen } from "./use-seen.ts";

type AnswerProps = {
  readonly item: InboxItem;
  readonly run: Run | undefined;
  readonly isSelected: boolean;
  /** Beside other panels: what its page offers as well is left to that. */
  readonly isBrief: boolean;
  readonly onAgentAct: RequestAgentAct;
};

/** What can be done about something that needs somebody, where it is shown. */
export function NeedAnswer(props: AnswerProps): ReactNode {
  const { item } = props;
  if (item.run !== null) return <RunAnswer {...props} id={item.run} />;
  return item.kind === "agent" || item.kind === "warning" ? <AgentAnswer {...props} /> : <ProjectAnswer {...props} />;
}

function RunAnswer(props: AnswerProps & { readonly id: string }): ReactNode {
  const { item, run, isSelected, isBrief, id } = props;
  const { acts } = inboxLooks[item.kind];
  const isAsked = item.kind === "question" && run !== undefined;
  if (isAsked && isBrief) return <AnswerBox run={run} primary={isSelected} />;
  return (
    <>
      {isAsked ? <AnswerBox run={run} primary={isSelected} /> : null}
      <div className="acts">
        <Link to={toRunPage(id)} className={`btn small ${isSelected && item.kind === "review" ? "primary" : "plain"}`}>
          {item.kind === "review" ? "Review" : "Open"} <Key>O</Key>
        </Link>
        <OwnActButton item={item} isSelected={isSelected} />
        {run === undefined ? null : (
          <ActButtons
            run={run}
            only={isBrief ? acts.filter((name) => name !== "reject") : acts}
            primary={isSelected && item.kind === "permission"}
          />
        )}
        <SeenButton item={item} />
      </div>
    </>
  );
}

function AgentAnswer({ item, onAgentAct }: AnswerProps): ReactNode {
  const isLive = useIsLive();
  const agent = useLive((state) => [...state.agents.values()].find(({ name }) => name === item.title));
  if (agent === undefined)
    return (
      <div className="need-command">
        <Command text={item.command} />
        <SeenButton item={item} />
      </div>
    );
  return (
    <div className="acts">
      <Link to={toAgentPage(agent.id)} className="btn small plain">
        Open <Key>O</Key>
      </Link>
      {actsOfAgentInNeed(agent).map((act) => (
        <Button key={act.name} size="small" hotkey={act.key} disabled={!isLive} onClick={() => onAgentAct(act, agent)}>
          {act.label}
        </Button>
      ))}
      <SeenButton item={item} />
    </div>
  );
}

/** What helps, where that is no act on a run. */
function OwnActButton({ item, isSelected }: Pick<AnswerProps, "item" | "isSelected">): ReactNode {
  const isLive = useIsLive();
  const act = useOwnAct()(item);
  if (act === null) return null;
  // Opening a unit is somebody's word that nothing lives there: it is no button to press by the way.
  const look = item.kind === "closed" ? "danger" : isSelected ? "primary" : "plain";
  return (
    <Button size="small" look={look} hotkey={act.key} disabled={!isLive} onClick={act.go}>
      {act.label}
    </Button>
  );
}

/** Takes it off the list, where nobody has to act on it. */
function SeenButton({ item }: { readonly item: InboxItem }): ReactNode {
  const isLive = useIsLive();
  const see = useSeen();
  if (!item.canBeSeen) return null;
  return (
    <Button size="small" hotkey="Y" disabled={!isLive} onClick={() => see(item)}>
      Seen
    </Button>
  );
}

function ProjectAnswer({ item, isSelected }: AnswerProps): ReactNode {
  return (
    <div className="need-command">
      <Command text={item.command} />
      <OwnActButton item={item} isSelected={isSelected} />
      {item.kind === "unpublished" ? (
        <Link to={{ place: "landing", project: item.projectName }} className="btn small plain">
          Landing <Key>O</Key>
        </Link>
      ) : null}
    </div>
  );
}
