// Pages of the log. One page looks at a bounded number of events; a filter that finds little answers early and says where
// to go on.

import { upgradeEvent } from "../core/upgrade.ts";
import type { StoredEvent } from "../ports/event-store.ts";
import { protocolError } from "../protocol/errors.ts";
import type { EventPage, LogEvent } from "../protocol/wire/log-event.ts";
import { type EventFilter, matchesItself, matchesSubjects, needsSubjects } from "./event-filter.ts";
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

  /** Matching events before a number and after another, the newest first, at most `limit` of them. */
  async readBack(
    { after, before }: { readonly after: number; readonly before: number },
    limit: number,
    filter: EventFilter,
  ): Promise<EventPage> {
    const to = this.#store.lastSeq;
    const events: LogEvent[] = [];
    let next = Math.min(before, to + 1);
    for (let looked = 0; next > after + 1 && events.length < limit && looked < lookedAtMax;) {
      const from = Math.max(after, next - 1 - chunkEvents);
      const chunk = await this.#store.read(from, next - 1 - from);
      await new Promise(setImmediate);
      looked += chunk.length;
      for (const stored of chunk.toReversed()) {
        if (events.length >= limit) break;
        if (await this.#matches(stored, filter)) events.push(toLogEvent(stored));
        next = stored.seq;
      }
    }
    return { events, next, more: next > after + 1, at: to };
  }

  /** The last event at an instant, or number 0 before the first one. Engine time never runs back, so halving finds it. */
  async lastAt(atMs: number): Promise<{ seq: number; atMs: number | null }> {
    let found: { seq: number; atMs: number | null } = { seq: 0, atMs: null };
    for (let low = 1, high = this.#store.lastSeq; low <= high;) {
      const middle = Math.floor((low + high) / 2);
      const [stored] = await this.#store.read(middle - 1, 1);
      const at = Number(stored?.["atMs"]);
      if (at <= atMs) {
        found = { seq: middle, atMs: at };
        low = middle + 1;
      } else high = middle - 1;
    }
    return found;
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
    if (!matchesItself(filter, event)) return false;
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
