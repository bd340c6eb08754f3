import { type KeyboardEvent, type ReactNode, useMemo } from "react";
import { useClock, useLive } from "../../live/live-context.tsx";
import { toCount, toMany } from "../../model/format.ts";
import { inOrder, type LaneGroup, toLaneGroups } from "../../model/lanes.ts";
import { chooseWindow, sinceMost } from "../../model/segments.ts";
import { tiles } from "../../model/signals.ts";
import { Button } from "../../parts/button.tsx";
import { Key } from "../../parts/key.tsx";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { useShown } from "../../parts/use-shown.ts";
import { goTo, useAddress } from "../../shell/address.ts";
import { useProjectId } from "../use-shown-runs.ts";
import { Axis } from "./axis.tsx";
import { Legend } from "./legend.tsx";
import { Levers } from "./levers.tsx";
import { TrackGroup } from "./track-group.tsx";
import "./tracks.css";

const stepRows = 100;

export function TracksPanel(): ReactNode {
  const { tone, find } = useAddress();
  const project = useProjectId();
  const runs = useLive((state) => state.runs);
  const agents = useLive((state) => state.agents);
  const projects = useLive((state) => state.projects);
  const totals = useLive((state) => state.totals);
  const [rowsMax, showMore] = useShown("tracks", stepRows);
  const inTurn = useMemo(() => inOrder(agents.values()), [agents]);
  const groups = useMemo(
    () => toLaneGroups({ runs: runs.values(), agents: inTurn }, projects, { project, tone, find }),
    [runs, inTurn, projects, project, tone, find],
  );
  const count = groups.reduce((sum, group) => sum + group.runs.length, 0);
  const lone = groups.reduce((sum, group) => sum + group.agents.length, 0);
  const most = Math.max(count, lone);
  const shown = useMemo(() => cutTo(groups, rowsMax), [groups, rowsMax]);
  const since = useMemo(() => sinceMost(groups.flatMap((group) => group.runs)), [groups]);
  const windowMs = useClock((clock) => chooseWindow(since, clock.now()));
  const isFiltered = tone !== null || find !== "";
  return (
    <Panel
      name="tracks"
      title="Tracks"
      meta={`${toMany(count, "run")}${totals.active > runs.size ? ` of ${toCount(totals.active)}` : ""}${lone === 0 ? "" : `, ${toMany(lone, "agent")} without a run`}`}
      end={
        isFiltered ? (
          <Filter tone={tone} find={find} />
        ) : (
          <>
            <Legend />
            <Key>J</Key>
            <Key>K</Key>
          </>
        )
      }
    >
      {most === 0 ? (
        <Nothing isFiltered={isFiltered} />
      ) : (
        <>
          <div
            className="tracks-scroll"
            tabIndex={0}
            role="group"
            aria-label="Runs and agents by project; arrow keys go from one to the next"
            onKeyDown={stepByArrow}
          >
            <Axis windowMs={windowMs} />
            {shown.map((group) => (
              <TrackGroup key={group.project} group={group} windowMs={windowMs} />
            ))}
            {most > rowsMax ? (
              <div className="more-row">
                <Button size="small" onClick={showMore}>
                  {`Show ${Math.min(stepRows, most - rowsMax)} more`}
                </Button>
                <span>
                  {toCount(rowsMax)} of {toCount(most)} shown
                </span>
              </div>
            ) : null}
          </div>
          <Levers />
        </>
      )}
    </Panel>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  const isPast = useLive((state) => state.link.is === "past");
  if (isFiltered) return <Quiet title="No run matches">Press 0 or clear the search to see all.</Quiet>;
  if (isPast) return <Quiet title="Nothing ran then">The slider above leads on to when something did.</Quiet>;
  return <Quiet title="Nothing runs">A run shows here as soon as it is submitted.</Quiet>;
}

function Filter({ tone, find }: { readonly tone: string | null; readonly find: string }): ReactNode {
  const label = tiles.find((tile) => tile.tone === tone)?.label;
  return (
    <Button size="small" icon="close" hotkey="0" onClick={() => goTo({ tone: null, find: "" }, "replace")}>
      {[label === undefined ? "" : `only ${label.toLowerCase()}`, find === "" ? "" : `with “${find}”`]
        .filter((text) => text !== "")
        .join(", ")}
    </Button>
  );
}

/** Arrows go from row to row, as J and K do from anywhere. */
function stepByArrow(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-lane]")];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = at < 0 ? rows[0] : rows[at + by];
  next?.focus();
}

/** The first rows of the groups, so many runs in all, and as many agents: one must not push the others off the page. */
function cutTo(groups: readonly LaneGroup[], rowsMax: number): LaneGroup[] {
  let left = rowsMax;
  let leftAgents = rowsMax;
  return groups.flatMap((group) => {
    const runs = group.runs.slice(0, left);
    const agents = group.agents.slice(0, leftAgents);
    left -= runs.length;
    leftAgents -= agents.length;
    return runs.length + agents.length === 0 ? [] : [{ ...group, runs, agents }];
  });
}
