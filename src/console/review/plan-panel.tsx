import { type ReactNode, useState } from "react";
import type { Plan, PlannedStep } from "../../protocol/wire/plan.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { RunStory } from "../../protocol/wire/story.ts";
import { useAsked } from "../live/use-asked.ts";
import { toMany } from "../model/format.ts";
import { countDone, stepLooks, toOwnLines, unitLooks, windowOf } from "../model/plan-rows.ts";
import { toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { LookWord } from "../parts/look-word.tsx";
import { Panel } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { UnitName } from "../parts/unit-name.tsx";
import { goTo } from "../shell/address.ts";
import { RunLink } from "../shell/link.tsx";
import "./plan-panel.css";

const stepsMax = 1000;

/** What the run said beforehand that it would do and need, and what became of each. One without a plan has no such panel. */
export function PlanPanel({ run, own }: { readonly run: Run; readonly own: RunStory["plan"] }): ReactNode {
  const { id, state, callsDone, call, holds, behind, question } = run;
  const { value } = useAsked({
    subject: `plan ${id}`,
    stamp: [state, callsDone, call?.number, call?.started, holds.length, behind.join(" "), question?.id].join(" "),
    ask: async (client, signal) => (await client.call("run.plan", { run: id, limit: stepsMax }, { signal })).plan,
  });
  if (value === null || (value.units.length === 0 && value.steps === null && own === null)) return null;
  const { units, steps, count } = value;
  const command = `signalbox plan ${id}`;
  return (
    <Panel
      name="plan"
      title="Plan"
      meta={steps === null ? ownCount(own) : `${countDone(steps)} of ${toMany(count, "step")} done`}
      end={<CopyButton text={command} label={`Copy: ${command}`} />}
    >
      <div className="panel-scroll" tabIndex={0} role="group" aria-label="Plan">
        {units.length === 0 ? null : <Units units={units} />}
        {steps === null ? null : <Steps steps={steps} count={count} />}
        {own === null ? null : <OwnPlan own={own} />}
      </div>
    </Panel>
  );
}

/** What it says of its own plan: its word, and not what was seen to happen. */
function OwnPlan({ own }: { readonly own: NonNullable<RunStory["plan"]> }): ReactNode {
  return (
    <div className="sheet-part">
      <h3>
        In its own words, <Ago atMs={own.atMs} />
      </h3>
      <ul className="plan-own">
        {toOwnLines(own.text).map(({ text, state }, at) => (
          <li key={at} data-own={state ?? "plain"} className={state === null ? undefined : `is-${state}`}>
            <span className="plan-words">{toVisible(text)}</span>
            {state === null ? null : (
              <span className="plan-state">
                <LookWord look={stepLooks[state]} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ownCount(own: RunStory["plan"]): string | undefined {
  const lines = own === null ? [] : toOwnLines(own.text).filter(({ state }) => state !== null);
  if (lines.length === 0) return undefined;
  return `${lines.filter(({ state }) => state === "done").length} of ${toMany(lines.length, "step")} done, it says`;
}

function Units({ units }: { readonly units: Plan["units"] }): ReactNode {
  return (
    <div className="sheet-part">
      <h3>Units</h3>
      <ul className="unit-list">
        {units.map(({ unit, state, behind }) => (
          <li key={unit} data-planned={unit} data-state={state}>
            <UnitName unit={unit} wanted={state === "waiting"} />
            <span className="plan-state">
              <LookWord look={unitLooks[state]} />
              <Behind behind={behind} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Steps({ steps, count }: { readonly steps: readonly PlannedStep[]; readonly count: number }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? { steps, before: 0, after: 0 } : windowOf(steps);
  return (
    <div className="sheet-part">
      <h3>Steps</h3>
      <ol className="plan-steps">
        {shown.steps.map((step) => (
          <li
            key={step.number}
            data-step={step.call ?? undefined}
            data-state={step.state}
            className={`is-${step.state}`}
          >
            <span className="num dim">{step.call}</span>
            <StepWords step={step} />
            <span className="plan-state">
              <LookWord look={stepLooks[step.state]} />
              <Behind behind={step.behind} />
            </span>
          </li>
        ))}
      </ol>
      {shown.before + shown.after === 0 ? null : (
        <Button size="small" onClick={() => setWhole(true)}>
          {`Show ${shown.before} before and ${shown.after} after`}
        </Button>
      )}
      {count > steps.length ? <p className="dim">and {toMany(count - steps.length, "more step")}</p> : null}
    </div>
  );
}

/** A step that has been made leads to what came of it. */
function StepWords({ step }: { readonly step: PlannedStep }): ReactNode {
  const { call, about, state } = step;
  const words = (
    <>
      <b>{step.do}</b> {toVisible(about)}
    </>
  );
  if (call === null || state === "pending" || state === "skipped")
    return (
      <span className="plan-about" title={about}>
        {words}
      </span>
    );
  return (
    <button type="button" className="plan-about text-button" title={about} onClick={() => goTo({ step: call })}>
      {words}
    </button>
  );
}

function Behind({ behind }: { readonly behind: readonly string[] }): ReactNode {
  if (behind.length === 0) return null;
  return (
    <span className="obstacles">
      {"for "}
      {behind.map((holder) => (holder.startsWith("r_") ? <RunLink key={holder} id={holder} /> : holder))}
    </span>
  );
}
