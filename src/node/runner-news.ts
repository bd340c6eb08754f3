// What an event of a run means to whoever drives it.

import type { Logged } from "../core/events.ts";
import type { Away, RunnerNews } from "../ports/runner.ts";

const away: ReadonlyMap<string, Away> = new Map([
  ["paused", "paused"],
  ["parked", "parked"],
  ["awaiting-input", "asking"],
]);

/** Why a run in this state has no slot; null where it may work, or has something else to do. */
export function awayIn(state: string): Away | null {
  return away.get(state) ?? null;
}

export function toNews(event: Logged): RunnerNews | undefined {
  switch (event.type) {
    case "run.messaged":
      return { is: "message", text: event.text, interrupts: event.interrupts === true };
    case "run.answered":
      return { is: "answer", text: event.text };
    case "run.moved": {
      const why = awayIn(event.to);
      if (why !== null) return { is: "away", why };
      return event.to === "running" ? { is: "back" } : undefined;
    }
    default:
      return undefined;
  }
}
