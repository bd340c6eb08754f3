import { Fragment, memo, type ReactNode, useState } from "react";
import { showDollars } from "../../../protocol/dollars.ts";
import type { RunState } from "../../../protocol/wire/run.ts";
import { useBox } from "../../live/live-context.tsx";
import { toClock, toSpan } from "../../model/format.ts";
import type { OwnCall, RunStep, RunStory, Stretch } from "../../model/run-story.ts";
import { signals } from "../../model/signals.ts";
import { outcomeOfStep } from "../../model/step-outcome.ts";
import { ticksOn, type TimeScale } from "../../model/time-scale.ts";
import { toShortUnit } from "../../model/units.ts";
import { useIsNarrow } from "../../parts/use-is-narrow.ts";

const unitsAtFirst = 4;
const unitsMore = 40;
const commands: ReadonlySet<string> = new Set(["run", "process"]);

const speakers = { run: "It", thought: "It thinks", person: "You" } as const;

type Drawn = { readonly story: RunStory; readonly scale: TimeScale; readonly endMs: number };

const ticksMax = { wide: 9, narrow: 3 } as const;
const minuteMs = 60_000;

/** What the clock on the wall said, above everything else. */
export function TimeAxis({ story, scale, endMs }: Drawn): ReactNode {
  const { clock } = useBox().store;
  const most = ticksMax[useIsNarrow() ? "narrow" : "wide"];
  const fromMs = story.states[0]?.fromMs ?? endMs;
  const shiftMs = clock.toWallMs(endMs) - endMs;
  const { ticks, stepMs } = ticksOn(scale, { fromMs, toMs: endMs, shiftMs, most });
  return (
    <div className="tl-row tl-axis" aria-hidden="true">
      <span className="tl-label" />
      <span className="tl-track">
        {ticks.map(({ ms, at }) => (
          <span key={ms} className="tl-time" style={{ left: `${at}%` }}>
            {toClock(clock.toWallMs(ms)).slice(0, stepMs < minuteMs ? 8 : 5)}
          </span>
        ))}
      </span>
    </div>
  );
}

export const TimelineRows = memo(function TimelineRows({ story, scale, endMs }: Drawn): ReactNode {
  const ran = story.steps.filter(({ hasOutput, tool }) => hasOutput || commands.has(tool));
  const ranItself = story.own.filter(({ exit }) => exit !== null);
  const changed = story.steps.filter(({ paths }) => paths.length > 0);
  return (
    <>
      <Row label="State" count={null}>
        {story.states.map((stretch, at) => (
          <Bar
            key={`${stretch.of} ${stretch.fromMs} ${at}`}
            stretch={stretch}
            scale={scale}
            endMs={endMs}
            look={`st st-${stretch.of}`}
          >
            {signals[stretch.of].word}
          </Bar>
        ))}
        {scale.folds.map((fold) => (
          <i key={fold.fromMs} className="tl-fold" style={{ left: `${fold.at}%`, width: `${fold.width}%` }}>
            <span title={`${toSpan(fold.toMs - fold.fromMs)} in which nothing happened`}>
              {toSpan(fold.toMs - fold.fromMs)}
              <span className="tl-fold-word"> folded</span>
            </span>
          </i>
        ))}
      </Row>
      <Row label="Messages" count={story.said.length}>
        {story.said.map(({ seq, atMs, by, text, who }, at) => (
          <i
            key={`${seq} ${at}`}
            className={`tl-dot by-${by}`}
            style={{ left: `${scale.placeOf(atMs)}%` }}
            title={`${who === undefined ? speakers[by] : `${who}${by === "thought" ? " thinks" : ""}`}: ${text.slice(0, 200)}`}
          />
        ))}
      </Row>
      <Row label="Calls" count={story.steps.length + story.own.length}>
        {story.steps.map((step) => (
          <i
            key={step.call}
            className={step.ok === false ? "tl-tick bad" : "tl-tick"}
            style={{ left: `${scale.placeOf(step.endMs ?? step.fromMs)}%` }}
            title={titleOf(step, story.states.at(-1)?.of)}
          />
        ))}
        {story.own.map((call, at) => (
          <i
            key={`${call.call} ${at}`}
            className={call.ok === false ? "tl-tick bad" : "tl-tick"}
            style={{ left: `${scale.placeOf(call.endMs ?? call.fromMs)}%` }}
            title={titleOfOwn(call, story.states.at(-1)?.of)}
          />
        ))}
      </Row>
      <UnitRows story={story} scale={scale} endMs={endMs} />
      <Row label="Commands" count={ran.length + ranItself.length}>
        {ran.map((step) => (
          <Bar
            key={step.call}
            stretch={{ of: step.tool, fromMs: step.startedMs ?? step.fromMs, toMs: step.endMs }}
            scale={scale}
            endMs={endMs}
            look={step.ok === false ? "cmd bad" : "cmd"}
            title={titleOf(step, story.states.at(-1)?.of)}
          >
            {step.ok === false ? `✗ ${step.exit ?? ""}` : step.tool}
          </Bar>
        ))}
        {ranItself.map((call, at) => (
          <Bar
            key={`${call.call} ${at}`}
            stretch={{ of: call.tool, fromMs: call.fromMs, toMs: call.endMs }}
            scale={scale}
            endMs={endMs}
            look={call.ok === false ? "cmd bad" : "cmd"}
            title={titleOfOwn(call, story.states.at(-1)?.of)}
          >
            {call.ok === false ? `✗ ${call.exit ?? ""}` : call.tool}
          </Bar>
        ))}
      </Row>
      <CostRow story={story} scale={scale} />
      <Row label="Checkpoints" count={changed.length}>
        {changed.map((step) => (
          <i
            key={step.call}
            className="tl-diamond"
            style={{ left: `${scale.placeOf(step.endMs ?? step.fromMs)}%` }}
            title={`Step ${step.call} changed ${step.paths.join(", ").slice(0, 200)}`}
          />
        ))}
      </Row>
    </>
  );
});

/** Each answer of its model, as high as it was dear. */
function CostRow({ story: { paid }, scale }: Pick<Drawn, "story" | "scale">): ReactNode {
  const most = paid.reduce((dearest, { micros }) => Math.max(dearest, micros ?? 0), 1);
  const total = paid.reduce((sum, { micros }) => sum + (micros ?? 0), 0);
  return (
    <Row label="Cost" count={paid.length} sum={showDollars(total)}>
      {paid.map(({ seq, atMs, model, micros }) => (
        <i
          key={seq}
          className="tl-cost"
          style={{ left: `${scale.placeOf(atMs)}%`, height: `${Math.max(15, ((micros ?? 0) / most) * 80)}%` }}
          title={`${model}: ${micros === null ? "no price is known" : showDollars(micros)}`}
        />
      ))}
    </Row>
  );
}

/** What it held and waited for, the units of longest standing first; the others come when they are asked for. */
function UnitRows({ story, scale, endMs }: Drawn): ReactNode {
  const [shown, setShown] = useState(unitsAtFirst);
  const byUnit = Map.groupBy(
    [
      ...story.waited.map((stretch) => ({ ...stretch, waits: true })),
      ...story.held.map((stretch) => ({ ...stretch, waits: false })),
    ],
    ({ of }) => of,
  );
  const units = [...byUnit].slice(0, shown);
  const left = byUnit.size - units.length;
  const more =
    left > 0 ? (
      <MoreButton onClick={() => setShown(shown + unitsMore)}>
        {left > unitsMore ? `${unitsMore} of ${left} more` : `${left} more`}
      </MoreButton>
    ) : units.length > unitsAtFirst ? (
      <MoreButton onClick={() => setShown(unitsAtFirst)}>Fewer</MoreButton>
    ) : null;
  return (
    <Row label="Leases" count={byUnit.size} lines={Math.max(1, units.length)} more={more}>
      {units.map(([unit, stretches], line) => (
        <Fragment key={unit}>
          {stretches.map((stretch, at) => (
            <Bar
              key={`${stretch.fromMs} ${at}`}
              stretch={stretch}
              scale={scale}
              endMs={endMs}
              look={stretch.waits ? "waits" : "holds"}
              line={line}
              title={`${stretch.waits ? "waits for" : "holds"} ${unit}`}
            >
              {stretch.waits ? "" : toShortUnit(unit)}
            </Bar>
          ))}
        </Fragment>
      ))}
    </Row>
  );
}

function Row(props: {
  readonly label: string;
  readonly count: number | null;
  /** Said in the place of the count. */
  readonly sum?: string;
  readonly lines?: number;
  /** Below its name, where it has lines enough for that. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const { label, count, sum, lines = 1, more = null, children } = props;
  if (count === 0) return null;
  return (
    <div className="tl-row" style={{ height: `${lines * 18 + 4}px` }}>
      <span className="tl-label">
        {label}
        {count === null ? null : <em className="num">{sum ?? count}</em>}
        {more}
      </span>
      <span className="tl-track" aria-hidden="true">
        {children}
      </span>
    </div>
  );
}

/** A press on it is none on the time that is drawn beside it. */
function MoreButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }): ReactNode {
  return (
    <button
      type="button"
      className="text-button tl-more"
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {children}
      <span className="sr"> units</span>
    </button>
  );
}

function Bar(props: {
  readonly stretch: Stretch<string>;
  readonly scale: TimeScale;
  readonly endMs: number;
  readonly look: string;
  readonly line?: number;
  readonly title?: string;
  readonly children: ReactNode;
}): ReactNode {
  const { stretch, scale, endMs, look, line = 0, title, children } = props;
  const left = scale.placeOf(stretch.fromMs);
  const width = scale.placeOf(stretch.toMs ?? endMs) - left;
  return (
    <i
      className={`tl-bar ${look}`}
      // What has just begun is drawn too, and not beyond the end.
      style={{ left: `min(${left}%, 100% - 8px)`, width: `${Math.max(width, 0.15)}%`, top: `${line * 18 + 3}px` }}
      title={title}
    >
      <span className="tl-word">{children}</span>
    </i>
  );
}

function titleOfOwn({ tool, input, ok, exit, fromMs }: OwnCall, state: RunState | undefined): string {
  const end = outcomeOfStep({ ok, exit, startedMs: fromMs }, state).word;
  return `${tool}: ${input.slice(0, 200)} (${end})`;
}

function titleOf(step: RunStep, state: RunState | undefined): string {
  const end = outcomeOfStep(step, state).word;
  return `Step ${step.call}: ${step.tool} ${step.units.map(toShortUnit).join(", ")} (${end})`;
}
