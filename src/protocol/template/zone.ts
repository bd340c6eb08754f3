// How far the clocks of a zone are ahead of UTC, and from when on: for years to come, as this machine knows them today.

import type { ScheduleRule } from "./agent-spec.ts";

export const utc = "UTC";

const hourMs = 3_600_000;
/** From before anything was started by us, to when templates of today are long forgotten. */
const firstMs = Date.UTC(2025, 0, 1);
const lastMs = Date.UTC(2045, 0, 1);
/** No zone sets its clocks twice within so long. */
const strideMs = 14 * 24 * hourMs;

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

export function shiftsOf(zone: string): ScheduleRule["shifts"] {
  if (zone === utc) return [];
  const format = formatOf(zone);
  let offsetMs = offsetAt(format, firstMs);
  const shifts = [{ fromMs: 0, offsetMs }];
  for (let atMs = firstMs; atMs < lastMs; atMs += strideMs) {
    if (offsetAt(format, atMs + strideMs) === offsetMs) continue;
    const fromMs = firstAfter(atMs, atMs + strideMs, (ms) => offsetAt(format, ms) !== offsetMs);
    offsetMs = offsetAt(format, fromMs);
    shifts.push({ fromMs, offsetMs });
  }
  return shifts;
}

/** Clocks are set at quarters of an hour. */
function firstAfter(from: number, to: number, isThere: (ms: number) => boolean): number {
  let [before, after] = [from, to];
  while (after - before > hourMs / 4) {
    const middle = before + Math.floor((after - before) / (hourMs / 4) / 2) * (hourMs / 4);
    if (isThere(middle)) after = middle;
    else before = middle;
  }
  return after;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
}

function offsetAt(format: Intl.DateTimeFormat, ms: number): number {
  const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * 60_000);
}
