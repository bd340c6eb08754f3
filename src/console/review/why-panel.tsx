import type { ReactNode } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import type { RunStep, RunStory } from "../../protocol/wire/story.ts";
import { useActs } from "../acts/act-context.tsx";
import { useIsLive } from "../live/live-context.tsx";
import { endOf } from "../model/run-end.ts";
import { findAct } from "../model/run-acts.ts";
import { reasonOf } from "../model/reason.ts";
import { outcomeOfStep } from "../model/step-outcome.ts";
import { toVisible, toVisibleLines } from "../model/visible-text.ts";
import { withoutHash } from "../model/event-sentence.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { UnitName } from "../parts/unit-name.tsx";
import { goTo } from "../shell/address.ts";
import { Link } from "../shell/link.tsx";
import { KeptOutput } from "./moment/kept-output.tsx";
import { StepActs } from "./moment/step-acts.tsx";
import { TestOutput } from "./test-output.tsx";
import "./moment/moment.css";
import "./why-panel.css";

/** Why a run has failed, for whoever opens it at night: what, where, what it said last, and what to do about it. */
export function WhyPanel({ run, story }: { readonly run: Run; readonly story: RunStory }): ReactNode {
  const { step, command, said } = endOf(story);
  const because = reasonOf(run) ?? "It ended, and did not say why.";
  return (
    <Panel name="why" title="Why it failed" meta={run.endedAtMs === null ? undefined : <Ago atMs={run.endedAtMs} />}>
      <div className="why">
        <div className="why-words">
          <p className="why-reason run-because">
            <Icon name="failed" />
            <span>{toVisible(because)}</span>
          </p>
          {step === null ? <p className="why-where">It came to no step.</p> : <Where step={step} run={run} />}
          <div className="why-acts">
            <Retry run={run} />
            {step === null ? null : <StepActs run={run} step={step.call} fork={`Fork from step ${step.call}…`} />}
            <TestOutput id={run.id} because={because} />
            <Link
              to={{ place: "events", of: run.id, types: [], unit: null, event: null, find: "" }}
              className="btn plain small"
            >
              Open its log
            </Link>
          </div>
        </div>
        {command === null && said === null ? null : (
          <div className="why-said">
            {said === null ? null : (
              <>
                <h3>What it said last</h3>
                <p className="why-message" tabIndex={0}>
                  {toVisibleLines(said.text)}
                </p>
              </>
            )}
            {command === null ? null : (
              <>
                <h3>
                  What its last command said, <StepButton step={command} />
                </h3>
                <KeptOutput key={command.call} id={run.id} step={command.call} isOver isEndFirst />
              </>
            )}
          </div>
        )}
      </div>
    </Panel>
  );
}

/** The last thing that it did, which may have gone well. */
function Where({ step, run }: { readonly step: RunStep; readonly run: Run }): ReactNode {
  const outcome = outcomeOfStep(step, run.state);
  return (
    <p className="why-where">
      <span>Last it did</span> <b>{step.tool}</b> <StepButton step={step} />
      <span className={outcome.tone === "rest" ? "why-outcome" : `why-outcome a-${outcome.tone}`}>
        <Icon name={outcome.icon} />
        {outcome.word}
      </span>
      {step.units.slice(0, 3).map((unit) => (
        <UnitName key={unit} unit={unit} />
      ))}
      {step.hasOutput || step.summary === "" ? null : (
        <span className="why-summary">{toVisible(withoutHash(step.summary))}</span>
      )}
    </p>
  );
}

function StepButton({ step }: { readonly step: RunStep }): ReactNode {
  return (
    <button type="button" className="text-button" onClick={() => goTo({ step: step.call, file: null }, "replace")}>
      step {step.call}
    </button>
  );
}

function Retry({ run }: { readonly run: Run }): ReactNode {
  const { request } = useActs();
  const isLive = useIsLive();
  const retry = findAct(run, "retry");
  if (retry === undefined) return null;
  return (
    <Button
      size="small"
      look="primary"
      hotkey={retry.key}
      disabled={!isLive}
      title={isLive ? "The same task from its beginning, as a new run" : "Not while disconnected"}
      onClick={() => request(retry, run)}
    >
      {retry.label}
    </Button>
  );
}
