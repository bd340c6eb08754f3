import { memo, type ReactNode, useMemo } from "react";
import { toMany } from "../../model/format.ts";
import type { LaneGroup } from "../../model/lanes.ts";
import { toLane } from "../../model/segments.ts";
import { toWires } from "../../model/wires.ts";
import { goTo } from "../../shell/address.ts";
import { useLaneNow } from "./axis.tsx";
import { AgentLane } from "./agent-lane.tsx";
import { drawnAtFirst, LaneRow } from "./lane-row.tsx";

const rowPx = 30;
const mainPx = 28;

type GroupProps = { readonly group: LaneGroup; readonly windowMs: number };

/** A project: its main line, a lane for each run that left it, and one for each agent without. Drawn again only when something of its own changed. */
export const TrackGroup = memo(function TrackGroup(props: GroupProps): ReactNode {
  const { group, windowMs } = props;
  const nowMs = useLaneNow(windowMs);
  const wires = useMemo(() => toWires(group.runs, rowPx, mainPx), [group.runs]);
  const landed = group.runs.filter((run) => run.state === "done");
  const height = mainPx + group.runs.length * rowPx;
  return (
    <section className="group" aria-label={group.name}>
      <div className="lane mainline">
        <h3 className="lane-title">
          <span className="lane-name" title={group.name}>
            {group.name}
          </span>
        </h3>
        <span className="lane-track" aria-hidden="true">
          <i className="seg seg-main" />
          {landed.map((run) => {
            const { end } = toLane(run, [], nowMs, windowMs);
            return end === undefined ? null : <i key={run.id} className="joint" style={{ left: `${end}%` }} />;
          })}
        </span>
        <span className="lane-gutter" />
        <span className="lane-state">
          {group.runs.length === 0 ? toMany(group.agents.length, "agent") : toMany(group.runs.length, "run")}
        </span>
        <span className="lane-words">
          <LeftOff count={group.left} />
        </span>
      </div>
      <ul>
        {group.runs.map((run, at) => (
          <LaneRow key={run.id} run={run} at={at} windowMs={windowMs} />
        ))}
        {group.agents.map((agent, at) => (
          <AgentLane
            key={agent.id}
            agent={agent}
            isNearAtFirst={group.runs.length + at < drawnAtFirst}
            windowMs={windowMs}
          />
        ))}
      </ul>
      {wires.length === 0 ? null : (
        <div className="lane wire-layer" aria-hidden="true">
          <svg className="wires" width="44" height={height}>
            {wires.map(({ path, arrow }) => (
              <g key={path}>
                <path className="wire" d={path} />
                <path className="wire-end" d={arrow} />
              </g>
            ))}
          </svg>
        </div>
      )}
    </section>
  );
}, isSameGroup);

/** The groups are made anew with every change of any run; most of them come out as they were. */
function isSameGroup(a: GroupProps, b: GroupProps): boolean {
  const [old, fresh] = [a.group, b.group];
  return (
    a.windowMs === b.windowMs &&
    old.name === fresh.name &&
    old.left === fresh.left &&
    old.runs.length === fresh.runs.length &&
    old.runs.every((run, at) => run === fresh.runs[at]) &&
    old.agents.length === fresh.agents.length &&
    old.agents.every((agent, at) => agent === fresh.agents[at])
  );
}

/** Ended runs beyond the newest few: one click away, and not between those that move. */
function LeftOff({ count }: { readonly count: number }): ReactNode {
  if (count === 0) return null;
  return (
    <button type="button" className="text-button" onClick={() => goTo({ tone: "rest" }, "replace")}>
      and {count} more that ended
    </button>
  );
}
