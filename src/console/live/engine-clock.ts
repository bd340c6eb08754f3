// The daemon's time, as far as the page knows it. It stands still while the page is disconnected: an age that goes on
// counting would pass old facts off as new ones.

import { type Opening, sinceMs, toWallMs } from "../../protocol/wall-time.ts";

const tickMs = 1000;

export class EngineClock {
  #baseMs = 0;
  #syncedAtMs = 0;
  #running = false;
  #openings: readonly Opening[] = [];
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Takes the daemon's word for what time it is. */
  sync(nowMs: number, openings?: readonly Opening[]): void {
    // An answer that took longer than another must not set the clock back.
    if (openings !== undefined || nowMs > this.now()) {
      this.#baseMs = nowMs;
      this.#syncedAtMs = performance.now();
    }
    this.#openings = openings ?? this.#openings;
    this.#running = true;
  }

  stop(): void {
    this.#baseMs = this.now();
    this.#running = false;
  }

  /** Engine time. */
  now(): number {
    return this.#running ? this.#baseMs + performance.now() - this.#syncedAtMs : this.#baseMs;
  }

  /** How long ago that was, also by those hours in which the daemon was down. */
  since(atMs: number, seq?: number): number {
    return sinceMs(this.#openings, atMs, this.now(), seq);
  }

  /** With the number of the event, where it is one's: then there is no doubt which daemon it is of. */
  toWallMs(engineMs: number, seq?: number): number {
    return toWallMs(this.#openings, engineMs, seq);
  }

  /** Calls once a second while somebody listens and the clock runs. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => {
      if (this.#running) for (const each of this.#listeners) each();
    }, tickMs);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };
}
