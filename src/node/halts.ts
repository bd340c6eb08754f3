// Halts the processes of runs that people have paused, and lets them go on. What the log says last is what is done last,
// also where the daemon that heard it first is gone.

import type { Run } from "../core/run/run-state.ts";
import type { State } from "../core/state.ts";
import { isOfTheWorld } from "./is-of-the-world.ts";
import type { KeeperLine } from "./workspace/keepers.ts";

export type HaltsOptions = {
  readonly state: () => State;
  /** The keeper of a run's place; undefined where it has none. */
  readonly keeperOf: (run: Run) => Promise<KeeperLine | undefined>;
};

export class Halts {
  readonly #options: HaltsOptions;
  readonly #lines = new Map<string, Promise<unknown>>();
  /** Runs whose processes stand still, or may do so since an earlier daemon. */
  readonly #halted = new Set<string>();

  constructor(options: HaltsOptions) {
    this.#options = options;
  }

  /** A daemon comes to know its runs. */
  begin(runs: Iterable<Run>): void {
    for (const run of runs) {
      if (haltedIn(run) !== undefined) this.#halted.add(run.id);
      this.note(run);
    }
  }

  /** A run came to another state. The processes of a sub-run are its root's, and go on with those. */
  note(run: Run): void {
    const on = haltedIn(run);
    if (run.sub || on === undefined || (!on && !this.#halted.has(run.id))) return;
    if (on) this.#halted.add(run.id);
    const turn = (this.#lines.get(run.id) ?? Promise.resolve()).then(() => this.#settle(run.id));
    const line = turn.finally(() => {
      if (this.#lines.get(run.id) === line) this.#lines.delete(run.id);
    });
    this.#lines.set(run.id, line);
  }

  async #settle(id: string): Promise<void> {
    const run = this.#options.state().runs.get(id);
    const on = run === undefined ? undefined : haltedIn(run);
    if (run === undefined || on === undefined) return;
    try {
      const keeper = await this.#options.keeperOf(run);
      await keeper?.request({ op: "halt", on });
      if (!on) this.#halted.delete(id);
    } catch (error) {
      // A keeper that cannot be reached is looked after elsewhere, and what it held is gone or found again.
      if (!isOfTheWorld(error)) throw error;
    }
  }
}

/** Whether the processes of a run in this state stand still; undefined where they stay as they are. */
function haltedIn({ state }: Run): boolean | undefined {
  if (state === "paused") return true;
  return ["running", "blocked", "awaiting-input"].includes(state) ? false : undefined;
}
