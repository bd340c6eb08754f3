import { type MouseEvent, type ReactNode, useMemo } from "react";
import type { Run } from "../../../protocol/wire/run.ts";
import { useClock, useLive } from "../../live/live-context.tsx";
import { toMany, toSpan } from "../../model/format.ts";
import type { RunStep, RunStory } from "../../model/run-story.ts";
import { isOver } from "../../model/signals.ts";
import { makeTimeScale, type TimeScale } from "../../model/time-scale.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Key } from "../../parts/key.tsx";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { Ago } from "../../parts/times.tsx";
import { goTo, useAddress } from "../../shell/address.ts";
import { useKeys } from "../../shell/keys.ts";
import { TimeAxis, TimelineRows } from "./timeline-rows.tsx";
import "./timeline.css";

/** The run through time, one row for each kind of thing, and one playhead for all. A step under it is shown alone. */
export function TimelinePanel({ story, run }: { readonly story: RunStory; readonly run: Run | undefined }): ReactNode {
  const { step } = useAddress();
  const { steps } = story;
  const at = step === null ? steps.length : steps.findIndex(({ call }) => call === step);
  const nowMs = useClock((clock) => Math.floor(clock.now() / 1000) * 1000);
  const endMs =
    run === undefined || isOver(run.state) ? (run?.endedAtMs ?? lastOf(story)) : Math.max(nowMs, lastOf(story));
  const scale = useMemo(() => makeTimeScale([...instantsOf(story), endMs]), [story, endMs]);
  const goToStep = (next: number): void => {
    const bounded = Math.max(0, Math.min(steps.length, next));
    goTo({ step: steps[bounded]?.call ?? null, file: null }, "replace");
  };
  // In the past these go from event to event.
  const isPast = useLive(({ link }) => link.is === "past");
  useKeys(isPast ? {} : { ",": () => goToStep(at - 1), ".": () => goToStep(at + 1) });
  const startMs = story.states[0]?.fromMs ?? 0;
  return (
    <Panel
      name="timeline"
      title="Timeline"
      meta={steps.length === 0 ? undefined : `${toSpan(endMs - startMs)}, ${toMany(steps.length, "step")}`}
      end={steps.length === 0 ? undefined : <Scrubber steps={steps} at={at} onStep={goToStep} />}
    >
      {story.states.length === 0 ? (
        <Quiet title="Nothing has happened yet">Its calls, messages and leases are drawn here as they come.</Quiet>
      ) : (
        <div
          className="timeline"
          // The same is to be had with the slider and the keys.
          onClick={(event) => goToStep(nearestTo(event, steps, scale))}
        >
          <TimeAxis story={story} scale={scale} endMs={endMs} />
          <TimelineRows story={story} scale={scale} endMs={endMs} />
          <Playhead step={steps[at]} scale={scale} />
        </div>
      )}
    </Panel>
  );
}

function Scrubber(props: {
  readonly steps: readonly RunStep[];
  readonly at: number;
  readonly onStep: (at: number) => void;
}): ReactNode {
  const { steps, at, onStep } = props;
  const step = steps[at];
  return (
    <span className="scrubber">
      <span className="scrubber-at">
        {step === undefined ? (
          "all steps"
        ) : (
          <>
            step <b className="num">{step.call}</b>, <Ago atMs={step.endMs ?? step.fromMs} />
          </>
        )}
      </span>
      <IconButton icon="back" label="Previous step" size="small" hotkey="," onClick={() => onStep(at - 1)} />
      <input
        type="range"
        min={0}
        max={steps.length}
        value={at < 0 ? steps.length : at}
        aria-label="Step"
        aria-valuetext={step === undefined ? "all steps" : `step ${step.call}, ${step.tool}`}
        onChange={(event) => onStep(Number(event.target.value))}
      />
      <IconButton icon="next" label="Next step" size="small" hotkey="." onClick={() => onStep(at + 1)} />
      <Key>,</Key>
      <Key>.</Key>
      {step === undefined ? null : (
        <Button size="small" onClick={() => onStep(steps.length)}>
          All steps
        </Button>
      )}
    </span>
  );
}

function Playhead({ step, scale }: { readonly step: RunStep | undefined; readonly scale: TimeScale }): ReactNode {
  if (step === undefined) return null;
  const at = scale.placeOf(step.endMs ?? step.fromMs);
  return (
    <span className="playhead-layer" aria-hidden="true">
      <i className="playhead-after" style={{ left: `${at}%` }} />
      <i className="playhead" style={{ left: `${at}%` }} />
    </span>
  );
}

function nearestTo(event: MouseEvent<HTMLElement>, steps: readonly RunStep[], scale: TimeScale): number {
  const track = event.currentTarget.querySelector(".tl-track")?.getBoundingClientRect();
  if (track === undefined) return steps.length;
  const place = (100 * (event.clientX - track.left)) / track.width;
  const distances = steps.map((step) => Math.abs(scale.placeOf(step.endMs ?? step.fromMs) - place));
  return distances.indexOf(Math.min(...distances));
}

function instantsOf(story: RunStory): number[] {
  const steps = story.steps.flatMap(({ fromMs, startedMs, endMs }) => [fromMs, startedMs, endMs]);
  const own = story.own.flatMap(({ fromMs, endMs }) => [fromMs, endMs]);
  const stretches = [...story.states, ...story.held, ...story.waited].flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
  const all = [...steps, ...own, ...stretches, ...[...story.said, ...story.paid].map(({ atMs }) => atMs)];
  return all.filter((instant) => instant !== null);
}

function lastOf(story: RunStory): number {
  return Math.max(0, ...instantsOf(story));
}
