// Hears how agents come up, and keeps it: the log has it too, but what was days ago would take a long look.

import { type Startup, startupsOf } from "../../core/agent/health-story.ts";
import type { Logged } from "../../core/events.ts";

/** A start that takes more than so many events is told by the first of them. */
const eventsMax = 500;
const ends: readonly string[] = ["hook.ended", "assistant.begun", "assistant.failed"];

export class StartWatch {
  readonly #note: (agent: string, start: Startup) => void;
  /** Of those that come up, or are just up, since they began. */
  readonly #coming = new Map<string, Logged[]>();

  constructor(note: (agent: string, start: Startup) => void) {
    this.#note = note;
  }

  hear(event: Logged): void {
    if (!("agent" in event) || typeof event.agent !== "string") return;
    const { agent } = event;
    const moved = event.type === "agent.moved" ? event.to : null;
    if (moved === "spawning") this.#coming.set(agent, [event]);
    const events = this.#coming.get(agent);
    if (events === undefined) return;
    if (moved !== "spawning" && events.length < eventsMax) events.push(event);
    if (moved !== null || ends.includes(event.type)) this.#tell(agent, events);
    if (moved !== null && moved !== "spawning" && moved !== "running") this.#coming.delete(agent);
  }

  #tell(agent: string, events: readonly Logged[]): void {
    const [start] = startupsOf(events);
    if (start !== undefined) this.#note(agent, start);
  }
}
