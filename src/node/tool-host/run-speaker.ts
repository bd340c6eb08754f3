// What a run's door says to the engine: in the run's name, as often as it takes, and no more once its driver was overtaken.

import type { FinishCall, Input } from "../../core/inputs.ts";
import { isOver } from "../../core/run/run-states.ts";
import type { DoorAnswer } from "../../ports/runner.ts";
import type { EngineLine } from "../engine-line.ts";
import { no, yes } from "./door-answer.ts";
import { DriverOvertaken } from "./driver-overtaken.ts";
import type { EventWaits } from "./event-waits.ts";

/** How often a finish is tried again while a sub-run is still at work. */
const finishEveryMs = 500;

export type RunSpeakerOptions = {
  readonly line: EngineLine;
  readonly run: string;
  readonly signal: AbortSignal;
  /** What is heard of the run. */
  readonly waits: EventWaits;
};

export class RunSpeaker {
  readonly #options: RunSpeakerOptions;

  constructor({ line, run, signal, waits }: RunSpeakerOptions) {
    this.#options = { line, run, signal, waits };
  }

  async report(input: FinishCall): Promise<void> {
    const outcome = await this.submit(input);
    if (!outcome.ok) throw new DriverOvertaken(outcome.refusal.code);
  }

  /** Speaking and finishing need a run that is at work: paused or parked, they wait until it is again. */
  async untilTaken(input: Extract<Input, { type: "run.say" | "run.ask" | "run.finish" }>): Promise<DoorAnswer> {
    for (;;) {
      const running = this.#options.waits.waitFor((event) =>
        event.type === "run.moved" && event.to === "running" ? true : undefined,
      );
      try {
        const outcome = await this.submit(input);
        if (outcome.ok) return yes("recorded");
        const { refusal } = outcome;
        if (refusal.code === "wrong-state" && !isOver(refusal.state)) await running.heard;
        else if (refusal.code === "in-use" && input.type === "run.finish")
          await this.#options.line.sleep(finishEveryMs, this.#options.signal);
        else return no(refusal);
      } finally {
        running.forget();
      }
    }
  }

  async submit(input: Input): ReturnType<EngineLine["submit"]> {
    const outcome = await this.#options.line.submit(
      { actor: `agent:${this.#options.run}`, input },
      this.#options.signal,
    );
    // The end of a run is what ends its driver, too: whoever said the last word still hears that it was taken.
    if (outcome.ok && input.type === "run.finish") return outcome;
    if (this.#options.signal.aborted) throw new DriverOvertaken();
    if (outcome.ok) return outcome;
    const { code } = outcome.refusal;
    if (code === "expired" || code === "closing") throw new DriverOvertaken(code);
    return outcome;
  }
}
