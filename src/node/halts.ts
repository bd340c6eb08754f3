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
  /** Resolves after a while, or when the signal says so. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** How soon what did not succeed is tried again, at first and at most. */
const [againMs, againMsMax] = [500, 30_000];

export class Halts {
  readonly #options: HaltsOptions;
  readonly #lines = new Map<string, Promise<unknown>>();
  /** Ends the last try of a run: somebody has more to say. */
  readonly #overtaken = new Map<string, AbortController>();
  /** Runs whose processes stand still, or may do so since an earlier daemon. */
  readonly #halted = new Set<string>();

  #isClosed = false;

  constructor(options: HaltsOptions) {
    this.#options = options;
  }

  /** A daemon comes to know its runs. One that was resumed and still waits for its slot or its units may stand still, too. */
  begin(runs: Iterable<Run>): void {
    for (const run of runs) {
      this.#halted.add(run.id);
      this.note(run);
    }
  }

  /** A run came to another state. The processes of a sub-run are its root's, and go on with those. */
  note(run: Run): void {
    const on = haltedIn(run);
    if (run.sub || on === undefined || (!on && !this.#halted.has(run.id))) return;
    if (on) this.#halted.add(run.id);
    this.#overtaken.get(run.id)?.abort();
    const overtaken = new AbortController();
    this.#overtaken.set(run.id, overtaken);
    const turn = (this.#lines.get(run.id) ?? Promise.resolve()).then(() => this.#settle(run.id, overtaken.signal));
    const line = turn.finally(() => {
      if (this.#lines.get(run.id) !== line) return;
      this.#lines.delete(run.id);
      this.#overtaken.delete(run.id);
    });
    this.#lines.set(run.id, line);
  }

  /** Nodes that are closed leave it to the daemon that comes after. */
  close(): void {
    this.#isClosed = true;
    for (const overtaken of this.#overtaken.values()) overtaken.abort();
  }

  /** A process that the disk holds, or a keeper that was lost, may be another thing a moment later: it is tried again. */
  async #settle(id: string, overtaken: AbortSignal): Promise<void> {
    for (let waitMs = againMs; !this.#isClosed; waitMs = Math.min(2 * waitMs, againMsMax)) {
      const run = this.#options.state().runs.get(id);
      const on = run === undefined ? undefined : haltedIn(run);
      if (run === undefined || on === undefined || (await this.#isDone(run, on))) return;
      await this.#options.sleep(waitMs, overtaken);
      if (overtaken.aborted) return;
    }
  }

  async #isDone(run: Run, on: boolean): Promise<boolean> {
    try {
      const keeper = await this.#options.keeperOf(run);
      await keeper?.request({ op: "halt", on });
      if (!on) this.#halted.delete(run.id);
      return true;
    } catch (error) {
      if (!isOfTheWorld(error)) throw error;
      return false;
    }
  }
}

/** Whether the processes of a run in this state stand still; undefined where they stay as they are. */
function haltedIn({ state }: Run): boolean | undefined {
  if (state === "paused") return true;
  return ["running", "blocked", "awaiting-input"].includes(state) ? false : undefined;
}
