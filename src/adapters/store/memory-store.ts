// The log in memory, with the same records and the same checks as on disk: for tests, and for a daemon that is not meant
// to leave anything behind.

import { assert } from "../../base/assert.ts";
import { Fault } from "../../base/fault.ts";
import type { Logged } from "../../core/events.ts";
import type { PlainState } from "../../core/snapshot.ts";
import type { EventStore, StoredEvent } from "../../ports/event-store.ts";
import { LogDamaged } from "./log-damaged.ts";
import { type ChainEnd, genesis, openPage, type StoredRecord, toRecord, wholeEvents } from "./record.ts";
import { openSnapshot, type SnapshotRecord, snapshotsKept, toSnapshotRecord } from "./snapshot-record.ts";

/** What a memory store writes to. A store opened on the same disk finds what the one before it left. */
export type MemoryDisk = {
  records: StoredRecord[];
  snapshots: SnapshotRecord[];
  head: ChainEnd;
  isInUse: boolean;
  bytesMax: number;
};

export function makeMemoryDisk(): MemoryDisk {
  return { records: [], snapshots: [], head: genesis, isInUse: false, bytesMax: Number.POSITIVE_INFINITY };
}

export class MemoryStore implements EventStore {
  readonly #disk: MemoryDisk;

  constructor(disk = makeMemoryDisk()) {
    if (disk.isInUse) throw new Fault("home-in-use", { message: "another store is writing this log", retry: "never" });
    disk.isInUse = true;
    this.#disk = disk;
  }

  get lastSeq(): number {
    return this.#disk.head.seq;
  }

  append(events: readonly Logged[], done: (fault: Fault | null) => void): void {
    const disk = this.#disk;
    let end = disk.head;
    const added = events.map((event) => {
      assert(event.seq === end.seq + 1, `event ${event.seq} does not follow ${end.seq}`);
      const record = toRecord(event, end);
      end = { seq: record.seq, hash: record.hash };
      return record;
    });
    const fault = this.#findRoom(added);
    if (fault === null) {
      for (const record of added) disk.records.push(record);
      disk.head = end;
    }
    queueMicrotask(() => {
      done(fault);
    });
  }

  async read(afterSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    const { records, head } = this.#disk;
    const hash = this.#hashOf(afterSeq);
    if (hash === undefined) {
      if (afterSeq > head.seq) return [];
      throw new LogDamaged({ seq: afterSeq, kind: "missing", reason: "it is not in the log" });
    }
    // In a whole log event n stands at n - 1; only a damaged one has to be searched.
    const isWhole = afterSeq === records.length || records[afterSeq]?.seq === afterSeq + 1;
    const from = isWhole ? afterSeq : records.findIndex(({ seq }) => seq > afterSeq);
    const page = from === -1 ? [] : records.slice(from, from + limit);
    return wholeEvents(openPage(page, { anchor: { seq: afterSeq, hash }, head, limit }));
  }

  async saveSnapshot(snapshot: PlainState): Promise<void> {
    const hash = this.#hashOf(snapshot.seq);
    assert(hash !== undefined, `a snapshot at ${snapshot.seq} is of an event that is not durable`);
    const fresh = toSnapshotRecord(snapshot, hash);
    const fault = this.#findRoom([fresh]);
    if (fault !== null) throw fault;
    const others = this.#disk.snapshots.filter(({ seq }) => seq !== fresh.seq);
    this.#disk.snapshots = [fresh, ...others].toSorted((a, b) => b.seq - a.seq).slice(0, snapshotsKept);
  }

  async loadSnapshot(): Promise<PlainState | null> {
    for (const record of this.#disk.snapshots) {
      const plain = openSnapshot(record, this.#hashOf(record.seq));
      if (plain !== null) return plain;
    }
    return null;
  }

  async close(): Promise<void> {
    this.#disk.isInUse = false;
  }

  #hashOf(seq: number): string | undefined {
    if (seq === 0) return genesis.hash;
    const { records } = this.#disk;
    const direct = records[seq - 1];
    return direct?.seq === seq ? direct.hash : records.find((record) => record.seq === seq)?.hash;
  }

  #findRoom(added: readonly { readonly body: string }[]): Fault | null {
    const { records, snapshots, bytesMax } = this.#disk;
    if (bytesMax === Number.POSITIVE_INFINITY) return null;
    const bytes = [...records, ...snapshots, ...added].reduce((sum, { body }) => sum + body.length, 0);
    if (bytes <= bytesMax) return null;
    return new Fault("store-unavailable", { message: "the memory set aside for the log is full", retry: "later" });
  }
}
