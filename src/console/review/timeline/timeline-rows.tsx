import { Fragment, memo, type ReactNode } from "react";
import { showDollars } from "../../../protocol/dollars.ts";
import type { DrawnStory, Mark, RunStory } from "../../../protocol/wire/story.ts";
import { useBox } from "../../live/live-context.tsx";
import { toClock, toCount, toMany, toSpan } from "../../model/format.ts";
import { signals } from "../../model/signals.ts";
import { ticksOn, type TimeScale } from "../../model/time-scale.ts";
import { toShortUnit } from "../../model/units.ts";
import { toVisible } from "../../model/visible-text.ts";
import { useIsNarrow } from "../../parts/use-is-narrow.ts";
import { unitsAtFirst } from "../use-run-story.ts";

const unitsMore = 40;
/** As many as one answer has. */
const unitsMax = 1000;

const speakers: Readonly<Record<string, string>> = { run: "It", thought: "It thinks", person: "You" };

type Scaled = { readonly story: RunStory; readonly scale: TimeScale; readonly endMs: number };
type Drawn = Scaled & { readonly drawn: DrawnStory; readonly showUnits: (count: number) => void };

const ticksMax = { wide: 9, narrow: 3 } as const;
const minuteMs = 60_000;

/** What the clock on the wall said, above everything else. */
export function TimeAxis({ story, scale, endMs }: Scaled): ReactNode {
  const { clock } = useBox().store;
  const most = ticksMax[useIsNarrow() ? "narrow" : "wide"];
  const fromMs = story.fromMs ?? endMs;
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

export const TimelineRows = memo(function TimelineRows(props: Drawn): ReactNode {
  const { story, drawn, scale, endMs } = props;
  const { counts } = story;
  return (
    <>
      <Row label="State" count={null}>
        {drawn.states.map((stretch, at) => (
          <Bar
            key={`${stretch.of} ${stretch.fromMs} ${at}`}
            stretch={stretch}
            scale={scale}
            endMs={endMs}
            look={`st st-${stretch.of}`}
            title={
              stretch.count > 1 ? `${toCount(stretch.count)} states, mostly ${signals[stretch.of].word}` : undefined
            }
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
      <Row label="Messages" count={counts.said}>
        {drawn.said.map((mark, at) => (
          <i
            key={at}
            className={`tl-dot by-${mark.kind}`}
            style={{ left: `${scale.placeOf(mark.fromMs)}%` }}
            title={titleOf(mark, "message", () => `${speakers[mark.kind] ?? mark.kind}: ${mark.text}`)}
          />
        ))}
      </Row>
      <Row label="Calls" count={counts.steps + counts.own}>
        {drawn.calls.map((mark, at) => (
          <Fragment key={at}>
            <i
              className={mark.bad === mark.count ? "tl-tick bad" : "tl-tick"}
              style={placeOf(mark, scale)}
              title={titleOf(mark, "call", () => aboutCall(mark))}
            />
            {mark.bad > 0 && mark.bad < mark.count ? (
              <i
                className="tl-tick bad"
                style={{ left: `${scale.placeOf(mark.fromMs)}%` }}
                title={titleOf(mark, "call", () => "")}
              />
            ) : null}
          </Fragment>
        ))}
      </Row>
      <UnitRows {...props} />
      <Row label="Commands" count={counts.commands}>
        {drawn.commands.map((mark, at) => (
          <Bar
            key={at}
            stretch={mark}
            scale={scale}
            endMs={endMs}
            look={mark.bad > 0 ? "cmd bad" : "cmd"}
            title={titleOf(mark, "command", () => aboutCall(mark))}
          >
            {mark.bad > 0 ? `✗ ${toVisible(mark.kind)}` : toVisible(mark.kind)}
          </Bar>
        ))}
      </Row>
      <CostRow story={story} paid={drawn.paid} scale={scale} />
      <Row label="Checkpoints" count={counts.changed}>
        {drawn.changed.map((mark, at) => (
          <i
            key={at}
            className="tl-diamond"
            style={{ left: `${scale.placeOf(mark.fromMs)}%` }}
            title={titleOf(mark, "checkpoint", () => `Step ${mark.step} changed ${toVisible(mark.text)}`)}
          />
        ))}
      </Row>
    </>
  );
});

/** The answers of its model, each as high as it was dear. */
function CostRow(props: {
  readonly story: RunStory;
  readonly paid: readonly Mark[];
  readonly scale: TimeScale;
}): ReactNode {
  const { story, paid, scale } = props;
  const most = paid.reduce((dearest, { micros }) => Math.max(dearest, micros), 1);
  return (
    <Row label="Cost" count={story.spend.requests} sum={showDollars(story.spend.costMicros)}>
      {paid.map((mark, at) => (
        <i
          key={at}
          className="tl-cost"
          style={{ left: `${scale.placeOf(mark.fromMs)}%`, height: `${Math.max(15, (mark.micros / most) * 80)}%` }}
          title={`${titleOf(mark, "request", () => toVisible(mark.kind))}: ${mark.text === "" ? showDollars(mark.micros) : mark.text}`}
        />
      ))}
    </Row>
  );
}

/** What it held and waited for, the units of longest standing first; the others come when they are asked for. */
function UnitRows({ story, drawn, scale, endMs, showUnits }: Drawn): ReactNode {
  const { units } = drawn;
  const left = story.counts.units - units.length;
  const more =
    left > 0 ? (
      <MoreButton onClick={() => showUnits(Math.min(unitsMax, units.length + unitsMore))}>
        {left > unitsMore ? `${unitsMore} of ${left} more` : `${left} more`}
      </MoreButton>
    ) : units.length > unitsAtFirst ? (
      <MoreButton onClick={() => showUnits(unitsAtFirst)}>Fewer</MoreButton>
    ) : null;
  return (
    <Row label="Leases" count={story.counts.units} lines={Math.max(1, units.length)} more={more}>
      {units.map(({ unit, stretches }, line) => (
        <Fragment key={unit}>
          {stretches.map((stretch, at) => (
            <Bar
              key={`${stretch.fromMs} ${at}`}
              stretch={stretch}
              scale={scale}
              endMs={endMs}
              look={stretch.waits ? "waits" : "holds"}
              line={line}
              title={`${stretch.waits ? "waits for" : "holds"} ${toVisible(unit)}${stretch.count > 1 ? `, ${stretch.count} times` : ""}`}
            >
              {stretch.waits ? "" : toVisible(toShortUnit(unit))}
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
        {count === null ? null : <em className="num">{sum ?? toCount(count)}</em>}
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
  readonly stretch: { readonly fromMs: number; readonly toMs: number | null };
  readonly scale: TimeScale;
  readonly endMs: number;
  readonly look: string;
  readonly line?: number;
  readonly title?: string | undefined;
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

/** One is told about as it is; of many how many there are. */
function titleOf({ count, bad, step }: Mark, what: string, about: () => string): string {
  if (count === 1) return about();
  const parts = [toMany(count, what), ...(bad > 0 ? [`${toCount(bad)} failed`] : [])];
  return `${parts.join(", ")}${step === null ? "" : `, from step ${step} on`}`;
}

function aboutCall({ step, kind, text }: Mark): string {
  const about = `${kind}${text === "" ? "" : ` ${text}`}`;
  return toVisible(step === null ? about : `Step ${step}: ${about}`);
}

/** Many are as wide as the time in which they happened; the style sheet says how narrow a mark may be. */
function placeOf({ fromMs, toMs }: Mark, scale: TimeScale): { readonly left: string; readonly width?: string } {
  const left = scale.placeOf(fromMs);
  return { left: `${left}%`, ...(toMs !== null && toMs > fromMs ? { width: `${scale.placeOf(toMs) - left}%` } : {}) };
}
