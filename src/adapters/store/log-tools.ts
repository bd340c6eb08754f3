// Looking at a log from outside: is it whole, does its snapshot say the same as its events, and what is in it. Both work
// while a daemon writes the log, and change nothing.

import { CheckedFold, type StateReport } from "./checked-fold.ts";
import type { Damage } from "./log-damaged.ts";
import { genesis } from "./record.ts";
import { openReader } from "./sqlite-connection.ts";
import { type Page, SqliteLogReader } from "./sqlite-log-reader.ts";

const pageSize = 1000;

export type LogReport = {
  readonly path: string;
  readonly isWhole: boolean;
  /** Events that are whole, from the first up to the end or to the damage. */
  readonly events: number;
  /** The hash over all of them. Two logs with the same one have the same events. */
  readonly headHash: string;
  readonly eventsByType: Readonly<Record<string, number>>;
  readonly damage: Damage | null;
  readonly state: StateReport;
};

/** Walks the whole log and folds it. Throws a Fault only when there is no log to walk. */
export function verifyLog(path: string): LogReport {
  const db = openReader(path);
  try {
    const reader = new SqliteLogReader(db, path);
    const fold = new CheckedFold(reader.loadSnapshot());
    const eventsByType: Record<string, number> = {};
    let end = genesis;
    let damage: Damage | null = null;
    for (const page of pagesOf(reader, 0)) {
      for (const event of page.events) {
        const type = String(event["type"]);
        eventsByType[type] = (eventsByType[type] ?? 0) + 1;
        fold.add(event);
      }
      end = page.end;
      damage = page.damage?.damage ?? null;
    }
    damage ??= reader.findFileDamage();
    const state = fold.report();
    const isWhole = damage === null && (state.verdict === "equal" || state.verdict === "no-snapshot");
    return { path, isWhole, events: end.seq, headHash: end.hash, eventsByType, damage, state };
  } finally {
    db.close();
  }
}

/** Walks the whole log, and folds nothing. */
export function findDamage(path: string): Damage | null {
  const db = openReader(path);
  try {
    const reader = new SqliteLogReader(db, path);
    for (const page of pagesOf(reader, 0)) if (page.damage !== null) return page.damage.damage;
    return reader.findFileDamage();
  } finally {
    db.close();
  }
}

export type ExportRange = {
  /** The first and the last event wanted, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly type?: string | undefined;
};

/** The events as they were written, one JSON line each. At damage it throws a Fault, after everything before it. */
export function* exportLog(path: string, range: ExportRange = {}): Generator<string, void, void> {
  const { from = 1, to = Number.POSITIVE_INFINITY, type } = range;
  const db = openReader(path);
  try {
    for (const page of pagesOf(new SqliteLogReader(db, path), Math.max(0, from - 1))) {
      for (const [at, event] of page.events.entries()) {
        if (event.seq > to) return;
        if (type === undefined || event["type"] === type) yield page.records[at]?.body ?? "";
      }
      if (page.damage !== null) throw page.damage;
    }
  } finally {
    db.close();
  }
}

/** Page after page, each its own short transaction: a long one would keep the daemon from tidying its WAL. */
function* pagesOf(reader: SqliteLogReader, afterSeq: number): Generator<Page, void, void> {
  for (let at = afterSeq; ;) {
    const page = reader.readPage(at, pageSize);
    yield page;
    if (page.events.length === 0 || page.damage !== null) return;
    at = page.end.seq;
  }
}
