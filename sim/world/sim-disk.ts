// What survives the daemon: the records of the log, each with a checksum and a link that goes on from the one before, where
// the log should end, a copy of it elsewhere, and snapshots. Bits flip and ends tear here; a reader notices.

import { Fault } from "../../src/base/fault.ts";
import { snapshotVersion, type PlainState } from "../../src/core/snapshot.ts";
import type { StoredEvent } from "../../src/ports/event-store.ts";

export type SimRecord = { text: string; sum: number; link: number };
type Snapshot = {
  text: string;
  readonly sum: number;
  readonly seq: number;
  readonly version: number;
  readonly link: number;
};

const snapshotsMax = 2;

/** A record is not what was written. Which one is said, and nothing after it is given out. */
export class SimLogDamaged extends Fault {
  readonly damage: { readonly seq: number };

  constructor(seq: number, message: string) {
    super("log-damaged", { retry: "never", message });
    this.damage = { seq };
  }
}

export class SimDisk {
  /** By place; a hole is a record that is gone. */
  readonly records: (SimRecord | undefined)[] = [];
  /** Where the log should end, kept apart from it. */
  #end = { seq: 0, link: 0 };
  /** The copy that a person restores from. */
  readonly #copy: SimRecord[] = [];
  #snapshots: Snapshot[] = [];
  /** Which records are damaged and not yet restored. */
  readonly damaged = new Set<number>();
  isOpen = false;
  isFull = false;
  slowMs = 0;
  /** The next append fails, so that the log is read again. */
  refusesNext = false;
  /** When an append last failed or took long. */
  troubledAtMs = 0;
  /** When an append last came back. */
  usedAtMs = 0;

  get lastSeq(): number {
    return this.#end.seq;
  }

  get snapshotCount(): number {
    return this.#snapshots.length;
  }

  write(texts: readonly string[]): void {
    for (const text of texts) {
      const link = checksum(text, this.#end.link);
      const record = { text, sum: checksum(text, 0), link };
      this.records[this.#end.seq] = record;
      this.#copy.push({ ...record });
      this.#end = { seq: this.#end.seq + 1, link };
    }
  }

  /** Reads records and checks that each follows from the one before. Damage is named, never skipped. */
  read(afterSeq: number, limit: number): StoredEvent[] {
    const { seq: last, link: lastLink } = this.#end;
    if (afterSeq > last || limit <= 0) return [];
    let link = afterSeq === 0 ? 0 : this.#at(afterSeq).link;
    const found: StoredEvent[] = [];
    for (let seq = afterSeq + 1; seq <= Math.min(last, afterSeq + limit); seq++) {
      const record = this.#at(seq);
      if (checksum(record.text, 0) !== record.sum)
        throw new SimLogDamaged(seq, `event ${seq} does not match its checksum`);
      const event = JSON.parse(record.text) as StoredEvent;
      if (event.seq !== seq) throw new SimLogDamaged(seq, `in place of event ${seq} stands event ${event.seq}`);
      link = checksum(record.text, link);
      if (link !== record.link) throw new SimLogDamaged(seq, `event ${seq} does not follow from event ${seq - 1}`);
      if (seq === last && link !== lastLink)
        throw new SimLogDamaged(seq, `event ${seq} ends the log with another hash`);
      found.push(event);
    }
    return found;
  }

  /** What was written, whatever became of it since. */
  truth(seq: number): string | undefined {
    return this.#copy[seq - 1]?.text;
  }

  flip(seq: number, at: number): void {
    const record = this.records[seq - 1];
    if (record === undefined || this.damaged.has(seq)) return;
    const place = at % record.text.length;
    const flipped = String.fromCharCode(record.text.charCodeAt(place) ^ 1);
    record.text = record.text.slice(0, place) + flipped + record.text.slice(place + 1);
    this.damaged.add(seq);
  }

  tear(seq: number): void {
    const record = this.records[seq - 1];
    if (record === undefined || this.damaged.has(seq)) return;
    record.text = record.text.slice(0, record.text.length >> 1);
    this.damaged.add(seq);
  }

  /** A record is gone, as if it had never been written. */
  lose(seq: number): void {
    this.records[seq - 1] = undefined;
    this.damaged.add(seq);
  }

  restore(): void {
    for (const seq of this.damaged) {
      const whole = this.#copy[seq - 1];
      if (whole !== undefined) this.records[seq - 1] = { ...whole };
    }
    this.damaged.clear();
  }

  keepSnapshot({ seq, version }: PlainState, text: string): void {
    const others = this.#snapshots.filter((snapshot) => snapshot.seq !== seq);
    const link = this.records[seq - 1]?.link ?? 0;
    this.#snapshots = [...others, { text, sum: checksum(text, 0), seq, version, link }].slice(-snapshotsMax);
  }

  /** The newest snapshot that is whole, of this past, and of a shape that we know. */
  snapshot(): { readonly text: string; readonly skipped: number } | undefined {
    for (let at = this.#snapshots.length - 1; at >= 0; at--) {
      const snapshot = this.#snapshots[at];
      if (snapshot === undefined || snapshot.version !== snapshotVersion) continue;
      const isWhole = checksum(snapshot.text, 0) === snapshot.sum;
      const isOurs = snapshot.seq === 0 || this.records[snapshot.seq - 1]?.link === snapshot.link;
      if (isWhole && isOurs) return { text: snapshot.text, skipped: this.#snapshots.length - 1 - at };
    }
    return undefined;
  }

  loseSnapshot(): void {
    this.#snapshots.pop();
  }

  damageSnapshot(at: number, seq = this.#snapshots.at(-1)?.seq): void {
    const snapshot = this.#snapshots.find((each) => each.seq === seq);
    if (snapshot === undefined) return;
    const place = at % snapshot.text.length;
    snapshot.text = `${snapshot.text.slice(0, place)}#${snapshot.text.slice(place + 1)}`;
  }

  #at(seq: number): SimRecord {
    const record = this.records[seq - 1];
    if (record !== undefined) return record;
    throw new SimLogDamaged(seq, `event ${seq} is not in the log, which should end at ${this.#end.seq}`);
  }
}

export function checksum(text: string, from: number): number {
  let sum = from ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum ^ (sum >>> 15)) | 0;
}
