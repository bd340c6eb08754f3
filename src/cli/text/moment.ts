// Moments as people write them: how long ago, or a time of the clock.

import { parseDuration } from "./duration.ts";

/** Reads `10m` as ten minutes ago, and `2026-03-01T12:00:00Z` as what it says; in milliseconds. */
export function parseMoment(text: string, nowMs = Date.now()): number {
  if (/^\d{4}-\d\d-\d\d/.test(text)) {
    const ms = Date.parse(text);
    if (!Number.isNaN(ms)) return ms;
  } else if (/^[\d.]+(?:ms|s|m|h|d)/.test(text)) return nowMs - parseDuration(text);
  throw new Error("it is how long ago, such as 10m or 2h, or a time such as 2026-03-01T12:00:00Z.");
}
