// A daemon that starts from a snapshot does not meet damage in what was decided long before it. So the whole log is read once
// after the start, beside the work, in a thread of its own; what is wrong is told in the daemon's log and with its status.

import { Worker } from "node:worker_threads";
import type { Damage } from "../adapters/store/log-damaged.ts";

export class LogCheck {
  readonly #worker: Worker;
  /** Settled when the log was read, or nobody wants to know any more. */
  readonly done: Promise<void>;
  #damage: Damage | null = null;

  constructor(path: string, say: (sentence: string) => void) {
    this.#worker = new Worker(new URL("log-check-worker.ts", import.meta.url), { workerData: path });
    this.#worker.unref();
    this.done = new Promise((resolve) => {
      this.#worker.once("exit", () => resolve());
      // The log may be gone, or its file be held: whoever needs it says so.
      this.#worker.once("error", () => resolve());
    });
    this.#worker.once("message", (damage: Damage | null) => {
      this.#damage = damage;
      if (damage === null) return;
      const place = damage.seq === 0 ? "The log" : `Event ${damage.seq} of the log`;
      say(`${place} is damaged: ${damage.reason}. What to do is in docs/operating/recovery.md.`);
    });
  }

  /** What was found; null is nothing, or nothing yet. */
  get damage(): Damage | null {
    return this.#damage;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
