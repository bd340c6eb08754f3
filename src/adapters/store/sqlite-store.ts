// The log in one SQLite file. Appends are synchronous: the engine gathers what came in meanwhile into the next batch, so
// one sync of the disk serves them all.

import { statSync } from "node:fs";
import { assert } from "../../base/assert.ts";
import type { Fault } from "../../base/fault.ts";
import type { Logged } from "../../core/events.ts";
import type { PlainState } from "../../core/snapshot.ts";
import type { EventStore, StoredEvent } from "../../ports/event-store.ts";
import { LogLock } from "./log-lock.ts";
import { type ChainEnd, toRecord, wholeEvents } from "./record.ts";
import { snapshotsKept, toSnapshotRecord } from "./snapshot-record.ts";
import { busyMsMax, type Connect, type Connection, openWriter } from "./sqlite-connection.ts";
import { toFault } from "./sqlite-faults.ts";
import { SqliteLogReader } from "./sqlite-log-reader.ts";

/** Rows that one statement takes: a call into SQLite costs as much as storing a row. */
const rowsPerInsert = 32;
/** A journal of less is not worth a sync. */
const journalBytesMin = 1024 * 1024;

export class SqliteStore implements EventStore {
  readonly #path: string;
  readonly #lock: LogLock;
  readonly #db: Connection;
  readonly #reader: SqliteLogReader;
  readonly #insert: (events: readonly Logged[], end: ChainEnd) => ChainEnd;
  readonly #keepSnapshot: (snapshot: PlainState, hash: string) => void;
  #head: ChainEnd;
  /** After a fault the disk may have kept what it said it did not: the end is read again before anything else. */
  #headIsSure = true;

  private constructor(path: string, lock: LogLock, db: Connection) {
    this.#path = path;
    this.#lock = lock;
    this.#db = db;
    this.#reader = new SqliteLogReader(db, path);
    this.#insert = makeInsert(db);
    this.#keepSnapshot = makeKeepSnapshot(db);
    this.#head = this.#reader.head();
  }

  /**
   * Opens the log at `path` for its one writer and makes it if there is none. Throws a Fault: `home-in-use`,
   * `store-unsafe`, `store-version`, `store-unavailable` or `log-damaged`.
   */
  static open(options: { readonly path: string; readonly connect?: Connect }): SqliteStore {
    const lock = LogLock.take(options.path);
    let db: Connection | undefined;
    try {
      db = openWriter(options.path, options.connect);
      return new SqliteStore(options.path, lock, db);
    } catch (error) {
      db?.close();
      lock.release();
      throw error;
    }
  }

  get lastSeq(): number {
    return this.#head.seq;
  }

  append(events: readonly Logged[], done: (fault: Fault | null) => void): void {
    let fault: Fault | null = null;
    try {
      this.#refreshHead();
      if (events.length > 0) this.#head = this.#insert(events, this.#head);
    } catch (error) {
      this.#headIsSure = false;
      fault = toFault(error, this.#path);
    }
    // Later, so that a caller which appends again from `done` does not build a tower of calls.
    queueMicrotask(() => {
      done(fault);
    });
  }

  async read(afterSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    this.#refreshHead();
    return wholeEvents(this.#reader.readPage(afterSeq, limit));
  }

  async saveSnapshot(snapshot: PlainState): Promise<void> {
    const hash = this.#reader.hashOf(snapshot.seq);
    assert(hash !== undefined, `a snapshot at ${snapshot.seq} is of an event that is not durable`);
    try {
      this.#keepSnapshot(snapshot, hash);
    } catch (error) {
      throw toFault(error, this.#path);
    }
  }

  async loadSnapshot(): Promise<PlainState | null> {
    return this.#reader.loadSnapshot();
  }

  /**
   * Brings what is in the journal beside the log into it, and gives the journal's room on the disk back. Whoever reads just now
   * is not waited for: then it is done the next time. Answers the bytes that went, or with `dryRun` would.
   */
  checkpoint(dryRun: boolean): number {
    const sizeOf = (): number => statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const before = sizeOf();
    if (before < journalBytesMin || dryRun) return before < journalBytesMin ? 0 : before;
    try {
      this.#db.pragma("busy_timeout = 0");
      this.#db.pragma("wal_checkpoint(TRUNCATE)");
    } catch (error) {
      throw toFault(error, this.#path);
    } finally {
      this.#db.pragma(`busy_timeout = ${busyMsMax}`);
    }
    return before - sizeOf();
  }

  async close(): Promise<void> {
    this.#db.close();
    this.#lock.release();
  }

  #refreshHead(): void {
    if (this.#headIsSure) return;
    this.#head = this.#reader.head();
    this.#headIsSure = true;
  }
}

/** Stores whole steps and the new end of the log in one transaction, and answers that end. */
function makeInsert(db: Connection): (events: readonly Logged[], end: ChainEnd) => ChainEnd {
  const insertInto = "INSERT INTO events (seq, body, checksum, hash) VALUES";
  const insertOne = db.prepare(`${insertInto} (?, ?, ?, ?)`);
  const insertMany = db.prepare(`${insertInto} ${Array(rowsPerInsert).fill("(?, ?, ?, ?)").join(", ")}`);
  const moveHead = db.prepare("UPDATE head SET seq = ?, hash = ?");
  const parameters = Array.from<string | number>({ length: 4 * rowsPerInsert });
  const insert = db.transaction((events: readonly Logged[], end: ChainEnd): ChainEnd => {
    let last = end;
    let filled = 0;
    for (const event of events) {
      assert(event.seq === last.seq + 1, `event ${event.seq} does not follow ${last.seq}`);
      const record = toRecord(event, last);
      last = record;
      parameters[filled++] = record.seq;
      parameters[filled++] = record.body;
      parameters[filled++] = record.checksum;
      parameters[filled++] = record.hash;
      if (filled < parameters.length) continue;
      insertMany.run(parameters);
      filled = 0;
    }
    for (let at = 0; at < filled; at += 4) insertOne.run(parameters.slice(at, at + 4));
    moveHead.run(last.seq, last.hash);
    return { seq: last.seq, hash: last.hash };
  });
  return (events, end) => insert.immediate(events, end);
}

/** Adds a snapshot and drops those that it makes needless, together. */
function makeKeepSnapshot(db: Connection): (snapshot: PlainState, hash: string) => void {
  const insert = db.prepare("INSERT OR REPLACE INTO snapshots (seq, hash, body, checksum) VALUES (?, ?, ?, ?)");
  const drop = db.prepare(
    "DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)",
  );
  const keep = db.transaction((snapshot: PlainState, hashOfSeq: string) => {
    const { seq, hash, body, checksum } = toSnapshotRecord(snapshot, hashOfSeq);
    insert.run(seq, hash, body, checksum);
    drop.run(snapshotsKept);
  });
  return (snapshot, hash) => {
    keep.immediate(snapshot, hash);
  };
}
