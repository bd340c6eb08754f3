// Lets recordings go that are kept no longer: when the daemon starts, and then once in an hour. Which they are the core says;
// their files go when the log says that they do.

import type { Input } from "../../core/inputs.ts";
import type { State } from "../../core/state.ts";
import { recordingsToForget } from "../../core/terminal/retention.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Recordings } from "./recordings.ts";

export type RecordingWatchOptions = {
  readonly clock: Pick<Clock, "setTimer">;
  readonly recordings: Pick<Recordings, "sizes">;
  readonly state: () => State;
  readonly nowMs: () => number;
  readonly submit: (input: Input) => Promise<unknown>;
  readonly onFailed: (error: unknown) => void;
};

export const recordingsEveryMs = 3_600_000;

export class RecordingWatch {
  readonly #options: RecordingWatchOptions;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(options: RecordingWatchOptions) {
    this.#options = options;
  }

  begin(): void {
    void this.#look()
      .catch((error: unknown) => this.#options.onFailed(error))
      .finally(() => {
        if (!this.#isClosed) this.#cancel = this.#options.clock.setTimer(recordingsEveryMs, () => this.begin());
      });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    const { recordings, state, nowMs, submit } = this.#options;
    const sizes = await recordings.sizes();
    for (const { terminal, because } of recordingsToForget(state(), sizes, nowMs())) {
      if (this.#isClosed) return;
      await submit({ type: "terminal.forget", terminal, because });
    }
  }
}
