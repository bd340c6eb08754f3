// Signs of life for the leases of a node's runs. Whoever has expired meanwhile comes back as a new family.

import type { Run } from "../core/run/run-state.ts";
import { isOver } from "../core/run/run-states.ts";
import type { State } from "../core/state.ts";
import type { Input } from "../core/inputs.ts";
import type { Clock } from "../ports/clock.ts";
import type { LineOutcome } from "./engine-line.ts";

export type SignsOfLifeOptions = {
  readonly node: string;
  readonly clock: Clock;
  readonly state: () => State;
  readonly report: (input: Input) => Promise<LineOutcome>;
  readonly onFailed: (error: unknown) => void;
};

const everyMs = 5000;

export class SignsOfLife {
  readonly #options: SignsOfLifeOptions;
  /** Runs of this node that have started and are not over. */
  readonly #runs = new Set<string>();
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(options: SignsOfLifeOptions) {
    this.#options = options;
  }

  note(run: Run): void {
    if (run.node !== this.#options.node) return;
    if (run.startedAtMs === null || isOver(run.state)) this.#runs.delete(run.id);
    else this.#runs.add(run.id);
  }

  living(): Run[] {
    return [...this.#runs].flatMap((id) => this.#options.state().runs.get(id) ?? []);
  }

  begin(): void {
    this.#cancel = this.#options.clock.setTimer(everyMs, () => {
      void this.#give()
        .catch(this.#options.onFailed)
        .finally(() => {
          if (!this.#isOver) this.begin();
        });
    });
  }

  close(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  /** One sign for all. */
  async #give(): Promise<void> {
    const { node, report } = this.#options;
    const runs = this.living();
    const families = [...new Set(runs.map((run) => run.family))];
    if (families.length === 0) return;
    const outcome = await report({ type: "node.beat", node, families });
    if (!outcome.ok || outcome.value.of !== "beat") return;
    const expired = new Set(outcome.value.expired);
    for (const run of runs) if (!run.sub && expired.has(run.family)) await report({ type: "run.back", run: run.id });
  }
}
