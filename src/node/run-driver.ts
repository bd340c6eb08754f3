// Hosts the runner of one run: starts it, gives it its door, and lets go of it when the run is over or went on elsewhere.

import type { Logged } from "../core/events.ts";
import type { UnitRule } from "../core/lease/unit.ts";
import type { Run } from "../core/run/run-state.ts";
import type { Runner } from "../ports/runner.ts";
import type { EngineLine } from "./engine-line.ts";
import { DriverOvertaken, RunDoor } from "./tool-host/run-door.ts";
import type { Tools } from "./tool-host/tools.ts";

export type RunDriverOptions = {
  readonly runner: Runner;
  readonly run: Run;
  readonly line: EngineLine;
  readonly tools: Tools;
  readonly rule: () => UnitRule;
  readonly script: string | null;
  readonly onDefect: (error: unknown) => void;
};

export class RunDriver {
  readonly run: string;
  readonly family: string;
  readonly #options: RunDriverOptions;
  readonly #abort = new AbortController();
  readonly #door: RunDoor;
  readonly #callsDone: number;
  over = false;

  constructor(options: RunDriverOptions) {
    const { run } = options;
    this.#options = options;
    this.run = run.id;
    this.family = run.family;
    this.#callsDone = run.callsDone;
    this.#door = new RunDoor({
      line: options.line,
      tools: options.tools,
      run: run.id,
      family: run.family,
      callsDone: run.callsDone,
      answers: run.answers,
      rule: options.rule,
      signal: this.#abort.signal,
    });
  }

  start(): void {
    void this.#drive();
  }

  hear(event: Logged): void {
    this.#door.hear(event);
  }

  /** The runner is told to stop. Its run is not: somebody else decides what becomes of that. */
  abandon(): void {
    this.over = true;
    this.#abort.abort();
  }

  async #drive(): Promise<void> {
    const { runner, run, script } = this.#options;
    const { title, messages, sentBack } = run;
    const job = { run: run.id, title, script, callsDone: this.#callsDone, messages: [...messages], sentBack };
    try {
      await runner.drive(job, this.#door, this.#abort.signal);
    } catch (error) {
      if (error instanceof DriverOvertaken || this.#abort.signal.aborted) return;
      // A runner that breaks ends its run, with its reason; the daemon goes on.
      const message = error instanceof Error ? error.message : String(error);
      await this.#door.finish(false, message).catch((again: unknown) => {
        if (!(again instanceof DriverOvertaken)) this.#options.onDefect(again);
      });
    } finally {
      this.over = true;
    }
  }
}
