// What is made of events as they come: each is taken in once, and whoever looks is told when the page is drawn.

import type { LogEvent } from "../../protocol/wire/log-event.ts";

/** Gets events the oldest first, and answers the same value where they say nothing new. */
export type Fold<T> = (before: T, events: readonly LogEvent[]) => T;

export class Heard<T> {
  #value: T;
  #shown: T;
  /** Number of the newest that was taken in. */
  #seq = 0;
  readonly #listeners = new Set<() => void>();

  constructor(first: T) {
    this.#value = first;
    this.#shown = first;
  }

  readonly read = (): T => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Events the oldest first; those that it knows already are left out. */
  take(events: readonly LogEvent[], fold: Fold<T>): void {
    const last = events.at(-1)?.seq ?? 0;
    if (last <= this.#seq) return;
    const known = this.#seq;
    this.#seq = last;
    this.#value = fold(
      this.#value,
      events.filter(({ seq }) => seq > known),
    );
  }

  /** Shows what was made of all that came until now. */
  show(): void {
    if (this.#shown === this.#value) return;
    this.#shown = this.#value;
    for (const listener of this.#listeners) listener();
  }
}
