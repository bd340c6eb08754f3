// Keeps the model of the log and tells every checker what happens, in one order.

import type { Act } from "../../src/core/acts.ts";
import type { Logged } from "../../src/core/events.ts";
import type { Given } from "../../src/core/inputs.ts";
import type { State } from "../../src/core/state.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import type { Made } from "./depot.ts";
import { LogModel } from "./log-model.ts";
import type { Batch, Checker, Deed, Life, Standing, Watch } from "./watch.ts";

export type ClerkOptions = {
  readonly report: (kind: string, sentence: string) => void;
  readonly nowMs: () => number;
  /** The number of the job that runs: answers to a batch leave in the one that made it durable. */
  readonly tick: () => number;
};

export class Clerk {
  readonly model = new LogModel();
  readonly reached = new Set<string>();
  readonly #watch: Watch;
  #checkers: readonly Checker[] = [];
  #before: readonly NonNullable<Checker["before"]>[] = [];
  #after: readonly NonNullable<Checker["after"]>[] = [];
  #record: readonly NonNullable<Checker["record"]>[] = [];
  readonly #tick: () => number;
  #batch: Batch = { fromSeq: 0, toSeq: 0 };
  #batchTick = -1;

  constructor(options: ClerkOptions) {
    const sometimes = (name: string): void => void this.reached.add(name);
    this.#tick = options.tick;
    this.#watch = { model: this.model, report: options.report, sometimes, nowMs: options.nowMs };
  }

  use(checkers: readonly Checker[]): void {
    this.#checkers = checkers;
    this.#before = checkers.map((checker) => checker.before).filter((hook) => hook !== undefined);
    this.#after = checkers.map((checker) => checker.after).filter((hook) => hook !== undefined);
    this.#record = checkers.map((checker) => checker.record).filter((hook) => hook !== undefined);
  }

  sometimes(name: string): void {
    this.reached.add(name);
  }

  durable(texts: readonly string[], events: readonly Logged[], fold: (event: Logged) => void): void {
    this.#batch = { fromSeq: this.model.seq, toSeq: this.model.seq + events.length };
    this.#batchTick = this.#tick();
    for (const text of texts) for (const hook of this.#record) hook(text, this.#watch);
    for (const event of events) {
      for (const hook of this.#before) hook(event, this.#watch);
      this.model.evolve(event);
      fold(event);
      for (const hook of this.#after) hook(event, this.#watch);
    }
    for (const checker of this.#checkers) checker.batch?.(this.#batch, this.#watch);
  }

  reply(given: Given, outcome: Outcome): void {
    const { seq } = this.model;
    // An answer that needed no event leaves at another time, and says how things stand.
    const batch = this.#batchTick === this.#tick() ? this.#batch : { fromSeq: seq, toSeq: seq };
    for (const checker of this.#checkers) checker.reply?.({ given, outcome, batch }, this.#watch);
  }

  hear(events: readonly Logged[], to: "nodes" | "listeners"): void {
    for (const checker of this.#checkers) checker.hear?.(events, to, this.#watch);
  }

  act(act: Act): void {
    for (const checker of this.#checkers) checker.act?.(act, this.#watch);
  }

  deed(deed: Deed): void {
    for (const checker of this.#checkers) checker.deed?.(deed, this.#watch);
  }

  made(made: Made): void {
    for (const checker of this.#checkers) checker.made?.(made, this.#watch);
  }

  born(life: Life): void {
    for (const checker of this.#checkers) checker.born?.(life, this.#watch);
  }

  primed(state: State): void {
    for (const checker of this.#checkers) checker.primed?.(state, this.#watch);
  }

  opened(standing: Standing): void {
    for (const checker of this.#checkers) checker.opened?.(standing, this.#watch);
  }

  sample(standing: Standing): void {
    for (const checker of this.#checkers) checker.sample?.(standing, this.#watch);
  }

  phase(standing: Standing): void {
    for (const checker of this.#checkers) checker.phase?.(standing, this.#watch);
  }
}
