// Pages of the log. One page looks at a bounded number of events; a filter that finds little answers early and says where
// to go on.

import { upgradeEvent } from "../core/upgrade.ts";
import type { StoredEvent } from "../ports/event-store.ts";
import { protocolError } from "../protocol/errors.ts";
import type { EventPage, LogEvent } from "../protocol/wire/log-event.ts";
import { type EventFilter, matchesSubjects, matchesType, needsSubjects } from "./event-filter.ts";
import type { EventSubjects } from "./event-subjects.ts";
import { numberOfId } from "./number-of-id.ts";
import type { DaemonParts } from "./parts.ts";

const lookedAtMax = 20_000;
const chunkEvents = 512;

export class History {
  readonly #store: DaemonParts["store"];
  readonly #subjects: EventSubjects;

  constructor(store: DaemonParts["store"], subjects: EventSubjects) {
    this.#store = store;
    this.#subjects = subjects;
  }

  /** Matching events after a number, at most `limit` of them, none after `to`. */
  async read(after: number, to: number, limit: number, filter: EventFilter): Promise<EventPage> {
    const events: LogEvent[] = [];
    let next = after;
    for (let looked = 0; next < to && events.length < limit && looked < lookedAtMax;) {
      const chunk = await this.#store.read(next, Math.min(chunkEvents, to - next));
      if (chunk.length === 0) break;
      // The store answers at once, so a long search would keep everybody else waiting.
      await new Promise(setImmediate);
      looked += chunk.length;
      for (const stored of chunk) {
        if (stored.seq > to || events.length >= limit) break;
        const matches = this.#matches(stored, filter);
        if (typeof matches === "boolean" ? matches : await matches) events.push(toLogEvent(stored));
        next = stored.seq;
      }
    }
    return { events, next, more: next < to, at: to };
  }

  /** The number of the event that submitted a run, also of one that was removed since. Throws `not-found`. */
  async mustHaveRun(run: string): Promise<number> {
    const made = numberOfId(run);
    const [origin] = made === undefined || made > this.#store.lastSeq ? [] : await this.#store.read(made - 1, 1);
    if (origin?.["type"] !== "run.submitted" || origin["run"] !== run)
      throw protocolError("not-found", { kind: "run", id: run });
    return origin.seq;
  }

  /** Most events are about something that is remembered; only for the others the log is asked. */
  #matches(event: StoredEvent, filter: EventFilter): boolean | Promise<boolean> {
    if (!matchesType(filter, String(event["type"]))) return false;
    if (!needsSubjects(filter)) return true;
    const subjects = this.#subjects.of(event);
    if (subjects !== undefined) return matchesSubjects(filter, subjects);
    return this.#subjects.ofOld(event).then((found) => matchesSubjects(filter, found));
  }
}

/** Readers get the newest shape of an event, whichever release wrote it. */
function toLogEvent(stored: StoredEvent): LogEvent {
  const upgraded = upgradeEvent(stored);
  return ("atMs" in upgraded ? upgraded : stored) as unknown as LogEvent;
}
