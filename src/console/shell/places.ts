// The places of the console and what each counts.

import { useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import { signals, type Tone } from "../model/signals.ts";
import type { IconName } from "../parts/icon-shapes.tsx";
import type { Place } from "./address.ts";

export const placeLinks: readonly { readonly to: Place; readonly label: string; readonly icon: IconName }[] = [
  { to: "overview", label: "Overview", icon: "overview" },
  { to: "locks", label: "Locks", icon: "locks" },
  { to: "events", label: "Events", icon: "events" },
];

type PlaceCount = { readonly count: number; readonly tone: Tone; readonly what: string };

export function usePlaceCounts(): Readonly<Record<Place, PlaceCount>> {
  const runs = useLive((state) => state.runs);
  const queue = useLive((state) => state.locks.queue);
  return useMemo(() => {
    let needs = 0;
    for (const run of runs.values()) if (signals[run.state].tone === "you") needs += 1;
    return {
      overview: { count: needs, tone: "you", what: "need you" },
      locks: { count: queue.length, tone: "wait", what: "waiting claims" },
      events: { count: 0, tone: "rest", what: "" },
    };
  }, [runs, queue]);
}
