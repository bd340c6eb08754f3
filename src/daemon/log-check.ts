// A daemon that starts from a snapshot does not meet damage in what was decided long before it. So the whole log is read once
// after the start, beside the work; what is wrong is told in the daemon's log and with its status.

import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Damage } from "../adapters/store/log-damaged.ts";
import { findDamage } from "../adapters/store/log-tools.ts";

/** A log as short as this is read in less time than a thread needs to begin. */
const shortLogMax = 500;

export type LogToCheck = {
  readonly path: string;
  readonly events: number;
  readonly say: (sentence: string) => void;
};

export class LogCheck {
  /** Settled when the log was read, or nobody wants to know any more. */
  readonly done: Promise<void>;
  #damage: Damage | null = null;
  #worker: Worker | undefined;
  #closed = false;

  constructor({ path, events, say }: LogToCheck) {
    const found = events > shortLogMax ? this.#findInThread(path) : this.#findHere(path);
    this.done = found.then(
      (damage) => {
        this.#damage = damage;
        if (damage === null) return;
        const place = damage.seq === 0 ? "The log" : `Event ${damage.seq} of the log`;
        say(`${place} is damaged: ${damage.reason}. What to do is in docs/operating/recovery.md.`);
      },
      // The log may be gone, or its file be held: whoever needs it says so.
      () => undefined,
    );
  }

  /** What was found; null is nothing, or nothing yet. */
  get damage(): Damage | null {
    return this.#damage;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
    await this.done;
  }

  async #findHere(path: string): Promise<Damage | null> {
    await setImmediate();
    return this.#closed ? null : findDamage(path);
  }

  #findInThread(path: string): Promise<Damage | null> {
    const worker = new Worker(new URL("log-check-worker.ts", import.meta.url), { workerData: path });
    this.#worker = worker;
    worker.unref();
    return new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => resolve(null));
    });
  }
}
