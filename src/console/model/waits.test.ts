import { expect, test } from "vitest";
import { makeEntry, makeLease, makeLocks, makeRun } from "../../../test/support/wire-samples.ts";
import { toLeaseRows } from "./lease-rows.ts";
import { entryOf, queueOf } from "./queues.ts";
import { countWaiters, toWaitForest } from "./waits.ts";

const app = "file:src/app.ts";
const locks = makeLocks(
  [
    makeLease(app, "r_1"),
    makeLease("dir:docs", "r_1"),
    makeLease("file:log.ts", "r_2"),
    makeLease("file:z.ts", "mara"),
  ],
  [
    makeEntry("r_2", 1, [[app, "r_1"]]),
    makeEntry("r_3", 2, [
      [app, "r_1"],
      [app, "r_2"],
    ]),
    makeEntry("r_4", 3, [["file:log.ts", "r_2"]]),
    makeEntry("r_5", 4, [["file:z.ts", "mara"]]),
  ],
);

test("everybody who waits stands under whom they wait for, the most waited for first", () => {
  const [first, second] = toWaitForest(locks);
  expect(first).toMatchObject({ holder: "r_1", count: 3 });
  expect(first?.waiters.map(({ holder, also }) => [holder, also])).toEqual([
    ["r_2", []],
    ["r_3", ["r_2"]],
  ]);
  expect(first?.waiters[0]?.waiters.map(({ holder }) => holder)).toEqual(["r_4"]);
  expect(second).toMatchObject({ holder: "mara", count: 1 });
});

test("a run that waits for a run, and for no unit, is there too", () => {
  const edge = { from: "r_9.1", fromHolder: "r_9", to: "r_8.1", toHolder: "r_8", claim: null, unit: null };
  const [root] = toWaitForest({ ...makeLocks([], []), waits: [edge] });
  expect(root).toMatchObject({ holder: "r_8", count: 1, waiters: [{ holder: "r_9", entry: null }] });
});

test("waiters are counted through others, each once", () => {
  expect(Object.fromEntries(countWaiters(locks))).toEqual({ r_1: 3, r_2: 2, mara: 1 });
});

test("the queue of a unit has those who wait for it, in order", () => {
  expect(queueOf(locks, { unit: app, project: "p_1" }).map(({ holder }) => holder)).toEqual(["r_2", "r_3"]);
  expect(queueOf(locks, { unit: "dir:docs", project: "p_1" })).toEqual([]);
});

test("a claim for a folder waits for the file inside that is held", () => {
  const nested = makeLocks([makeLease(app, "r_1")], [makeEntry("r_2", 1, [["dir:src", "r_1"]])]);
  expect(queueOf(nested, { unit: app, project: "p_1" })).toHaveLength(1);
});

test("the claim of a run is that of its call, else the one that lets it in", () => {
  const call = { number: 1, tool: "write", units: [app], started: false, claim: "c_r_3", other: null };
  expect(entryOf(locks, makeRun("r_3", { call }))?.position).toBe(2);
  expect(entryOf(locks, makeRun("r_4", { claim: "c_r_4" }))?.position).toBe(3);
  expect(entryOf(locks, makeRun("r_7"))).toBeUndefined();
});

test("locks that others wait for come first", () => {
  const rows = toLeaseRows(locks, { project: null, find: "", only: "all" });
  expect(rows.map(({ lease }) => lease.unit)).toEqual([app, "file:log.ts", "file:z.ts", "dir:docs"]);
  expect(toLeaseRows(locks, { project: null, find: "", only: "contended" })).toHaveLength(3);
  expect(toLeaseRows(locks, { project: null, find: "MARA", only: "all" })).toHaveLength(1);
  expect(toLeaseRows(locks, { project: "p_2", find: "", only: "all" })).toEqual([]);
});
