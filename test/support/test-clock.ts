// A clock that stands still until a test moves it. Only "soon" is left to Node, so that promises settle as they do in life.

import type { Clock } from "../../src/ports/clock.ts";

type Timer = { readonly atMs: number; readonly number: number; readonly run: () => void };

export class TestClock implements Clock {
  /** What a person's watch is ahead of the steady clock; a test may make it jump. */
  wallOffsetMs = 1_780_000_000_000;
  #nowMs = 0;
  #number = 0;
  readonly #timers = new Set<Timer>();

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#nowMs + this.wallOffsetMs;
  }

  /** How far away the next timer is, undefined when there is none. */
  get nextMs(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.atMs - this.#nowMs;
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, number: this.#number++, run: callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  defer(callback: () => void): void {
    setImmediate(callback);
  }

  /** Moves time on, and lets every timer ring at its own instant. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#next(); next !== undefined && next.atMs <= untilMs; next = this.#next()) {
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#timers.delete(next);
      next.run();
    }
    this.#nowMs = untilMs;
  }

  #next(): Timer | undefined {
    return [...this.#timers].toSorted((a, b) => a.atMs - b.atMs || a.number - b.number)[0];
  }
}
