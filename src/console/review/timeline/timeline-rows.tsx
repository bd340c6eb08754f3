import { Fragment, memo, type ReactNode } from "react";
import { toSpan } from "../../model/format.ts";
import type { RunStep, RunStory, Stretch } from "../../model/run-story.ts";
import { signals } from "../../model/signals.ts";
import type { TimeScale } from "../../model/time-scale.ts";
import { toShortUnit } from "../../model/units.ts";

const unitsMax = 4;
const commands: ReadonlySet<string> = new Set(["run", "process"]);

type Drawn = { readonly story: RunStory; readonly scale: TimeScale; readonly endMs: number };

export const TimelineRows = memo(function TimelineRows({ story, scale, endMs }: Drawn): ReactNode {
  const ran = story.steps.filter(({ hasOutput, tool }) => hasOutput || commands.has(tool));
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
        {story.said.map(({ seq, atMs, by, text }) => (
          <i
            key={seq}
            className={`tl-dot by-${by}`}
            style={{ left: `${scale.placeOf(atMs)}%` }}
            title={`${by === "run" ? "It" : "You"}: ${text.slice(0, 200)}`}
          />
        ))}
      </Row>
      <Row label="Calls" count={story.steps.length}>
        {story.steps.map((step) => (
          <i
            key={step.call}
            className={step.ok === false ? "tl-tick bad" : "tl-tick"}
            style={{ left: `${scale.placeOf(step.endMs ?? step.fromMs)}%` }}
            title={titleOf(step)}
          />
        ))}
      </Row>
      <UnitRows story={story} scale={scale} endMs={endMs} />
      <Row label="Commands" count={ran.length}>
        {ran.map((step) => (
          <Bar
            key={step.call}
            stretch={{ of: step.tool, fromMs: step.startedMs ?? step.fromMs, toMs: step.endMs }}
            scale={scale}
            endMs={endMs}
            look={step.ok === false ? "cmd bad" : "cmd"}
            title={titleOf(step)}
          >
            {step.ok === false ? `✗ ${step.exit ?? ""}` : step.tool}
          </Bar>
        ))}
      </Row>
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

/** What it held and waited for, the units of longest standing; the others are counted. */
function UnitRows({ story, scale, endMs }: Drawn): ReactNode {
  const byUnit = Map.groupBy(
    [
      ...story.waited.map((stretch) => ({ ...stretch, waits: true })),
      ...story.held.map((stretch) => ({ ...stretch, waits: false })),
    ],
    ({ of }) => of,
  );
  const units = [...byUnit].slice(0, unitsMax);
  return (
    <Row label="Leases" count={byUnit.size} lines={Math.max(1, units.length)}>
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
  readonly lines?: number;
  readonly children: ReactNode;
}): ReactNode {
  const { label, count, lines = 1, children } = props;
  if (count === 0) return null;
  return (
    <div className="tl-row" style={{ height: `${lines * 18 + 4}px` }}>
      <span className="tl-label">
        {label}
        {count === null ? null : <em className="num">{count}</em>}
      </span>
      <span className="tl-track" aria-hidden="true">
        {children}
      </span>
    </div>
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

function titleOf(step: RunStep): string {
  const end = step.ok === null ? "under way" : step.ok ? "done" : `failed${step.exit === null ? "" : `, ${step.exit}`}`;
  return `Step ${step.call}: ${step.tool} ${step.units.map(toShortUnit).join(", ")} (${end})`;
}
