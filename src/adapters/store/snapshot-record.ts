// A snapshot as it is stored: bytes with their checksum, bound to one log by the hash of the event it was taken at.

import { hash } from "node:crypto";
import { type PlainState, snapshotVersion } from "../../core/snapshot.ts";

export type SnapshotRecord = {
  readonly seq: number;
  /** The hash of the event `seq`: a snapshot of another log, or of another past, does not fit. */
  readonly hash: string;
  readonly body: string;
  /** SHA-256 of the body, in hex. */
  readonly checksum: string;
};

/** The newest and one to fall back on. */
export const snapshotsKept = 2;

export function toSnapshotRecord(snapshot: PlainState, hashOfSeq: string): SnapshotRecord {
  const body = JSON.stringify(snapshot);
  return { seq: snapshot.seq, hash: hashOfSeq, body, checksum: hash("sha256", body, "hex") };
}

/**
 * Reads a snapshot, or gives null when it is damaged, of another log, or of a shape that this release does not know:
 * the log has everything, so a snapshot is only ever worth trusting or leaving aside.
 */
export function openSnapshot(record: SnapshotRecord, hashOfSeq: string | undefined): PlainState | null {
  if (hashOfSeq === undefined || record.hash !== hashOfSeq) return null;
  const body: unknown = record.body;
  if (typeof body !== "string" || hash("sha256", body, "hex") !== record.checksum) return null;
  const plain = JSON.parse(body) as PlainState;
  return plain.version === snapshotVersion && plain.seq === record.seq ? plain : null;
}
