// The clock of one life of the daemon. Its monotonic side starts anywhere and rises steadily; its wall side jumps as the
// world pleases; its timers may come late, never early, and none outlives its process.

import type { Clock } from "../../src/ports/clock.ts";
import type { Life } from "./life.ts";
import type { Scheduler } from "./scheduler.ts";

export type WallClock = { offsetMs: number };

export type SimClockOptions = {
  readonly scheduler: Scheduler;
  readonly life: Life;
  readonly wall: WallClock;
  /** What the monotonic clock says when the life begins. */
  readonly startMs: number;
  /** How late a timer comes. */
  readonly lateMs: () => number;
};

export class SimClock implements Clock {
  readonly #options: SimClockOptions;
  readonly #bornMs: number;

  constructor(options: SimClockOptions) {
    this.#options = options;
    this.#bornMs = options.scheduler.nowMs;
  }

  monotonicMs(): number {
    return this.#options.startMs + this.#options.scheduler.nowMs - this.#bornMs;
  }

  wallMs(): number {
    return this.#options.scheduler.nowMs + this.#options.wall.offsetMs;
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const { scheduler, life, lateMs } = this.#options;
    const job = scheduler.after(delayMs + lateMs(), () => life.run(callback));
    return () => scheduler.cancel(job);
  }

  defer(callback: () => void): void {
    const { scheduler, life } = this.#options;
    scheduler.after(0, () => {
      if (!life.reach("before-decide")) life.run(callback);
    });
  }
}
