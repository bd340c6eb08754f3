// The places of the console and what each counts.

import { useMemo } from "react";
import { useInbox } from "../inbox/inbox-context.tsx";
import { useLive } from "../live/live-context.tsx";
import { agentSignals } from "../model/agent-signals.ts";
import type { Tone } from "../model/signals.ts";
import type { IconName } from "../parts/icon-shapes.tsx";
import type { Address, Place } from "./address.ts";

export type LinkedPlace = Exclude<Place, "run" | "new-run" | "agent" | "section">;

export const placeLinks: readonly { readonly to: LinkedPlace; readonly label: string; readonly icon: IconName }[] = [
  { to: "overview", label: "Overview", icon: "overview" },
  { to: "inbox", label: "Inbox", icon: "inbox" },
  { to: "runs", label: "Runs", icon: "runs" },
  { to: "agents", label: "Agents", icon: "agents" },
  { to: "locks", label: "Locks", icon: "locks" },
  { to: "landing", label: "Landing", icon: "landing" },
  { to: "events", label: "Events", icon: "events" },
  { to: "settings", label: "Settings", icon: "settings" },
];

/** A place by its link: what was looked at elsewhere, such as the file of a review, means something else there. */
export function toPlace(place: LinkedPlace): Partial<Address> {
  return { place, run: null, file: null, of: null, unit: null, units: null, waits: null, span: null, folded: [] };
}

type PlaceCount = {
  readonly count: number;
  readonly tone: Tone;
  readonly what: string;
  /** Beside the number, where it counts something else than the number of the same place does otherwise. */
  readonly icon?: IconName;
};

/** The place that is marked while one is at a place: a run's page belongs to the runs, an agent's to the agents. */
export function linkOf(place: Place): LinkedPlace {
  if (place === "agent") return "agents";
  if (place === "section") return "settings";
  return place === "run" || place === "new-run" ? "runs" : place;
}

export function usePlaceCounts(): Readonly<Record<LinkedPlace, PlaceCount>> {
  const runs = useLive((state) => state.runs);
  const queue = useLive((state) => state.locks.queue);
  const active = useLive((state) => state.totals.active);
  const agents = useLive((state) => state.agents);
  const { items } = useInbox();
  return useMemo(() => {
    let landing = 0;
    for (const run of runs.values()) {
      if (run.state === "landing") landing += 1;
    }
    let broken = 0;
    for (const agent of agents.values()) if (agent.state === "error") broken += 1;
    return {
      overview: { count: 0, tone: "rest", what: "" },
      inbox: { count: items.length, tone: "you", what: "need you" },
      runs: { count: active, tone: "rest", what: "active" },
      agents:
        broken > 0
          ? { count: broken, tone: "stop", what: "in error", icon: agentSignals.error.icon }
          : { count: agents.size, tone: "rest", what: "agents" },
      landing: { count: landing, tone: "go", what: "landing" },
      locks: { count: queue.length, tone: "wait", what: "waiting claims" },
      events: { count: 0, tone: "rest", what: "" },
      settings: { count: 0, tone: "rest", what: "" },
    };
  }, [runs, queue, active, agents, items]);
}
