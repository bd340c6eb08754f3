import { type ReactNode, useMemo } from "react";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { type LadderStep, toLadder } from "../model/agent-story.ts";
import { Icon } from "../parts/icon.tsx";
import { Panel } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";

/** What was tried when something failed, step by step, and why. */
export function LadderPanel(props: {
  readonly agent: AgentView;
  readonly events: readonly LogEvent[] | null;
}): ReactNode {
  const { agent, events } = props;
  const steps = useMemo(() => toLadder(events ?? []), [events]);
  const isClimbed = steps.some(({ times }) => times > 0);
  const top = steps.findLastIndex(({ times }) => times > 0);
  return (
    <Panel name="ladder" title="Recovery" meta={isClimbed ? "since it was last well" : "nothing had to be tried"}>
      <ol className="ladder">
        {steps.map((step, at) => (
          <Rung
            key={step.rung}
            step={step}
            isNow={at === top && agent.state !== "running"}
            whyBefore={steps.slice(0, at).findLast(({ last }) => last !== null)?.last?.why ?? null}
          />
        ))}
      </ol>
    </Panel>
  );
}

function Rung(props: {
  readonly step: LadderStep;
  readonly isNow: boolean;
  /** A reason is told once, and not again of each rung above. */
  readonly whyBefore: string | null;
}): ReactNode {
  const { step, isNow, whyBefore } = props;
  const { rung, title, times, last } = step;
  const tone = times === 0 ? "rest" : rung === "ask" && isNow ? "stop" : isNow ? "wait" : "rest";
  return (
    <li className={times === 0 ? "rung untried" : "rung"} data-rung={rung} data-times={times}>
      <span className={`a-${tone}`}>
        <Icon name={times === 0 ? "queued" : isNow ? (rung === "ask" ? "failed" : "starting") : "done"} />
      </span>
      <div>
        <b>{title}</b>
        {last === null ? (
          <span className="sr"> not tried</span>
        ) : (
          <>
            <span className="dim">
              {" "}
              {times === 1 ? "once" : `${times} times`}, <Ago atMs={last.atMs} />
            </span>
            {last.why === whyBefore ? null : <p>{last.why}</p>}
          </>
        )}
      </div>
    </li>
  );
}
