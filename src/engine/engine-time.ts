// Engine time: the last logged instant plus a monotonic difference. It stands still while the engine is down, and no jump
// of the wall clock changes a lease. It goes on one millisecond later, so that each instant is of one daemon: by whose watch
// it was told could not be said otherwise.

import type { Clock } from "../ports/clock.ts";

export class EngineTime {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #startMonotonicMs: number;

  /** A log that is still empty starts at wall time, so that its instants read like dates. */
  constructor(clock: Clock, lastLoggedMs: number) {
    this.#clock = clock;
    this.#startMs = lastLoggedMs === 0 ? clock.wallMs() : lastLoggedMs + 1;
    this.#startMonotonicMs = clock.monotonicMs();
  }

  /** Whole milliseconds: fractions would not survive the log unchanged. */
  nowMs(): number {
    return this.#startMs + Math.max(0, Math.floor(this.#clock.monotonicMs() - this.#startMonotonicMs));
  }
}
