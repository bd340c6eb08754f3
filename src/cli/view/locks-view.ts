// Leases, queues and who waits for whom, for people.

import { toLeaseEnd } from "../../protocol/lease-end.ts";
import type { Lease, Locks, QueueEntry } from "../../protocol/wire/claim.ts";
import type { Now } from "../now.ts";
import type { Output } from "../output.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import type { Cell } from "../text/table.ts";
import { cutEnd } from "../text/text-width.ts";
import { enumerate } from "./event-fields.ts";
import { toUnitText } from "./unit-text.ts";
import { toWaitsTree } from "./waits-tree.ts";

export type ProjectNames = ReadonlyMap<string, string>;

export function toLocksLines(
  out: Output,
  locks: Locks,
  now: Now,
  { names, isPart }: { readonly names: ProjectNames; readonly isPart: boolean },
): string[] {
  const { dim, bold } = out.colors;
  if (locks.leases.length === 0 && locks.queue.length === 0)
    return [isPart ? "Nobody holds it, and nobody waits for it." : "Nothing is held, and nobody waits."];
  const lines: string[] = [bold("Leases")];
  if (locks.leases.length === 0) lines.push(dim("none"));
  else
    lines.push(
      ...out.tableLines(
        leaseColumns,
        locks.leases.map((lease) => toLeaseRow(out, lease, now, names)),
      ),
    );
  if (locks.queue.length > 0) {
    lines.push("", bold("Queue, in order"));
    lines.push(
      ...out.tableLines(
        queueColumns,
        locks.queue.map((entry) => toQueueRow(entry, now, names)),
      ),
    );
  }
  const tree = toWaitsTree(locks.waits).map((line) => cutEnd(line, out.width));
  if (tree.length > 0) lines.push("", bold("Who waits for whom"), ...tree);
  if (locks.truncated)
    lines.push(
      "",
      dim("There is more than is shown here; --project, --unit and --find show less of it, and all of that."),
    );
  return lines;
}

const leaseColumns = [
  { title: "UNIT", cut: "middle" },
  { title: "HOLDER", cut: "middle" },
  { title: "STATE" },
  { title: "FENCE", align: "right" },
  { title: "HELD", align: "right" },
  { title: "UNTIL" },
  { title: "CLAIM" },
  { title: "PROJECT", cut: "end" },
] as const;

function toLeaseRow(out: Output, lease: Lease, now: Now, names: ProjectNames): Cell[] {
  const { green, yellow, red } = out.colors;
  const paint = lease.state === "live" ? green : lease.state === "quarantined" ? red : yellow;
  return [
    toSafeLine(toUnitText(lease.unit)),
    toSafeLine(lease.holder),
    { text: toState(lease, now), paint },
    String(lease.fence),
    showDuration(now.since(lease.grantedAtMs)),
    toUntil(lease, now),
    lease.claim,
    toSafeLine(names.get(lease.project) ?? lease.project),
  ];
}

function toUntil(lease: Lease, now: Now): string {
  const { word, atMs } = toLeaseEnd(lease);
  return atMs === null ? word : `${word} ${showDuration(now.until(atMs))}`;
}

/** Its holder may be waiting for its model: then nobody is at work here until then. */
function toState({ state, delayedUntilMs }: Lease, now: Now): string {
  const name = state === "quarantined" ? "closed" : state;
  return delayedUntilMs === null ? name : `${name}, goes on in ${showDuration(now.until(delayedUntilMs))}`;
}

const queueColumns = [
  { title: "#", align: "right" },
  { title: "HOLDER", cut: "middle" },
  { title: "WANTS", cut: "middle" },
  { title: "BEHIND", cut: "end" },
  { title: "PRIORITY", align: "right" },
  { title: "WAITS", align: "right" },
  { title: "CLAIM" },
  { title: "PROJECT", cut: "end" },
] as const;

function toQueueRow(entry: QueueEntry, now: Now, names: ProjectNames): Cell[] {
  const holders = [...new Set(entry.behind.map(({ holder }) => holder))];
  return [
    String(entry.position),
    toSafeLine(entry.holder),
    // A run that asks for nothing but its turn waits for a slot.
    toSafeLine(entry.units.length === 0 ? "a slot" : enumerate(entry.units.map(toUnitText))),
    toSafeLine(holders.length === 0 ? "-" : enumerate(holders)),
    String(entry.priority),
    showDuration(now.since(entry.queuedAtMs)),
    entry.claim,
    toSafeLine(names.get(entry.project) ?? entry.project),
  ];
}
