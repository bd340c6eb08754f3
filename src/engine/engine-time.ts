// Engine time: the last logged instant plus a monotonic difference. It stands still while the engine is down, and no jump
// of the wall clock changes a lease.

import type { Clock } from "../ports/clock.ts";

export class EngineTime {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #startMonotonicMs: number;

  /** A log that is still empty starts at wall time, so that its instants read like dates. */
  constructor(clock: Clock, lastLoggedMs: number) {
    this.#clock = clock;
    this.#startMs = lastLoggedMs === 0 ? clock.wallMs() : lastLoggedMs;
    this.#startMonotonicMs = clock.monotonicMs();
  }

  /** Whole milliseconds: fractions would not survive the log unchanged. */
  nowMs(): number {
    return this.#startMs + Math.max(0, Math.floor(this.#clock.monotonicMs() - this.#startMonotonicMs));
  }
}
