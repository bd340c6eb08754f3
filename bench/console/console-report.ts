// What was measured of the console, as text, and whether it is what we aim at.

import type { ConsoleResult, PlaceResult } from "./console-trace.ts";

/** A task that a person notices. */
const taskMsMax = 50;
const pixelMsMax = 100;
/** What a heap may have grown by from the second look at it to the last; the first is of a page that has just come. */
const growthMax = 0.1;

export function toConsoleText({ size, eventsPerSecond, places, heapBytes, heapEvents }: ConsoleResult): string {
  const { agents, runs, logged } = size;
  return [
    `console: ${agents} agents, ${runs} runs, ${logged} events, ${eventsPerSecond} more each second`,
    ...places.map(toLine),
    `  heap while ${heapEvents} events pass: ${heapBytes.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`).join(", ")}`,
    ...missedAims({ places, heapBytes }).map((what) => `  not met: ${what}`),
  ].join("\n");
}

/** Each aim that is not met, in words. */
export function missedAims({ places, heapBytes }: Pick<ConsoleResult, "places" | "heapBytes">): string[] {
  const long = places.filter(({ longestTaskMs }) => longestTaskMs > taskMsMax);
  // Whoever waits longer now and then has waited: the median alone would not tell.
  const slow = places.filter(({ pixelP95Ms }) => (pixelP95Ms ?? 0) > pixelMsMax);
  const growth = growthOf(heapBytes);
  return [
    ...long.map(
      ({ place, longestTaskMs }) => `${place} had a task of ${Math.round(longestTaskMs)} ms, aim ≤ ${taskMsMax}`,
    ),
    ...slow.map(
      ({ place, pixelP50Ms, pixelP95Ms }) =>
        `${place} drew after ${ms(pixelP95Ms ?? 0)} in the slowest of twenty, aim ≤ ${pixelMsMax} (median ${ms(pixelP50Ms ?? 0)})`,
    ),
    ...(growth > growthMax ? [`the heap grew by ${Math.round(growth * 100)} %, aim ≤ ${growthMax * 100} %`] : []),
  ];
}

function growthOf([, settled = 0, ...later]: readonly number[]): number {
  return settled === 0 ? 0 : ((later.at(-1) ?? settled) - settled) / settled;
}

function toLine({ place, ...of }: PlaceResult): string {
  const pixel =
    of.pixelP50Ms === null || of.pixelP95Ms === null
      ? ""
      : `, event to pixel p50 ${ms(of.pixelP50Ms)}, p95 ${ms(of.pixelP95Ms)}`;
  const tasks = of.longTasks === 0 ? "no long task" : `${of.longTasks} long tasks, the longest ${ms(of.longestTaskMs)}`;
  return `  ${place.padEnd(14)} ${tasks}, frames p95 ${ms(of.frameP95Ms)}${pixel}; came in ${ms(of.loadMs)} (task ${ms(of.loadTaskMs)})`;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
