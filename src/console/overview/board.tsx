import type { ReactNode } from "react";
import { useAddress } from "../shell/address.ts";
import { EventsPanel } from "./events/events-panel.tsx";
import { Gantry } from "./gantry.tsx";
import { LocksPanel } from "./locks/locks-panel.tsx";
import { WaitsPanel } from "./locks/waits-panel.tsx";
import { NeedsPanel } from "./needs/needs-panel.tsx";
import { TracksPanel } from "./tracks/tracks-panel.tsx";
import { useRunKeys } from "./use-run-keys.ts";
import "./board.css";

/** All panels at once; the other places show some of them larger. */
export function Board(): ReactNode {
  const { place } = useAddress();
  useRunKeys();
  if (place === "locks") {
    return (
      <div className="board locks-place">
        <LocksPanel />
        <WaitsPanel />
      </div>
    );
  }
  return (
    <div className="board overview-place">
      <Gantry />
      <div className="board-left">
        <NeedsPanel />
        <EventsPanel />
      </div>
      <div className="board-right">
        <TracksPanel />
        <div className="board-bottom">
          <LocksPanel />
          <WaitsPanel />
        </div>
      </div>
    </div>
  );
}
