import { memo, type ReactNode, useMemo, useRef } from "react";
import type { Run } from "../../../protocol/wire/run.ts";
import { useLive } from "../../live/live-context.tsx";
import { toLane } from "../../model/segments.ts";
import { isStuck, signalOf } from "../../model/signals.ts";
import { Icon } from "../../parts/icon.tsx";
import { Priority } from "../../parts/priority.tsx";
import { StateWord } from "../../parts/state-word.tsx";
import { Since } from "../../parts/times.tsx";
import { useNearSight } from "../../parts/use-near-sight.ts";
import { goTo, toHref, useAddress } from "../../shell/address.ts";
import { isPlainClick } from "../../shell/link.tsx";
import { useSelection } from "../../shell/selection.tsx";
import { useLaneNow } from "./axis.tsx";
import { RunWords } from "./run-words.tsx";

/** Rows of a group that are drawn whole before anybody has looked where they are. */
export const drawnAtFirst = 12;

/** One run: its name, its line through time, the signal at its head, its state, and what it holds or waits for. */
export const LaneRow = memo(function LaneRow(props: {
  readonly run: Run;
  readonly at: number;
  readonly windowMs: number;
}): ReactNode {
  const { run, at, windowMs } = props;
  const { selected, select } = useSelection();
  const address = useAddress();
  const row = useRef<HTMLAnchorElement>(null);
  const isNear = useNearSight(row, at < drawnAtFirst);
  return (
    <li>
      <a
        ref={row}
        className="lane run-lane"
        href={toHref({ ...address, run: run.id })}
        data-lane
        data-run={run.id}
        data-state={run.state}
        data-stuck={isStuck(run) ? "" : undefined}
        aria-current={selected === run.id}
        // One stop for Tab; J, K and the arrows go from row to row.
        tabIndex={selected === run.id ? 0 : -1}
        onFocus={() => select(run.id)}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          select(run.id);
          goTo({ run: run.id });
        }}
      >
        <span className="lane-title">
          <Priority value={run.priority} />
          <span className="lane-name" title={run.title}>
            {run.title}
          </span>
          <Tags tags={run.tags} />
          {run.agent === null ? null : (
            <span className="lane-agent" title={`in agent ${run.agent}`}>
              <Icon name="agents" />
              <span className="sr">in agent </span>
              {run.agent}
            </span>
          )}
          <span className="lane-id">{run.id}</span>
        </span>
        {isNear ? <LaneBody run={run} windowMs={windowMs} /> : null}
      </a>
    </li>
  );
});

/** What moves of a lane. It is there only while somebody could see it. */
function LaneBody({ run, windowMs }: { readonly run: Run; readonly windowMs: number }): ReactNode {
  return (
    <>
      <Track run={run} windowMs={windowMs} />
      <span className="lane-gutter" />
      <span className="lane-state">
        <StateWord state={run.state} stuck={run.stuck} />
        <Since atMs={run.sinceMs} />
      </span>
      <span className="lane-words">
        <RunWords run={run} />
      </span>
    </>
  );
}

function Track({ run, windowMs }: { readonly run: Run; readonly windowMs: number }): ReactNode {
  const nowMs = useLaneNow(windowMs);
  const legs = useLive((state) => state.tracks.get(run.id));
  const lane = useMemo(() => toLane(run, legs ?? [], nowMs, windowMs), [run, legs, nowMs, windowMs]);
  const { icon, tone, over } = signalOf(run);
  const headAt = over ? (lane.end ?? 0) : 100;
  return (
    <span className="lane-track" aria-hidden="true">
      {lane.turnout === undefined ? null : (
        <svg className="turnout" viewBox="0 0 12 15" style={{ left: `calc(${lane.turnout}% - 12px)` }}>
          <path d="M1 0 12 15" />
        </svg>
      )}
      {lane.segments.map(({ state, left, width }) => (
        <i
          key={`${state} ${left}`}
          className={`seg seg-${state ?? "unknown"}`}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      ))}
      <span className={`head a-${tone}`} style={{ left: `${headAt}%` }}>
        <Icon name={icon} />
      </span>
    </span>
  );
}

function Tags({ tags }: { readonly tags: readonly string[] }): ReactNode {
  const [first, ...rest] = tags;
  if (first === undefined) return null;
  return (
    <span className="tags" title={tags.join(", ")}>
      <span className="sr">tagged </span>
      <span className="tag">{first}</span>
      {rest.length === 0 ? null : <span className="tag-more">+{rest.length}</span>}
    </span>
  );
}
