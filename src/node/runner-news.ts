// What an event of a run means to whoever drives it.

import type { Logged } from "../core/events.ts";
import type { RunnerNews } from "../ports/runner.ts";

const away: ReadonlyMap<string, Extract<RunnerNews, { is: "away" }>["why"]> = new Map([
  ["paused", "paused"],
  ["parked", "parked"],
  ["awaiting-input", "asking"],
]);

export function toNews(event: Logged): RunnerNews | undefined {
  switch (event.type) {
    case "run.messaged":
      return { is: "message", text: event.text, interrupts: event.interrupts === true };
    case "run.answered":
      return { is: "answer", text: event.text };
    case "run.moved": {
      const why = away.get(event.to);
      if (why !== undefined) return { is: "away", why };
      return event.to === "running" ? { is: "back" } : undefined;
    }
    default:
      return undefined;
  }
}
