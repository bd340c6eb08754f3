// Reads that never show what could still be lost. While a batch is on its way to the disk the state is ahead of the log;
// an answer taken from it is held back until the log has caught up.

import type { Clock } from "../ports/clock.ts";
import type { State } from "../core/state.ts";
import { protocolError } from "../protocol/errors.ts";
import type { DaemonParts } from "./parts.ts";

type Held = {
  readonly state: State;
  readonly seq: number;
  readonly untilMs: number;
  readonly settle: () => void;
  readonly again: () => void;
  readonly fail: (error: Error) => void;
};

const patienceMs = 10_000;
const lookMs = 250;

export class DurableReads {
  readonly #engine: DaemonParts["engine"];
  readonly #store: DaemonParts["store"];
  readonly #clock: Clock;
  #held: Held[] = [];
  #timer: (() => void) | undefined;
  readonly #unsubscribe: () => void;

  constructor(parts: Pick<DaemonParts, "engine" | "store" | "clock">) {
    this.#engine = parts.engine;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#unsubscribe = this.#engine.subscribe(() => {
      if (this.#held.length > 0) this.#look();
    });
  }

  /** Answers with what `view` sees, once all of that is durable. What `view` throws is the answer, too. */
  read<T>(view: (state: State) => T, reply: (value: T) => void, fail: (error: unknown) => void): void {
    const { state } = this.#engine;
    let value: T;
    try {
      value = view(state);
    } catch (error) {
      this.#settleLater(
        state,
        () => fail(error),
        () => this.read(view, reply, fail),
        fail,
      );
      return;
    }
    this.#settleLater(
      state,
      () => reply(value),
      () => this.read(view, reply, fail),
      fail,
    );
  }

  close(): void {
    this.#unsubscribe();
    this.#timer?.();
    const held = this.#held;
    this.#held = [];
    for (const each of held) each.fail(protocolError("closing"));
  }

  #settleLater(state: State, settle: () => void, again: () => void, fail: (error: Error) => void): void {
    if (state.seq <= this.#store.lastSeq) return settle();
    this.#held.push({ state, seq: state.seq, untilMs: this.#clock.monotonicMs() + patienceMs, settle, again, fail });
    this.#watch();
  }

  #look(): void {
    const { state } = this.#engine;
    const nowMs = this.#clock.monotonicMs();
    const held = this.#held;
    this.#held = [];
    for (const each of held) {
      // After a fault of the store the engine starts over from the log: what was seen may never have happened.
      if (each.state !== state) each.again();
      else if (each.seq <= this.#store.lastSeq) each.settle();
      else if (each.untilMs <= nowMs)
        each.fail(
          protocolError("store-unavailable", {
            retryAfterMs: lookMs,
            message: "the log does not take anything at the moment",
          }),
        );
      else this.#held.push(each);
    }
  }

  /** The engine may also start over without telling anybody anything. */
  #watch(): void {
    if (this.#timer !== undefined) return;
    this.#timer = this.#clock.setTimer(lookMs, () => {
      this.#timer = undefined;
      this.#look();
      if (this.#held.length > 0) this.#watch();
    });
  }
}
