import { type ReactNode, useMemo } from "react";
import { useAgentActs } from "../../acts/use-agent-acts.tsx";
import { useInbox, useInboxOf } from "../../inbox/inbox-context.tsx";
import { NeedCard } from "../../inbox/need-card.tsx";
import { subjectOfItem } from "../../inbox/use-need-keys.ts";
import { useLive } from "../../live/live-context.tsx";
import { keyOfItem } from "../../model/inbox-kinds.ts";
import { toNeeds } from "../../model/needs.ts";
import { countWaiters } from "../../model/waits.ts";
import { Awaited } from "../../parts/awaited.tsx";
import { Button } from "../../parts/button.tsx";
import { Key } from "../../parts/key.tsx";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { useSelection } from "../../shell/selection.tsx";
import { useShown } from "../../parts/use-shown.ts";
import { useProjectId } from "../use-shown-runs.ts";
import "../../inbox/needs.css";
import "./needs-panel.css";

const stepCards = 30;

/** The inbox, with what frees others first: the same things, counted once. */
export function NeedsPanel(): ReactNode {
  const items = useInboxOf(useProjectId());
  const { isComing, trouble, again } = useInbox();
  const locks = useLive((state) => state.locks);
  const agents = useLive((state) => state.agents);
  const { selected, select } = useSelection();
  const { request, dialog } = useAgentActs();
  const [shown, showMore] = useShown("needs", stepCards);
  const needs = useMemo(() => toNeeds(items, countWaiters(locks)), [items, locks]);
  return (
    <Panel
      name="needs"
      title="Needs you"
      {...(isComing ? {} : { count: needs.length })}
      meta={!isComing && needs.length > 1 ? "what frees others first" : undefined}
      end={needs.length > 0 ? <Key>N</Key> : undefined}
    >
      {trouble === null ? null : (
        <p className="log-note a-stop" role="alert">
          {trouble}{" "}
          <button type="button" className="text-button" onClick={again}>
            Try again
          </button>
        </p>
      )}
      {isComing ? (
        <Awaited what="Reading what needs you" />
      ) : needs.length === 0 ? (
        <Quiet title="Nothing needs you">
          Questions, permissions, reviews, failures, what is stuck and agents in error come here by themselves.
        </Quiet>
      ) : (
        <div className="needs-list">
          {needs.slice(0, shown).map(({ item, frees }) => {
            const subject = subjectOfItem(item, agents);
            return (
              <NeedCard
                key={keyOfItem(item)}
                item={item}
                subject={subject}
                frees={frees}
                isBrief
                isSelected={selected === subject}
                onSelect={select}
                onAgentAct={request}
              />
            );
          })}
          {needs.length > shown ? (
            <div className="more-row">
              <Button size="small" onClick={showMore}>
                Show {Math.min(stepCards, needs.length - shown)} more of {needs.length}
              </Button>
            </div>
          ) : null}
        </div>
      )}
      {dialog}
    </Panel>
  );
}
