import type { ReactNode } from "react";
import type { Run } from "../../../protocol/wire/run.ts";
import type { RunStep } from "../../../protocol/wire/story.ts";
import { withoutHash } from "../../model/event-sentence.ts";
import { toTook } from "../../model/format.ts";
import { outcomeOfStep } from "../../model/step-outcome.ts";
import { toVisible } from "../../model/visible-text.ts";
import { Awaited } from "../../parts/awaited.tsx";
import { CopyButton } from "../../parts/command.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { Ago } from "../../parts/times.tsx";
import { UnitName } from "../../parts/unit-name.tsx";
import { goTo } from "../../shell/address.ts";
import type { StoryAsked } from "../use-run-story.ts";
import type { Steps } from "../use-steps.ts";
import { StepActs } from "./step-acts.tsx";
import { KeptOutput } from "./kept-output.tsx";
import "./moment.css";

/** The step under the playhead; without one, the last that a command was run in, or the last of all. */
export function MomentPanel(props: {
  readonly id: string;
  readonly asked: StoryAsked;
  readonly steps: Steps;
  /** The call that the address names. */
  readonly step: number | null;
  readonly run: Run | undefined;
}): ReactNode {
  const { id, asked, steps, step, run } = props;
  const story = asked.value;
  const shown = step === null ? (story?.lastCommand ?? story?.lastStep ?? null) : steps.step;
  const isComing = story === null || (step !== null && !steps.isMissing);
  // The newest is in the story itself.
  const unread = step === null ? asked : steps;
  return (
    <Panel
      name="moment"
      title={step === null ? (shown?.hasOutput === true ? "Last command" : "Last step") : "At this moment"}
      end={
        shown?.hasOutput === true ? (
          <CopyButton
            text={`signalbox logs ${id} --step ${shown.call}`}
            label="Copy the command that prints all of it"
          />
        ) : undefined
      }
    >
      {shown === null && isComing ? (
        <Awaited
          what={step === null ? "Reading the log" : `Reading step ${step}`}
          trouble={unread.trouble}
          again={unread.again}
        />
      ) : shown === null ? (
        <Quiet title={step === null ? "No step yet" : `There is no step ${step}`}>
          What its commands said is shown here.
        </Quiet>
      ) : (
        <>
          <Moment id={id} step={shown} run={run} />
          {run === undefined || shown.ok === null ? null : <StepActs key={shown.call} run={run} step={shown.call} />}
        </>
      )}
    </Panel>
  );
}

function Moment(props: { readonly id: string; readonly step: RunStep; readonly run: Run | undefined }): ReactNode {
  const { id, step, run } = props;
  const outcome = outcomeOfStep(step, run?.state);
  return (
    <div className="moment">
      <p className="moment-head">
        <Icon name={step.hasOutput ? "process" : "file"} />
        <b>{step.tool}</b>
        <button type="button" className="text-button" onClick={() => goTo({ step: step.call, file: null }, "replace")}>
          step {step.call}
        </button>
        <Ago atMs={step.endMs ?? step.fromMs} />
      </p>
      {step.units.length === 0 ? null : (
        <p className="moment-units">
          {step.units.slice(0, 6).map((unit) => (
            <UnitName key={unit} unit={unit} />
          ))}
          {step.units.length > 6 ? <span className="dim">+{step.units.length - 6}</span> : null}
        </p>
      )}
      {step.hasOutput ? (
        <KeptOutput key={step.call} id={id} step={step.call} isOver={step.ok !== null} />
      ) : step.summary === "" ? null : (
        <p className="moment-says" tabIndex={0}>
          {toVisible(withoutHash(step.summary))}
        </p>
      )}
      <dl className="moment-facts">
        <div>
          <dt>Outcome</dt>
          <dd className={outcome.tone === "rest" ? undefined : `a-${outcome.tone}`}>
            <Icon name={outcome.icon} />
            {outcome.word}
          </dd>
        </div>
        {step.endMs === null ? null : (
          <div>
            <dt>Took</dt>
            <dd>{toTook(step.endMs - (step.startedMs ?? step.fromMs))}</dd>
          </div>
        )}
        <div>
          <dt>Changed</dt>
          <dd title={step.paths.join("\n")}>{step.paths.length === 0 ? "nothing" : step.paths.length}</dd>
        </div>
      </dl>
    </div>
  );
}
