import { type ReactNode, useMemo, useState } from "react";
import { type RequestAgentAct, useAgentActs } from "../acts/use-agent-acts.tsx";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import { countKinds, type InboxKind, inboxLooks, keyOfItem, toInboxCommand } from "../model/inbox-kinds.ts";
import { toCount, toMany } from "../model/format.ts";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { useShown } from "../parts/use-shown.ts";
import { goTo, useAddress } from "../shell/address.ts";
import { moveKeys, useKeys } from "../shell/keys.ts";
import { useInbox, useInboxOf } from "./inbox-context.tsx";
import { NeedCard } from "./need-card.tsx";
import { useNeedKeys } from "./use-need-keys.ts";
import "../agents/agents.css";
import "./needs.css";
import "./inbox.css";

const kinds = Object.keys(inboxLooks) as InboxKind[];
const stepCards = 50;

/** Everything that needs a person, over all runs, projects and agents: the overdue, then the oldest, each with what to do. */
export function InboxPage(): ReactNode {
  const { need, project: name } = useAddress();
  const project = useProjectId();
  const { isRead, isComing, trouble, again } = useInbox();
  const { request, dialog } = useAgentActs();
  const [shown, showMore] = useShown("inbox", stepCards);
  const [selected, select] = useState<string | null>(null);
  const all = useInboxOf(project);
  const rows = need === null ? all : all.filter(({ kind }) => kind === need);
  useInboxKeys({ rows: rows.slice(0, shown), selected, select, onAgentAct: request });
  return (
    <div className="board runs-place inbox-place">
      <Panel
        name="inbox"
        title="Inbox"
        meta={isRead ? toMeta(rows) : undefined}
        end={<CopyButton text={toInboxCommand(name, need)} label="Copy the command that lists the same" />}
      >
        {all.length === 0 && need === null ? null : <KindFilter all={all} need={need} />}
        {trouble === null ? null : (
          <div className="inbox-trouble" role="alert">
            <p>{trouble}</p>
            <button type="button" className="text-button" onClick={again}>
              Try again
            </button>
          </div>
        )}
        {isComing ? (
          <Awaited what="Reading what needs you" rows={6} />
        ) : !isRead && rows.length === 0 ? (
          <Quiet title="The inbox could not be read" />
        ) : rows.length === 0 ? (
          <Quiet title={need === null ? "Nothing needs you" : "Nothing of that kind needs you"}>
            Questions, permissions, reviews, failures, what is stuck and agents in error come here by themselves.
          </Quiet>
        ) : (
          <div className="needs-list">
            {rows.slice(0, shown).map((item) => (
              <NeedCard
                key={keyOfItem(item)}
                item={item}
                subject={keyOfItem(item)}
                frees={0}
                isBrief={false}
                isSelected={selected === keyOfItem(item)}
                onSelect={select}
                onAgentAct={request}
              />
            ))}
            {rows.length > shown ? (
              <div className="more-row">
                <Button size="small" onClick={showMore}>
                  {`Show ${Math.min(stepCards, rows.length - shown)} more of ${rows.length}`}
                </Button>
              </div>
            ) : null}
          </div>
        )}
      </Panel>
      {dialog}
    </div>
  );
}

/** How many there are of each kind; one leaves only those. Where nothing is, there is nothing to choose from. */
function KindFilter({ all, need }: { readonly all: readonly InboxItem[]; readonly need: string | null }): ReactNode {
  const counts = useMemo(() => countKinds(all), [all]);
  return (
    <div className="agent-filters kinds" role="group" aria-label="Only one kind">
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          className={`agent-filter ${(counts.get(kind) ?? 0) === 0 ? "a-none" : `a-${inboxLooks[kind].tone}`}`}
          aria-pressed={need === kind}
          data-kind={kind}
          onClick={() => goTo({ need: need === kind ? null : kind }, "replace")}
        >
          <Icon name={inboxLooks[kind].icon} />
          <b className="num">{toCount(counts.get(kind) ?? 0)}</b>
          <span>{counts.get(kind) === 1 ? inboxLooks[kind].word : inboxLooks[kind].words}</span>
        </button>
      ))}
    </div>
  );
}

/** How many there are, and in which order. */
function toMeta(rows: readonly InboxItem[]): string | undefined {
  if (rows.length === 0) return undefined;
  const overdue = rows.filter(({ escalated }) => escalated).length;
  const order = overdue === 0 ? "the oldest first" : `${overdue} overdue, which come first`;
  return `${toMany(rows.length, "item")}, ${order}`;
}

function useInboxKeys(props: {
  readonly rows: readonly InboxItem[];
  readonly selected: string | null;
  readonly select: (key: string | null) => void;
  readonly onAgentAct: RequestAgentAct;
}): void {
  const { rows, selected, select, onAgentAct } = props;
  const keysOf = useNeedKeys(onAgentAct);
  useKeys(() => {
    const at = rows.findIndex((item) => keyOfItem(item) === selected);
    const go = (to: number): void => {
      const item = rows[Math.max(0, Math.min(rows.length - 1, to))];
      if (item === undefined) return;
      const key = keyOfItem(item);
      select(key);
      document.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"]`)?.focus();
    };
    const item = rows[at];
    return {
      ...moveKeys(rows.length, at, go),
      Escape: () => select(null),
      ...(item === undefined ? {} : keysOf(item)),
    };
  });
}
