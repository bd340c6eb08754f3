// What a driver has under way: one thing at a time, a question, a pause or a report. It knows whom it speaks for, and
// nothing of what is said.

import type { FinishCall, Input } from "../../src/core/inputs.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import { hasEnded, type ModelRun } from "./run-model.ts";
import type { SimNode } from "./sim-node.ts";

const pollMs = 6000;

export class DriverTurns {
  readonly run: string;
  readonly family: string;
  readonly project: string;
  readonly node: SimNode;
  #isOver = false;
  /** Rises whenever the driver goes on, so that an old timer or answer finds itself late. */
  #turn = 0;
  #waiting: (() => void) | undefined;

  constructor(node: SimNode, run: ModelRun) {
    this.node = node;
    this.run = run.id;
    this.family = run.family;
    this.project = run.project;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
  }

  /** Something about the run has changed: whoever waits looks again. */
  nudge(): void {
    const look = this.#waiting;
    this.#waiting = undefined;
    look?.();
  }

  ask(input: Input, onOutcome: (outcome: Outcome) => void): void {
    const turn = ++this.#turn;
    this.node.ask(input, (outcome) => this.#hear(turn, outcome, onOutcome), `agent:${this.run}`);
  }

  after(delayMs: number, run: () => void): void {
    const turn = ++this.#turn;
    this.node.after(delayMs, () => {
      if (!this.#isOver && turn === this.#turn) run();
    });
  }

  waitThen(look: () => void): void {
    this.#waiting = look;
    this.after(pollMs, () => this.nudge());
  }

  /** Looks at the workspace and reports what it has found, one after the other. */
  report(look: () => FinishCall, safeMs: number, then: () => void): void {
    const turn = ++this.#turn;
    this.node.alone(this.run, (release) => {
      const input = look();
      const send = (): void =>
        this.node.ask(
          input,
          (outcome) => {
            release();
            this.#hear(turn, outcome, then);
          },
          `agent:${this.run}`,
        );
      if (safeMs > 0) this.node.after(safeMs, send);
      else send();
    });
  }

  #hear(turn: number, outcome: Outcome, onOutcome: (outcome: Outcome) => void): void {
    if (this.#isOver || turn !== this.#turn) return;
    if (!outcome.ok) this.#maybeEnd(outcome.refusal.code);
    if (!this.#isOver) onOutcome(outcome);
  }

  #maybeEnd(code: string): void {
    const run = this.node.world.model.runs.get(this.run);
    if (code === "expired") {
      this.#isOver = true;
      this.node.back(this.run);
    } else if (code === "wrong-state" && run !== undefined && hasEnded(run)) this.#isOver = true;
  }
}
