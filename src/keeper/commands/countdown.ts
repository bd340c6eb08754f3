/** Calls back once so much time has passed, of which some may not count. */
export class Countdown {
  readonly #onOver: () => void;
  #leftMs: number | null;
  #sinceMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Without a number it never ends. */
  constructor(ms: number | null, onOver: () => void) {
    this.#leftMs = ms;
    this.#onOver = onOver;
  }

  run(): void {
    if (this.#leftMs === null || this.#timer !== undefined) return;
    this.#sinceMs = performance.now();
    this.#timer = setTimeout(this.#onOver, this.#leftMs);
  }

  rest(): void {
    if (this.#leftMs === null || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#sinceMs));
  }

  /** It will not call back any more. */
  cancel(): void {
    this.rest();
    this.#leftMs = null;
  }
}
