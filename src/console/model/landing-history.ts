// What has become of landings, read off the log: landed, sent back with both sides, sent back by the test, and what people
// committed themselves.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { textIn, textsIn } from "../live/event-fields.ts";

export type LandingRow = {
  readonly seq: number;
  readonly atMs: number;
  readonly how: "landed" | "conflict" | "back" | "by-hand";
  readonly run: string | null;
  readonly project: string | null;
  readonly commit: string | null;
  readonly paths: readonly string[];
  /** Paths that were merged with somebody else's newer work. */
  readonly merged: readonly string[];
  readonly tested: string | null;
  readonly because: string | null;
};

/** Types that the fold understands; the log is asked for these alone. */
export const landingTypes = ["run.landed", "run.conflicted", "run.moved", "mainline.moved"];

/** Rows of events, in the order in which these come. */
export function toLandingRows(events: readonly LogEvent[]): LandingRow[] {
  return events.flatMap((event): LandingRow[] => {
    if (!landingTypes.includes(event.type)) return [];
    const row = {
      seq: event.seq,
      atMs: event.atMs,
      run: textIn(event, "run") ?? null,
      project: textIn(event, "project") ?? null,
      commit: textIn(event, "commit") ?? textIn(event, "to") ?? null,
      paths: pathsIn(event, "entries"),
      merged: textsIn(event, "merged"),
      tested: textIn(event, "tested") ?? null,
      because: textIn(event, "because") ?? null,
    };
    if (event.type === "run.landed") return [{ ...row, how: "landed" }];
    if (event.type === "mainline.moved") return [{ ...row, how: "by-hand" }];
    if (event.type === "run.conflicted")
      return [{ ...row, how: "conflict", commit: null, paths: pathsIn(event, "conflicts") }];
    // A part that was approved and landed leaves the rest in review: that is no landing that failed.
    const isBack = textIn(event, "from") === "landing" && textIn(event, "to") === "review";
    return isBack && row.because !== partly ? [{ ...row, how: "back", commit: null }] : [];
  });
}

const partly = "not all of it was approved";

/** Conflicts that are still open: nothing of their run has landed since, and it is not over. */
export function openConflicts(rows: readonly LandingRow[], isActive: (run: string) => boolean): LandingRow[] {
  const newest = new Map<string, LandingRow>();
  for (const row of rows.toSorted((a, b) => a.seq - b.seq)) if (row.run !== null) newest.set(row.run, row);
  return [...newest.values()].filter((row) => row.how === "conflict" && isActive(row.run ?? ""));
}

function pathsIn(event: LogEvent, field: string): string[] {
  const value = event[field];
  const items = Array.isArray(value) ? (value as readonly { path?: unknown }[]) : [];
  return items.flatMap(({ path }) => (typeof path === "string" ? [path] : []));
}
