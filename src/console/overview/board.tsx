import type { ReactNode } from "react";
import { EventsPanel } from "./events/events-panel.tsx";
import { Gantry } from "./gantry.tsx";
import { LocksPanel } from "./locks/locks-panel.tsx";
import { WaitsPanel } from "./locks/waits-panel.tsx";
import { NeedsPanel } from "./needs/needs-panel.tsx";
import { TracksPanel } from "./tracks/tracks-panel.tsx";
import { useRunKeys } from "./use-run-keys.ts";
import { useProjectId } from "./use-shown-runs.ts";
import { Vitals } from "./vitals/vitals.tsx";
import "./board.css";

/** All panels at once. */
export function Board(): ReactNode {
  const project = useProjectId();
  useRunKeys();
  return (
    <div className="board overview-place">
      <Gantry />
      <Vitals />
      <div className="board-left">
        <NeedsPanel />
        <EventsPanel />
      </div>
      <div className="board-right">
        <TracksPanel />
        <div className="board-bottom">
          <LocksPanel />
          <WaitsPanel name="waits" project={project} />
        </div>
      </div>
    </div>
  );
}
