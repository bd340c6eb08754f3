// The time in which a run has no slot: how long its assistant's program may stay meanwhile, and when it is begun again (RN49).

import type { Clock } from "../../ports/clock.ts";
import type { Away } from "../../ports/runner.ts";

/** Questions are often answered soon, and who comes back is parked first. */
const patienceMs = { parked: 1000, asking: 30_000 } as const;

export class Absence {
  readonly #clock: Clock;
  readonly #letGo: () => void;
  #why: Away | null;
  /** Set while there is no program because there is no slot; resolves when there is one again. */
  #over: PromiseWithResolvers<void> | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, why: Away | null, letGo: () => void) {
    this.#clock = clock;
    this.#why = why;
    this.#letGo = letGo;
  }

  /** Set while its program is let go; resolves when it is to be begun. */
  get over(): Promise<void> | undefined {
    return this.#over?.promise;
  }

  /** An earlier daemon may have let the program go, which is then not begun before there is something to do for it. */
  takeUp(isThere: boolean): void {
    if (this.#why === null) return;
    if (isThere) this.begin(this.#why);
    else this.#over ??= Promise.withResolvers<void>();
  }

  begin(why: Away): void {
    this.#why = why;
    this.#cancel?.();
    // It stands still, like everything of its run, and goes on where it was.
    if (why === "paused") return;
    this.#cancel = this.#clock.setTimer(patienceMs[why], () => {
      this.#over ??= Promise.withResolvers<void>();
      this.#letGo();
    });
  }

  end(): void {
    this.#why = null;
    this.#cancel?.();
    this.#over?.resolve();
    this.#over = undefined;
  }
}
