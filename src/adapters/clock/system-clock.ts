import type { Clock } from "../../ports/clock.ts";

/** The machine's own clocks. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  setTimer(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  defer(callback) {
    setImmediate(callback);
  },
};
