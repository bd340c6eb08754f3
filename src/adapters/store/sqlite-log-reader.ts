// Reads a log in SQLite and checks every record on the way. The writer reads through it, and so do tools that look at a
// log while a daemon writes it.

import type { PlainState } from "../../core/snapshot.ts";
import { type Damage, LogDamaged } from "./log-damaged.ts";
import { type ChainEnd, type CheckedPage, genesis, openPage, type StoredRecord } from "./record.ts";
import { openSnapshot, type SnapshotRecord } from "./snapshot-record.ts";
import type { Connection } from "./sqlite-connection.ts";
import { isDamage, toFault } from "./sqlite-faults.ts";

const selectRecords = "SELECT seq, body, checksum, hash FROM events WHERE seq > ? ORDER BY seq LIMIT ?";

export type Page = CheckedPage & { readonly records: readonly StoredRecord[] };

type Rows = {
  readonly head: ChainEnd;
  /** The hash of the event before the first row, undefined when there is no such event. */
  readonly anchor: string | undefined;
  readonly records: readonly StoredRecord[];
};

export class SqliteLogReader {
  readonly #db: Connection;
  readonly #path: string;
  readonly #selectHead;
  readonly #selectRecords;
  readonly #selectHash;
  readonly #readRows;

  constructor(db: Connection, path: string) {
    this.#db = db;
    this.#path = path;
    this.#selectHead = db.prepare<[], ChainEnd>("SELECT seq, hash FROM head");
    this.#selectRecords = db.prepare<[number, number], StoredRecord>(selectRecords);
    this.#selectHash = db.prepare<[number], string>("SELECT hash FROM events WHERE seq = ?").pluck();
    // One transaction, so that the rows and the end belong to the same instant.
    this.#readRows = db.transaction((afterSeq: number, limit: number): Rows => ({
      head: this.#head(),
      anchor: this.#hashOf(afterSeq),
      records: this.#selectRecords.all(afterSeq, limit),
    }));
  }

  /** The end of the log, as the last append wrote it down. */
  head(): ChainEnd {
    return this.#guard(() => this.#head());
  }

  /** The hash over everything up to an event, undefined when there is no such event. */
  hashOf(seq: number): string | undefined {
    return this.#guard(() => this.#hashOf(seq));
  }

  /** Records after `afterSeq`, each checked against the one before it. */
  readPage(afterSeq: number, limit: number): Page {
    const { damage, rows } = this.#readAround(afterSeq, limit);
    const { head, anchor, records } = rows;
    const start = { seq: afterSeq, hash: anchor ?? genesis.hash };
    if (anchor === undefined) {
      if (afterSeq > head.seq) return { records: [], events: [], end: start, damage: null };
      throw new LogDamaged({ seq: afterSeq, kind: "missing", reason: "it is not in the log" });
    }
    const page = openPage(records, { anchor: start, head, limit: damage === null ? limit : records.length });
    return { ...page, records, damage: page.damage ?? damage };
  }

  /** The newest snapshot that is whole and belongs to this log, or null. */
  loadSnapshot(): PlainState | null {
    const select = "SELECT seq, hash, body, checksum FROM snapshots WHERE seq = ?";
    for (const seq of this.#snapshotSeqs()) {
      const plain = this.#orNull(() => {
        const record = this.#db.prepare<[number], SnapshotRecord>(select).get(seq);
        return record === undefined ? null : openSnapshot(record, this.#hashOf(seq));
      });
      if (plain !== null) return plain;
    }
    return null;
  }

  /** What SQLite finds wrong with its own file, beyond the pages that hold events. */
  findFileDamage(): Damage | null {
    const found = this.#guard(() => this.#db.pragma("integrity_check(1)", { simple: true }));
    return found === "ok" ? null : { seq: 0, kind: "file", reason: `SQLite reports: ${String(found)}` };
  }

  #snapshotSeqs(): number[] {
    const select = this.#db.prepare<[], number>("SELECT seq FROM snapshots ORDER BY seq DESC").pluck();
    return this.#orNull(() => select.all()) ?? [];
  }

  #head(): ChainEnd {
    const head = this.#selectHead.get();
    if (head === undefined) throw new LogDamaged({ seq: 0, kind: "file", reason: "it does not say where it ends" });
    return head;
  }

  #hashOf(seq: number): string | undefined {
    return seq === 0 ? genesis.hash : this.#selectHash.get(seq);
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw toFault(error, this.#path);
    }
  }

  /** Reads rows, and when SQLite cannot read one of them, those before it. */
  #readAround(afterSeq: number, limit: number): { rows: Rows; damage: LogDamaged | null } {
    try {
      return { rows: this.#readRows(afterSeq, limit), damage: null };
    } catch (error) {
      if (!isDamage(error)) throw toFault(error, this.#path);
      const seq = this.#findUnreadable(afterSeq, limit);
      const damage = new LogDamaged({ seq, kind: "file", reason: `SQLite cannot read it (${String(error)})` }, error);
      return { rows: this.#guard(() => this.#readRows(afterSeq, seq - 1 - afterSeq)), damage };
    }
  }

  /** A page that SQLite cannot read names no event; walking towards it one by one does. */
  #findUnreadable(afterSeq: number, limit: number): number {
    let seq = afterSeq;
    try {
      while (seq < afterSeq + limit && this.#selectRecords.get(seq, 1)?.seq === seq + 1) seq++;
    } catch {
      // This is the place.
    }
    return seq + 1;
  }

  /** A damaged snapshot is no snapshot. */
  #orNull<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (isDamage(error)) return null;
      throw toFault(error, this.#path);
    }
  }
}
