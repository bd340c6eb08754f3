// How long agents were on their ladders: from the first rung until they were up again, waited for a person, or were gone.

import type { Logged } from "../../src/core/events.ts";

const rests: ReadonlySet<string> = new Set(["running", "error", "stopped"]);

export class LadderTimes {
  /** Since when those are on a ladder that are. */
  readonly #since = new Map<string, number>();
  #longestMs: number | undefined;

  /** Undefined where no ladder came to its end. */
  get longestMs(): number | undefined {
    return this.#longestMs;
  }

  hear(event: Logged): void {
    if (event.type === "agent.climbed" && !this.#since.has(event.agent)) this.#since.set(event.agent, event.atMs);
    const isOver = (event.type === "agent.moved" && rests.has(event.to)) || event.type === "agent.removed";
    if (!isOver) return;
    const sinceMs = this.#since.get(event.agent);
    if (sinceMs === undefined) return;
    this.#since.delete(event.agent);
    this.#longestMs = Math.max(this.#longestMs ?? 0, event.atMs - sinceMs);
  }
}
