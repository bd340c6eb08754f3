// Messages between the daemon and everyone else. They take time, get lost, come twice and overtake each other; whoever
// needs an answer asks again.

import type { Given } from "../../src/core/inputs.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import type { Faults } from "./faults.ts";
import type { Scheduler } from "./scheduler.ts";

export type Submit = (given: Given, reply: (outcome: Outcome) => void) => void;

/** Who asks may be gone for good, or frozen: then it neither sends nor hears. */
export type Presence = "there" | "frozen" | "gone";

export type Ask = {
  /** How often the same request is sent; without an answer the asker never learns what became of it. */
  readonly tries: number;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onSilence?: () => void;
  readonly presence?: () => Presence;
};

const retryMs = 3000;

export class SimBus {
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  readonly #submit: Submit;

  constructor(scheduler: Scheduler, faults: Faults, submit: Submit) {
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.#submit = submit;
  }

  /** Carries one message. `deliver` may run never, once or twice. */
  carry(deliver: () => void): void {
    if (!this.#faults.isLost()) this.#scheduler.after(this.#faults.travelMs(), deliver);
    if (this.#faults.isDoubled()) this.#scheduler.after(this.#faults.travelMs(), deliver);
  }

  /** Carries an act to a node: it may come late and twice, but it does come. */
  carrySurely(deliver: () => void): void {
    this.#scheduler.after(this.#faults.travelMs(), deliver);
    if (this.#faults.isDoubled()) this.#scheduler.after(this.#faults.travelMs(), deliver);
  }

  /** Sends a request until it is answered. "Later" is no answer. */
  ask(given: Given, ask: Ask): void {
    let left = ask.tries;
    let answered = false;
    const presence = ask.presence ?? ((): Presence => "there");
    const hear = (outcome: Outcome): void => {
      if (answered || presence() !== "there") return;
      if (!outcome.ok && isLater(outcome.refusal.code)) return;
      answered = true;
      ask.onOutcome(outcome);
    };
    const send = (): void => {
      if (answered || presence() === "gone") return;
      if (presence() === "there") {
        if (left-- <= 0) return ask.onSilence?.();
        this.carry(() => this.#submit(given, (outcome) => this.carry(() => hear(outcome))));
      }
      this.#scheduler.after(retryMs, send);
    };
    send();
  }
}

function isLater(code: string): boolean {
  return code === "overloaded" || code === "store-unavailable" || code === "closing";
}
