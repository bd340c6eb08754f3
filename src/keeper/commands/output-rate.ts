// How fast a command may speak. Whoever says more in a second than it may is not read for a while: its pipe fills up, and it
// waits there. So a flood costs neither memory nor everybody else's processors.

/** What nobody reads anyway: a command that says more than this in a second is a flood. */
export const outputRateDefault = 32 * 1024 * 1024;

export class OutputRate {
  readonly #bytesPerS: () => number;
  readonly #nowMs: () => number;
  /** Up to when everything that was said so far would have taken, had it come evenly. */
  #untilMs = 0;

  constructor(bytesPerS: () => number, nowMs: () => number = () => performance.now()) {
    this.#bytesPerS = bytesPerS;
    this.#nowMs = nowMs;
  }

  /** For how long nobody listens after so many bytes; 0 where it may go on. A second's worth may come at once. */
  take(bytes: number): number {
    const nowMs = this.#nowMs();
    this.#untilMs = Math.max(this.#untilMs, nowMs) + (1000 * bytes) / this.#bytesPerS();
    return Math.max(0, this.#untilMs - nowMs - 1000);
  }
}
