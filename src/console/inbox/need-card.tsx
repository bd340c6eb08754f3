import { memo, type ReactNode } from "react";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { RequestAgentAct } from "../acts/use-agent-acts.tsx";
import { useLive } from "../live/live-context.tsx";
import { toBytes, toMany } from "../model/format.ts";
import { inboxLooks, keyOfItem } from "../model/inbox-kinds.ts";
import { reviewReasonOf } from "../model/needs.ts";
import { toReason } from "../model/reason.ts";
import { HoldEnd } from "../parts/hold-end.tsx";
import { Icon } from "../parts/icon.tsx";
import { Since } from "../parts/times.tsx";
import { RunLink } from "../shell/link.tsx";
import { LeaveWords } from "../run/leave-words.tsx";
import { NeedAnswer } from "./need-answer.tsx";

type CardProps = {
  readonly item: InboxItem;
  /** What letters act on when it is selected: a run, an agent, or the item itself. */
  readonly subject: string;
  /** Runs that go on once this is answered. */
  readonly frees: number;
  readonly isSelected: boolean;
  /** Beside other panels, and not on a page of its own. */
  readonly isBrief: boolean;
  readonly onSelect: (subject: string) => void;
  readonly onAgentAct: RequestAgentAct;
};

/** One thing that needs somebody: what, since when, and what to do about it. */
export const NeedCard = memo(function NeedCard(props: CardProps): ReactNode {
  const { item, subject, frees, isSelected, onSelect } = props;
  const { word, icon, tone } = inboxLooks[item.kind];
  const run = useLive((state) => state.runs.get(item.run ?? ""));
  return (
    <article
      className="need"
      tabIndex={-1}
      data-need={item.kind}
      data-item={keyOfItem(item)}
      data-subject={subject}
      data-run={item.run ?? undefined}
      aria-current={isSelected}
      aria-label={`${word}: ${item.title}`}
      onFocus={() => onSelect(subject)}
      onClick={() => onSelect(subject)}
    >
      <div className="need-head">
        <span className={`kind a-${tone}`}>
          <Icon name={icon} />
          {word}
        </span>
        {item.run === null ? null : <RunLink id={item.run} aside />}
        <span className="need-project">{item.projectName}</span>
        {item.escalated ? (
          <span className="kind a-stop escalated" title="It has waited for longer than policies want">
            <Icon name="clock" />
            Overdue
          </span>
        ) : null}
        <Since atMs={item.sinceMs} />
      </div>
      {item.kind === "permission" ? (
        <LeaveWords text={item.what} />
      ) : (
        <p className="need-what">{item.kind === "question" ? item.what : item.title}</p>
      )}
      <p className="need-meta">
        <span className="need-why">
          {item.kind === "question" || item.kind === "permission" ? item.title : toWhy(item, run)}
        </span>
        <Frees count={frees} of={item.run} />
      </p>
      <NeedAnswer {...props} run={run} />
    </article>
  );
});

/** Of a review how much there is to look at, and why it is one where that says more than that a person should look. */
function toWhy(item: InboxItem, run: Run | undefined): string {
  if (item.kind !== "review" || run === undefined) return toReason(item.what);
  const size = `${toMany(run.filesChanged, "file")}, ${toBytes(run.bytesWritten)}`;
  const why = reviewReasonOf(run);
  return why === null ? size : `${why} · ${size}`;
}

function Frees({ count, of }: { readonly count: number; readonly of: string | null }): ReactNode {
  if (count === 0) return null;
  return (
    <span className="frees a-wait">
      <Icon name="blocked" />
      <span>
        {count === 1 ? "1 waits" : `${count} wait`}
        {of === null ? null : <HoldEnd of={of} />}
      </span>
    </span>
  );
}
