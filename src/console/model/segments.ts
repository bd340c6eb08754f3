// A lane's drawing: from left to right the states that a run has been in, as parts of a window of time that ends now.

import type { Run, RunState } from "../../protocol/wire/run.ts";
import type { Leg } from "../live/tracks.ts";
import { isOver, isStuck } from "./signals.ts";

/** What a stretch of a lane shows: a state, or that nothing came of it. */
export type LaneState = RunState | "stuck";

export type Segment = {
  /** Undefined for a stretch that the page has no events of. */
  readonly state: LaneState | undefined;
  /** In percent of the window. */
  readonly left: number;
  readonly width: number;
};

export type Lane = {
  readonly segments: readonly Segment[];
  /** Where it left the main line, if that is inside the window. */
  readonly turnout: number | undefined;
  /** Where it ended, if it did. */
  readonly end: number | undefined;
};

const minuteMs = 60_000;
const windows = [0.5, 1, 2, 5, 15, 30, 60, 120, 360, 720, 1440].map((minutes) => minutes * minuteMs);

/** Since when most of those at work have been there; the few oldest have been there for longer. Null where nobody is. */
export function sinceMost(runs: readonly Run[]): number | null {
  const since = runs.filter((run) => !isOver(run.state)).map((run) => run.submittedAtMs);
  return since.toSorted((a, b) => b - a)[Math.floor(since.length * 0.8)] ?? null;
}

/** The shortest window that reaches back to then. */
export function chooseWindow(sinceMs: number | null, nowMs: number): number {
  const wanted = sinceMs === null ? 0 : nowMs - sinceMs;
  return windows.find((window) => window >= wanted * 1.05) ?? 1440 * minuteMs;
}

/** A few round instants of the window, oldest first, each with its place in percent. */
export function toTicks(windowMs: number, nowWallMs: number): { readonly wallMs: number; readonly at: number }[] {
  const steps = [0.25, 0.5, 1, 2, 5, 10, 20, 60, 120, 240].map((minutes) => minutes * minuteMs);
  const stepMs = steps.find((step) => windowMs / step <= 3) ?? 480 * minuteMs;
  const offsetMs = new Date(nowWallMs).getTimezoneOffset() * minuteMs;
  const ticks = [];
  for (let wallMs = Math.floor((nowWallMs - offsetMs) / stepMs) * stepMs + offsetMs; ; wallMs -= stepMs) {
    const at = placeOf(wallMs, nowWallMs, windowMs);
    if (at < 12) return ticks.toReversed();
    if (at < 80) ticks.push({ wallMs, at });
  }
}

export function toLane(run: Run, legs: readonly Leg[], nowMs: number, windowMs: number): Lane {
  const points = toPoints(run, legs);
  const endMs = isOver(run.state) ? (run.endedAtMs ?? run.sinceMs) : nowMs;
  const segments = points.flatMap((point, at): Segment[] => {
    const untilMs = Math.min(points[at + 1]?.fromMs ?? endMs, endMs);
    const left = Math.max(0, placeOf(point.fromMs, nowMs, windowMs));
    const right = Math.min(100, placeOf(untilMs, nowMs, windowMs));
    return right <= left ? [] : [{ state: point.state, left, width: right - left }];
  });
  const start = placeOf(run.submittedAtMs, nowMs, windowMs);
  // The clock of lanes stands for a second at a time, and nothing ended after now.
  const end = isOver(run.state) ? Math.min(100, placeOf(endMs, nowMs, windowMs)) : undefined;
  return { segments, turnout: start > 0 ? start : undefined, end: end !== undefined && end > 0 ? end : undefined };
}

/** From an instant until now, as far as the window reaches. */
export function toStretch(
  fromMs: number,
  nowMs: number,
  windowMs: number,
): { readonly left: string; readonly width: string } {
  const left = Math.max(0, Math.min(100, placeOf(fromMs, nowMs, windowMs)));
  return { left: `${left}%`, width: `${100 - left}%` };
}

type Point = { readonly state: LaneState | undefined; readonly fromMs: number };

/** The known legs, with a stretch of unknown before them where the page came too late. */
function toPoints(run: Run, legs: readonly Leg[]): Point[] {
  const points: Point[] = [...legs];
  const last = legs.at(-1);
  // The run as the daemon showed it is never older than what we folded: its own word on its present state counts.
  if (last === undefined || (last.state !== run.state && run.sinceMs >= last.fromMs)) {
    points.push({ state: run.state, fromMs: run.sinceMs });
  }
  if (isStuck(run)) points.push({ state: "stuck", fromMs: Math.max(run.stuck?.atMs ?? 0, run.sinceMs) });
  const first = points[0];
  if (first !== undefined && first.fromMs > run.submittedAtMs) {
    points.unshift({ state: undefined, fromMs: run.submittedAtMs });
  }
  return points;
}

function placeOf(ms: number, nowMs: number, windowMs: number): number {
  return 100 * (1 - (nowMs - ms) / windowMs);
}
