// A record: an event as bytes that vouch for themselves and for everything before them. The body is the event as JSON;
// checksum and hash cover exactly the bytes that are stored, so nothing has to be spelled again to be checked.

import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Logged } from "../../core/events.ts";
import type { StoredEvent } from "../../ports/event-store.ts";
import { LogDamaged } from "./log-damaged.ts";

export type StoredRecord = {
  readonly seq: number;
  readonly body: string;
  /** CRC-32 of the body: tells a damaged record from a whole one in the wrong place. */
  readonly checksum: number;
  /** SHA-256, in hex, of the hash before it followed by the body. */
  readonly hash: string;
};

/** Where a chain ends: its last event, and the hash over everything up to it. */
export type ChainEnd = { readonly seq: number; readonly hash: string };

/** The end of an empty log. */
export const genesis: ChainEnd = { seq: 0, hash: "0".repeat(64) };

export function toRecord(event: Logged, previous: ChainEnd): StoredRecord {
  const body = JSON.stringify(event);
  return { seq: event.seq, body, checksum: crc32(body), hash: linkHash(previous.hash, body) };
}

/** Reads a record that has to follow `previous`. Throws LogDamaged, with its place, when it does not. */
export function openRecord(record: StoredRecord, previous: ChainEnd): StoredEvent {
  const seq = previous.seq + 1;
  if (record.seq !== seq) throw new LogDamaged({ seq, kind: "missing", reason: "it is not in the log" });
  // What comes from a damaged page need not have the type of its column.
  const body: unknown = record.body;
  if (typeof body !== "string" || crc32(body) !== record.checksum) {
    throw new LogDamaged({ seq, kind: "checksum", reason: "its bytes do not match its checksum" });
  }
  const event = parseEvent(body);
  if (event?.seq !== seq) {
    const reason = event === undefined ? "it is no event" : `in its place stands event ${event.seq}`;
    throw new LogDamaged({ seq, kind: "order", reason });
  }
  if (linkHash(previous.hash, body) !== record.hash) {
    const reason = seq === 1 ? "its hash does not match" : `it does not follow from event ${previous.seq}`;
    throw new LogDamaged({ seq, kind: "chain", reason: `${reason}: one of them was changed after it was written` });
  }
  return event;
}

/** A page of the log as far as it is whole, and what is wrong after that. */
export type CheckedPage = {
  readonly events: readonly StoredEvent[];
  readonly end: ChainEnd;
  readonly damage: LogDamaged | null;
};

/**
 * Reads a page of records after `anchor`. The page that reaches the end has to end where the log says that it ends;
 * otherwise a log that lost its newest events would look whole.
 */
export function openPage(
  records: readonly StoredRecord[],
  bounds: { readonly anchor: ChainEnd; readonly head: ChainEnd; readonly limit: number },
): CheckedPage {
  const events: StoredEvent[] = [];
  let end = bounds.anchor;
  try {
    for (const record of records) {
      events.push(openRecord(record, end));
      end = record;
    }
    if (records.length < bounds.limit) checkEnd(end, bounds.head);
    return { events, end, damage: null };
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    return { events, end, damage: error };
  }
}

/** The events of a page that has to be whole. */
export function wholeEvents({ events, damage }: CheckedPage): readonly StoredEvent[] {
  if (damage !== null) throw damage;
  return events;
}

/** Compares the end that was found with the one that the last append wrote down. */
function checkEnd(found: ChainEnd, head: ChainEnd): void {
  if (found.seq < head.seq) {
    const reason = `the log ends at event ${found.seq} and should end at ${head.seq}`;
    throw new LogDamaged({ seq: found.seq + 1, kind: "missing", reason });
  }
  if (found.seq > head.seq || found.hash !== head.hash) {
    const reason = `the log should end at event ${head.seq}, with another hash`;
    throw new LogDamaged({ seq: found.seq, kind: "chain", reason });
  }
}

function linkHash(previous: string, body: string): string {
  return hash("sha256", previous + body, "hex");
}

function parseEvent(body: string): StoredEvent | undefined {
  try {
    const event: unknown = JSON.parse(body);
    const isEvent = typeof event === "object" && event !== null && "seq" in event && typeof event.seq === "number";
    return isEvent ? (event as StoredEvent) : undefined;
  } catch {
    return undefined;
  }
}
