// What the page asks the daemon for. Each function is one view of it, complete or up to a stated limit.

import type { Client } from "../../client/client.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { trackTypes } from "./tracks.ts";

export type Source = Pick<Client, "call" | "batches">;

export const activeMax = 2000;
const endedMax = 60;
const pageMax = 1000;
export const eventsMax = 400;
/** How far back lanes are drawn at first, in events and in pages of those that moved a run. */
const trackEvents = 10_000;
const trackPages = 3;

export type RunList = { readonly runs: readonly Run[]; readonly total: number; readonly nowMs: number };

export async function fetchActive(source: Source): Promise<RunList> {
  const runs: Run[] = [];
  for (let after: string | undefined; ;) {
    const page = await source.call("run.list", {
      active: true,
      limit: pageMax,
      ...(after === undefined ? {} : { after }),
    });
    runs.push(...page.runs);
    if (page.next === null || runs.length >= activeMax) return { runs, total: page.total, nowMs: page.nowMs };
    after = page.next;
  }
}

/** The newest runs that are over, those that failed apart from the rest, with how many there are of each. */
export async function fetchEnded(
  source: Source,
  project: string | null,
): Promise<{ readonly failed: RunList; readonly rest: RunList }> {
  const only = project === null ? {} : { project };
  const [failed, rest] = await Promise.all([
    source.call("run.list", { state: ["failed"], limit: endedMax, ...only }),
    source.call("run.list", { state: ["done", "rejected", "terminated"], limit: endedMax, ...only }),
  ]);
  return { failed, rest };
}

/** The last events before a number, the newest first. */
export async function fetchEvents(source: Source, seq: number): Promise<LogEvent[]> {
  const page = await source.call("events.read", { after: Math.max(0, seq - eventsMax), limit: eventsMax });
  return page.events.toReversed();
}

/** Events that moved runs, oldest first. */
export async function fetchMoves(source: Source, seq: number): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  const after = Math.max(0, seq - trackEvents);
  // Read back: where there are more than are read, it is the oldest that are missing.
  let before = seq + 1;
  for (let pages = 0; pages < trackPages; pages++) {
    const page = await source.call("events.read", { after, before, types: trackTypes, limit: pageMax });
    events.push(...page.events);
    if (!page.more) break;
    before = page.next;
  }
  return events.toReversed();
}
