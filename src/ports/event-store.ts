import type { Fault } from "../base/fault.ts";
import type { Logged } from "../core/events.ts";
import type { PlainState } from "../core/snapshot.ts";

/**
 * The log. It has one writer. Sequence numbers are gapless from 1; every record carries a checksum and the hash of the
 * one before it. A damaged record is reported with its place, never skipped.
 */
export interface EventStore {
  /** The number of the last durable event, 0 for an empty log. */
  readonly lastSeq: number;
  /**
   * Appends whole steps, all or nothing, and calls back once they are durable, never before this call has returned.
   * There is never more than one append under way. After a fault nothing of it may be assumed: the caller reads the log
   * again.
   */
  append(events: readonly Logged[], done: (fault: Fault | null) => void): void;
  /** Events after `afterSeq` in order, at most `limit`. Throws a Fault with code `log-damaged` that names the place. */
  read(afterSeq: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Keeps a snapshot. Losing one costs time, never data. */
  saveSnapshot(snapshot: PlainState): Promise<void>;
  /** The newest snapshot that is whole, or null. */
  loadSnapshot(): Promise<PlainState | null>;
  close(): Promise<void>;
}

/** An event as it was written, perhaps by an older release. */
export type StoredEvent = Record<string, unknown> & { readonly seq: number };
