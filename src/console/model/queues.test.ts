import { expect, test } from "vitest";
import type { Locks, QueueEntry } from "../../protocol/wire/claim.ts";
import { placeFor, waitersFor } from "./queues.ts";

function waiting(position: number, ...units: string[]): QueueEntry {
  return {
    ...{ claim: `c_${position}`, project: "p_1", family: `f_${position}`, holder: `r_${position}`, kind: "run" },
    ...{ position, units, priority: 0, queuedAtMs: 0, deadlineAtMs: null, passes: 0, behind: [] },
  };
}

test("a place is that among those who want the unit, not that in the queue of the project", () => {
  const [first, second, third] = [waiting(1, "file:a.md"), waiting(2, "file:z.md"), waiting(3, "dir:")];
  const locks: Locks = { seq: 1, nowMs: 0, leases: [], queue: [first, second, third], waits: [], truncated: false };
  expect(placeFor(locks, first, "file:a.md")).toBe(1);
  expect(placeFor(locks, second, "file:z.md")).toBe(1);
  expect(placeFor(locks, third, "dir:")).toBe(3);
});

test("those who want a unit are found by its name, in their order, each once", () => {
  const queue = [waiting(1, "file:a.md", "file:b.md"), waiting(2, "file:a.md", "file:a.md")];
  const locks: Locks = { seq: 1, nowMs: 0, leases: [], queue, waits: [], truncated: false };
  const holders = (unit: string, project = "p_1"): string[] =>
    waitersFor(locks, { project, unit }).map(({ holder }) => holder);
  expect(holders("file:a.md")).toEqual(["r_1", "r_2"]);
  expect(holders("file:b.md")).toEqual(["r_1"]);
  expect([holders("file:c.md"), holders("file:a.md", "p_2")]).toEqual([[], []]);
});
