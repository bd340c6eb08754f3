// Those who wait for an event of a run, until it comes or somebody else decides what becomes of the run.

import type { Logged } from "../../core/events.ts";
import { DriverOvertaken } from "./driver-overtaken.ts";

type Waiter = { readonly hear: (event: Logged) => void; readonly overtaken: () => void };
type Wait<T> = { readonly heard: Promise<T>; readonly forget: () => void };

export class EventWaits {
  readonly #waiters = new Set<Waiter>();

  hear(event: Logged): void {
    for (const waiter of [...this.#waiters]) waiter.hear(event);
  }

  overtake(): void {
    for (const waiter of this.#waiters) waiter.overtaken();
  }

  /** The first event that the reader makes something of. */
  waitFor<T>(reader: (event: Logged) => T | undefined): Wait<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiter: Waiter = {
      hear: (event) => {
        const found = reader(event);
        if (found === undefined) return;
        this.#waiters.delete(waiter);
        resolve(found);
      },
      overtaken: () => reject(new DriverOvertaken()),
    };
    this.#waiters.add(waiter);
    // Nobody may be waiting for it any more when the run is overtaken.
    promise.catch(() => undefined);
    return { heard: promise, forget: () => this.#waiters.delete(waiter) };
  }
}
