// Where each run has been: the states it passed through, folded from its events. A lane is drawn from this.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { RunState } from "../../protocol/wire/run.ts";
import { isOver, isRunState } from "../model/signals.ts";
import { textIn } from "./event-fields.ts";

export type Leg = { readonly state: RunState; readonly fromMs: number };
export type Tracks = ReadonlyMap<string, readonly Leg[]>;

/** Types that the fold understands; the log is asked for these alone. */
export const trackTypes = ["run.submitted", "run.moved"];

/** A run that goes to and fro for days keeps its newest legs only. */
const legsMax = 64;

export function evolveTracks(tracks: Tracks, events: readonly LogEvent[]): Tracks {
  let next: Map<string, readonly Leg[]> | undefined;
  for (const event of events) {
    const run = textIn(event, "run");
    const state = stateAfter(event);
    if (run === undefined || state === undefined) continue;
    next ??= new Map(tracks);
    const legs = next.get(run) ?? [];
    const last = legs.at(-1);
    if (last !== undefined && last.fromMs > event.atMs) continue;
    next.set(run, [...legs, { state, fromMs: event.atMs }].slice(-legsMax));
  }
  return next ?? tracks;
}

/** Forgets runs that are over and not shown any more, so that a page left open for weeks does not grow. */
export function pruneTracks(tracks: Tracks, isShown: (run: string) => boolean): Tracks {
  const kept = [...tracks].filter(([run, legs]) => isShown(run) || !isOver(legs.at(-1)?.state ?? "done"));
  return kept.length === tracks.size ? tracks : new Map(kept);
}

function stateAfter(event: LogEvent): RunState | undefined {
  if (event.type === "run.submitted") return "queued";
  if (event.type !== "run.moved") return undefined;
  const to = textIn(event, "to");
  return to !== undefined && isRunState(to) ? to : undefined;
}
