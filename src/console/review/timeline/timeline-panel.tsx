import { type MouseEvent, type ReactNode, useDeferredValue, useMemo } from "react";
import type { Run } from "../../../protocol/wire/run.ts";
import type { DrawnStory, RunStep, RunStory } from "../../../protocol/wire/story.ts";
import { useClock, useLive } from "../../live/live-context.tsx";
import { toMany, toSpan } from "../../model/format.ts";
import { isOver } from "../../model/signals.ts";
import { makeTimeScale, type TimeScale, toDrawnEnd } from "../../model/time-scale.ts";
import { Awaited } from "../../parts/awaited.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { Key } from "../../parts/key.tsx";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { Ago } from "../../parts/times.tsx";
import { Trouble } from "../../parts/trouble.tsx";
import { goTo } from "../../shell/address.ts";
import { useKeys } from "../../shell/keys.ts";
import type { StoryAsked } from "../use-run-story.ts";
import type { Steps } from "../use-steps.ts";
import { TimeAxis, TimelineRows } from "./timeline-rows.tsx";
import "./timeline.css";

/** The run through time, one row for each kind of thing, and one playhead for all. A step under it is shown alone. */
export function TimelinePanel(props: {
  readonly asked: StoryAsked;
  readonly steps: Steps;
  readonly run: Run | undefined;
}): ReactNode {
  const { asked, steps, run } = props;
  const { value: story, trouble, again, showUnits } = asked;
  const nowMs = useClock((clock) => Math.floor(clock.now() / 1000) * 1000);
  const lastMs = story?.lastMs ?? 0;
  const isEnded = run === undefined || isOver(run.state);
  const toMs = isEnded ? (run?.endedAtMs ?? lastMs) : Math.max(nowMs, lastMs);
  const endMs = isEnded ? toMs : toDrawnEnd(story?.fromMs ?? toMs, toMs);
  // The drawing may come a moment after what is counted: it is the most of what there is to draw.
  const drawn = useDeferredValue(story?.drawn ?? null);
  const scale = useMemo(() => makeTimeScale([...instantsOf(drawn), endMs]), [drawn, endMs]);
  // In the past these go from event to event.
  const isPast = useLive(({ link }) => link.is === "past");
  const { place, goToPlace } = steps;
  useKeys(isPast || place < 0 ? {} : { ",": () => goToPlace(place - 1), ".": () => goToPlace(place + 1) });
  const count = story?.counts.steps ?? 0;
  return (
    <Panel
      name="timeline"
      title="Timeline"
      meta={story === null || story.fromMs === null ? undefined : spanOf(story, toMs)}
      end={count === 0 ? undefined : <Scrubber count={count} steps={steps} />}
    >
      {story === null ? (
        <Awaited what="Reading the log" trouble={trouble} again={again} />
      ) : drawn === null || story.fromMs === null ? (
        <Quiet title="Nothing has happened yet">Its calls, messages and leases are drawn here as they come.</Quiet>
      ) : (
        <>
          <Trouble trouble={trouble} again={again} />
          <div
            className="timeline"
            // The same is to be had with the slider and the keys.
            onClick={(event) => goTo({ step: nearestTo(event, drawn, scale), file: null }, "replace")}
          >
            <TimeAxis story={story} scale={scale} endMs={endMs} />
            <TimelineRows story={story} drawn={drawn} scale={scale} endMs={endMs} showUnits={showUnits} />
            <Playhead step={steps.step} scale={scale} />
          </div>
          {isJoined(drawn) ? (
            <p className="tl-note">Where many lie too near to be told apart, one mark stands for all of them.</p>
          ) : null}
        </>
      )}
    </Panel>
  );
}

function spanOf({ fromMs, counts, more, seq, at }: RunStory, endMs: number): string {
  const parts = [toSpan(endMs - (fromMs ?? endMs)), toMany(counts.steps, "step")];
  // What is counted is not all there is.
  if (more) parts.push(`read up to event ${seq} of ${at}`);
  return parts.join(", ");
}

function Scrubber({ count, steps }: { readonly count: number; readonly steps: Steps }): ReactNode {
  const { step, place, goToPlace } = steps;
  // Where it is among the others is not known yet: what is before it, or after it, neither.
  const isNowhere = place < 0;
  const buttons = { size: "small", disabled: isNowhere } as const;
  return (
    <span className="scrubber">
      <span className="scrubber-at">
        {place === count ? (
          "all steps"
        ) : step === null ? (
          "…"
        ) : (
          <>
            step <b className="num">{step.call}</b>, <Ago atMs={step.endMs ?? step.fromMs} />
          </>
        )}
      </span>
      <IconButton {...buttons} icon="back" label="Previous step" hotkey="," onClick={() => goToPlace(place - 1)} />
      <input
        type="range"
        min={0}
        max={count}
        value={isNowhere ? count : place}
        aria-label="Step"
        aria-valuetext={place === count ? "all steps" : step === null ? "…" : `step ${step.call}, ${step.tool}`}
        onChange={(event) => goToPlace(Number(event.target.value))}
      />
      <IconButton {...buttons} icon="next" label="Next step" hotkey="." onClick={() => goToPlace(place + 1)} />
      <Key>,</Key>
      <Key>.</Key>
      {place === count ? null : (
        <Button size="small" onClick={() => goToPlace(count)}>
          All steps
        </Button>
      )}
    </span>
  );
}

function Playhead({ step, scale }: { readonly step: RunStep | null; readonly scale: TimeScale }): ReactNode {
  if (step === null) return null;
  const at = scale.placeOf(step.endMs ?? step.fromMs);
  return (
    <span className="playhead-layer" aria-hidden="true">
      <i className="playhead-after" style={{ left: `${at}%` }} />
      <i className="playhead" style={{ left: `${at}%` }} />
    </span>
  );
}

/** The first step of what is drawn nearest to where somebody pressed. */
function nearestTo(event: MouseEvent<HTMLElement>, { calls }: DrawnStory, scale: TimeScale): number | null {
  const track = event.currentTarget.querySelector(".tl-track")?.getBoundingClientRect();
  if (track === undefined) return null;
  const place = (100 * (event.clientX - track.left)) / track.width;
  let nearest: { readonly step: number | null; readonly distance: number } = { step: null, distance: Infinity };
  for (const { fromMs, step } of calls) {
    const distance = Math.abs(scale.placeOf(fromMs) - place);
    if (step !== null && distance < nearest.distance) nearest = { step, distance };
  }
  return nearest.step;
}

function instantsOf(drawn: DrawnStory | null): number[] {
  return drawn === null ? [] : drawn.busy.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
}

function isJoined({ said, calls, commands, paid, changed, states }: DrawnStory): boolean {
  return [said, calls, commands, paid, changed, states].some((row) => row.some(({ count }) => count > 1));
}
