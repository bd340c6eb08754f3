// What survives the daemon: the records of the log, each with a checksum that goes on from the one before, a copy of them
// elsewhere, and snapshots. Bits may flip and ends may tear here; a reader notices, because the sums no longer follow.

import { Fault } from "../../src/base/fault.ts";
import type { StoredEvent } from "../../src/ports/event-store.ts";

type Record = { text: string; readonly sum: number };
type Snapshot = { text: string; readonly sum: number };

const snapshotsMax = 3;

export class SimDisk {
  readonly #records: Record[] = [];
  /** The copy that a person restores from. */
  readonly #copy: string[] = [];
  #snapshots: Snapshot[] = [];
  /** Which records are damaged and not yet restored. */
  readonly damaged = new Set<number>();
  isFull = false;
  slowMs = 0;
  /** The next append fails, so that the log is read again. */
  refusesNext = false;
  /** When an append last failed or took long. */
  troubledAtMs = 0;

  get lastSeq(): number {
    return this.#records.length;
  }

  get snapshotCount(): number {
    return this.#snapshots.length;
  }

  write(texts: readonly string[]): void {
    for (const text of texts) {
      this.#records.push({ text, sum: checksum(text, this.#records.at(-1)?.sum ?? 0) });
      this.#copy.push(text);
    }
  }

  /** Reads records and checks that each follows from the one before. Damage is named, never skipped. */
  read(afterSeq: number, limit: number): StoredEvent[] {
    const found: StoredEvent[] = [];
    let sum = this.#records[afterSeq - 1]?.sum ?? 0;
    for (let at = afterSeq; at < Math.min(this.#records.length, afterSeq + limit); at++) {
      const record = this.#records[at];
      if (record === undefined) break;
      sum = checksum(record.text, sum);
      if (sum !== record.sum) {
        throw new Fault("log-damaged", { retry: "never", message: `event ${at + 1} does not match its checksum` });
      }
      found.push(JSON.parse(record.text) as StoredEvent);
    }
    return found;
  }

  /** What was written, whatever became of it since. */
  truth(seq: number): string | undefined {
    return this.#copy[seq - 1];
  }

  flip(seq: number, at: number): void {
    const record = this.#records[seq - 1];
    if (record === undefined || this.damaged.has(seq)) return;
    const place = at % record.text.length;
    const flipped = String.fromCharCode(record.text.charCodeAt(place) ^ 1);
    record.text = record.text.slice(0, place) + flipped + record.text.slice(place + 1);
    this.damaged.add(seq);
  }

  tear(seq: number): void {
    const record = this.#records[seq - 1];
    if (record === undefined || this.damaged.has(seq)) return;
    record.text = record.text.slice(0, record.text.length >> 1);
    this.damaged.add(seq);
  }

  restore(): void {
    for (const seq of this.damaged) {
      const record = this.#records[seq - 1];
      const text = this.#copy[seq - 1];
      if (record !== undefined && text !== undefined) record.text = text;
    }
    this.damaged.clear();
  }

  keepSnapshot(text: string): void {
    this.#snapshots = [...this.#snapshots, { text, sum: checksum(text, 0) }].slice(-snapshotsMax);
  }

  /** The newest snapshot that is whole. */
  snapshot(): { readonly text: string; readonly skipped: number } | undefined {
    for (let at = this.#snapshots.length - 1; at >= 0; at--) {
      const snapshot = this.#snapshots[at];
      if (snapshot === undefined || checksum(snapshot.text, 0) !== snapshot.sum) continue;
      return { text: snapshot.text, skipped: this.#snapshots.length - 1 - at };
    }
    return undefined;
  }

  loseSnapshot(): void {
    this.#snapshots.pop();
  }

  damageSnapshot(at: number): void {
    const snapshot = this.#snapshots.at(-1);
    if (snapshot === undefined) return;
    const place = at % snapshot.text.length;
    snapshot.text = `${snapshot.text.slice(0, place)}#${snapshot.text.slice(place + 1)}`;
  }
}

function checksum(text: string, from: number): number {
  let sum = from ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum ^ (sum >>> 15)) | 0;
}
