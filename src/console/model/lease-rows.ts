// The rows of the locks: what others wait for comes first, then by path, each project on its own.

import type { Lease, Locks, QueueEntry } from "../../protocol/wire/claim.ts";
import { queueOf } from "./queues.ts";

export type LeaseRows = {
  readonly lease: Lease;
  /** Those who wait for it, in order. */
  readonly queue: readonly QueueEntry[];
};

export type LeaseFilter = {
  readonly project: string | null;
  readonly find: string;
  readonly only: "all" | "contended";
};

export function toLeaseRows(locks: Locks, { project, find, only }: LeaseFilter): LeaseRows[] {
  const sought = find.trim().toLowerCase();
  const rows = locks.leases
    .filter((lease) => project === null || lease.project === project)
    .filter((lease) => `${lease.unit} ${lease.holder}`.toLowerCase().includes(sought))
    .map((lease) => ({ lease, queue: queueOf(locks, lease) }))
    .filter(({ queue }) => only === "all" || queue.length > 0);
  const waiting = new Map<string, number>();
  for (const { lease, queue } of rows) waiting.set(lease.project, (waiting.get(lease.project) ?? 0) + queue.length);
  return rows.toSorted(
    (a, b) =>
      (waiting.get(b.lease.project) ?? 0) - (waiting.get(a.lease.project) ?? 0) ||
      compare(a.lease.project, b.lease.project) ||
      b.queue.length - a.queue.length ||
      compare(pathOf(a.lease.unit), pathOf(b.lease.unit)),
  );
}

function pathOf(unit: string): string {
  return unit.slice(unit.indexOf(":") + 1);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
