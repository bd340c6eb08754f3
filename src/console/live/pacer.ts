// Lets work happen at once when it is asked for after a pause, and at a steady pace when it is asked for all the time.
// One piece of work is under way at a time; whatever was asked for meanwhile is done by the next.

export class Pacer {
  readonly #work: () => Promise<void>;
  readonly #gapMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = false;
  #asked = false;
  #freeAtMs = 0;
  #stopped = false;

  constructor(work: () => Promise<void>, gapMs: number) {
    this.#work = work;
    this.#gapMs = gapMs;
  }

  poke(): void {
    this.#asked = true;
    if (this.#running || this.#timer !== undefined || this.#stopped) return;
    const waitMs = this.#freeAtMs - performance.now();
    if (waitMs <= 0) void this.#run();
    else {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        void this.#run();
      }, waitMs);
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#running = true;
    this.#asked = false;
    const startedMs = performance.now();
    try {
      await this.#work();
    } finally {
      this.#running = false;
      // A daemon that answers slowly is asked less often: half of the time is its own.
      const tookMs = performance.now() - startedMs;
      this.#freeAtMs = startedMs + Math.max(this.#gapMs, tookMs * 2);
      if (this.#asked) this.poke();
    }
  }
}
