// A moment of the past as people write it: the number of an event, so long ago, or a time of day.

import { toEngineMs } from "../protocol/wall-time.ts";
import type { Cli } from "./cli.ts";
import { parseDuration } from "./text/duration.ts";

export type Moment = { readonly seq: number } | { readonly agoMs: number } | { readonly wallMs: number };

export const atFlag = {
  kind: "parsed",
  parse: parseMoment,
  optional: true,
  placeholder: "WHEN",
  brief: "As it was then: the number of an event, so long ago (5m), or a time (2026-11-16T14:35).",
} as const;

export function parseMoment(text: string): Moment {
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) };
  if (/^\d{4}-\d\d-\d\d/.test(text)) {
    const wallMs = new Date(text).getTime();
    if (!Number.isNaN(wallMs)) return { wallMs };
  } else if (/^\d/.test(text)) return { agoMs: parseDuration(text) };
  throw new Error("it has to be the number of an event, a duration such as 5m, or a time such as 2026-11-16T14:35.");
}

/** What a read takes for it: nothing for now, else the number of the last event at that moment. */
export async function resolveMoment(cli: Cli, moment: Moment | undefined): Promise<{ readonly at?: number }> {
  if (moment === undefined) return {};
  if ("seq" in moment) return { at: moment.seq };
  const { nowMs, openings } = await cli.link.call("status", {});
  const atMs = "agoMs" in moment ? nowMs - moment.agoMs : toEngineMs(openings, moment.wallMs);
  const { seq } = await cli.link.call("events.at", { atMs: Math.max(0, Math.floor(atMs)) });
  return { at: seq };
}
