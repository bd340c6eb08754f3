import { type ReactNode, useMemo, useState } from "react";
import { useLive } from "../../live/live-context.tsx";
import { toNeeds } from "../../model/needs.ts";
import { countWaiters } from "../../model/waits.ts";
import { Button } from "../../parts/button.tsx";
import { Key } from "../../parts/key.tsx";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { useRunsOfProject } from "../use-shown-runs.ts";
import { NeedCard } from "./need-card.tsx";
import "./needs.css";

const stepCards = 30;

export function NeedsPanel(): ReactNode {
  const runs = useRunsOfProject();
  const locks = useLive((state) => state.locks);
  const [shown, setShown] = useState(stepCards);
  const needs = useMemo(() => toNeeds(runs, countWaiters(locks)), [runs, locks]);
  return (
    <Panel
      name="needs"
      title="Needs you"
      count={needs.length}
      meta={needs.length > 1 ? "what frees others first" : undefined}
      end={needs.length > 0 ? <Key>N</Key> : undefined}
    >
      {needs.length === 0 ? (
        <Quiet title="Nothing needs you">Questions and reviews of runs come here.</Quiet>
      ) : (
        <div className="needs-list">
          {needs.slice(0, shown).map((need) => (
            <NeedCard key={need.run.id} need={need} />
          ))}
          {needs.length > shown ? (
            <div className="more-row">
              <Button size="small" onClick={() => setShown(shown + stepCards)}>
                Show {Math.min(stepCards, needs.length - shown)} more of {needs.length}
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </Panel>
  );
}
