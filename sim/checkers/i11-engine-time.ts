// I11, LS33: engine time is the last logged instant plus what the monotonic clock has measured since. It stands still while
// the engine is down, no jump of the wall clock moves it, and nothing expires before its time by it.

import type { Checker } from "../world/watch.ts";

/** The monotonic clock is read in whole milliseconds. */
const roundingMs = 1;

export function engineTime(): Checker {
  let bornMs = 0;
  let baseMs = 0;
  return {
    name: "I11 engine time",
    born: (life, { model }) => {
      bornMs = life.bornMs;
      baseMs = model.atMs;
    },
    before: (event, { model, report, nowMs }) => {
      if (event.atMs < model.atMs) report("I11", `event ${event.seq} is at ${event.atMs}, before ${model.atMs}`);
      if (baseMs === 0) baseMs = event.atMs;
      const latestMs = baseMs + (nowMs() - bornMs) + roundingMs;
      if (event.atMs > latestMs)
        report("I11", `event ${event.seq} is at ${event.atMs}, and it is not later than ${latestMs}`);
      if (event.type !== "family.ended" || (event.why !== "expired" && event.why !== "idle")) return;
      const { expiresAtMs } = model.family(event.family);
      if (event.atMs < expiresAtMs)
        report("I11", `${event.family} expired at ${event.atMs}, due only at ${expiresAtMs}`);
    },
  };
}
