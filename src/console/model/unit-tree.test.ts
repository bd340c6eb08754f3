import { expect, test } from "vitest";
import type { Lease, Locks, QueueEntry } from "../../protocol/wire/claim.ts";
import { nothingPast, UnitPastFold } from "./unit-past.ts";
import { joinLocks } from "./join-locks.ts";
import { bestRow, toUnitRow, toUnitRows, type TreeFilter, withAnswer } from "./unit-tree.ts";
import { toWaitGraph } from "./wait-graph.ts";

const lease = (unit: string, holder: string, project = "p_1"): Lease => ({
  ...{ unit, project, family: `${holder}.1`, holder, kind: "run", claim: `c_${holder}`, fence: 1, state: "live" },
  ...{ grantedAtMs: 0, expiresAtMs: 9, patienceMs: null, yieldsAtMs: null, delayedUntilMs: null },
});
const waits = (holder: string, unit: string, behind: string, position = 1): QueueEntry => ({
  ...{ claim: `c_${holder}_w`, project: "p_1", family: `${holder}.1`, holder, kind: "run", position, units: [unit] },
  ...{ priority: 0, queuedAtMs: 0, deadlineAtMs: null, passes: 0 },
  behind: [{ unit, family: `${behind}.1`, holder: behind, by: "lease", claim: `c_${behind}` }],
});
const locksOf = (leases: Lease[], queue: QueueEntry[] = []): Locks => ({
  ...{ seq: 1, nowMs: 0, leases, queue, waits: [], truncated: false },
});
const filter: TreeFilter = { project: null, find: "", only: "all", closed: new Set() };
const names = new Map([
  ["p_1", "shop"],
  ["p_2", "atlas"],
]);
const locks = locksOf(
  [
    lease("file:src/app.ts", "r_1"),
    lease("dir:src/limits", "r_1"),
    lease("process:test", "r_2"),
    lease("file:z.ts", "r_2"),
  ],
  [waits("r_3", "file:src/app.ts", "r_1"), waits("r_4", "file:src/limits/a.ts", "r_1", 2)],
);

test("units stand as a tree, folders before files, and what a folder's lease covers says so", () => {
  const rows = toUnitRows(locks, nothingPast, names, filter);
  expect(rows.map(({ depth, name }) => `${"  ".repeat(depth)}${name}`)).toEqual([
    "src/",
    "  limits/",
    "    a.ts",
    "  app.ts",
    "z.ts",
    "test",
  ]);
  expect(rows[0]).toMatchObject({ lease: null, heldBelow: 2, isOpen: true });
  expect(rows[2]).toMatchObject({ lease: null, by: { unit: "dir:src/limits" }, queue: [{ holder: "r_4" }] });
  expect(rows[3]?.queue).toMatchObject([{ holder: "r_3" }]);
});

test("of very many units that were held not long ago the newest are shown, and all are found by their names", () => {
  const fold = new UnitPastFold();
  const units = Array.from({ length: 300 }, (_, at) => `file:old/u${at}.ts`);
  const about = { type: "lease.granted", v: 1, cause: null, actor: "system", family: "r_9.1", project: "p_1" };
  const past = fold.takeAll(
    units.flatMap((unit, at) => [
      { ...about, seq: at * 2 + 1, atMs: at, claim: `c_${at}`, units: [unit], fences: [at] },
      { ...about, type: "lease.released", seq: at * 2 + 2, atMs: at, units: [unit] },
    ]),
  );
  const shown = toUnitRows(locks, past, names, filter).map(({ unit }) => unit);
  expect(shown.filter((unit) => unit.startsWith("file:old/"))).toHaveLength(200);
  expect([shown.includes("file:old/u299.ts"), shown.includes("file:old/u0.ts")]).toEqual([true, false]);
  for (const { unit } of locks.leases) expect(shown).toContain(unit);
  expect(toUnitRows(locks, past, names, { ...filter, find: "u0.ts" }).at(-1)?.unit).toBe("file:old/u0.ts");
});

test("several projects each have a row of their own, and what is folded up is not shown but found", () => {
  const both = locksOf([...locks.leases, lease("file:b.ts", "r_9", "p_2")]);
  const closed = new Set(["p_1 "]);
  expect(toUnitRows(both, nothingPast, names, { ...filter, closed }).map(({ name }) => name)).toEqual([
    "atlas",
    "b.ts",
    "shop",
  ]);
  const found = toUnitRows(both, nothingPast, names, { ...filter, closed, find: "APP" });
  expect(found.map(({ unit }) => unit)).toEqual(["dir:src", "file:src/app.ts"]);
});

test("folders with nothing to say stand in one row", () => {
  const deep = locksOf([lease("file:a/b/c/d.ts", "r_1"), lease("dir:x/y", "r_2"), lease("file:x/y/z/e.ts", "r_2")]);
  expect(toUnitRows(deep, nothingPast, names, filter).map(({ name }) => name)).toEqual([
    "a/b/c/",
    "d.ts",
    "x/y/",
    "z/",
    "e.ts",
  ]);
});

test("what one types a part of is found, its holder too, the best first", () => {
  const many = locksOf([lease("dir:apple", "r_7"), ...locks.leases, lease("file:old/my-app.ts", "r_8")]);
  const best = (find: string): string | undefined =>
    bestRow(toUnitRows(many, nothingPast, names, { ...filter, find }), find)?.unit;
  expect([best("app.ts"), best("src/app.ts"), best("r_8"), best("")]).toEqual([
    "file:src/app.ts",
    "file:src/app.ts",
    "file:old/my-app.ts",
    undefined,
  ]);
});

test("only what is held, or contended; what was held lately is free and shown with all", () => {
  const past = new UnitPastFold().takeAll([
    {
      seq: 1,
      atMs: 1,
      type: "lease.granted",
      v: 1,
      cause: null,
      actor: "a",
      claim: "c",
      family: "r_1.1",
      project: "p_1",
      units: ["file:gone.ts"],
      fences: [1],
    },
    { seq: 2, atMs: 2, type: "family.ended", v: 1, cause: null, actor: "a", family: "r_1.1", why: "finished" },
  ]);
  const shown = (only: TreeFilter["only"]): string[] =>
    toUnitRows(locks, past, names, { ...filter, only })
      .filter(({ isOpen }) => isOpen === null)
      .map(({ name }) => name);
  expect(shown("all")).toContain("gone.ts");
  expect(shown("held")).toEqual(["limits/", "app.ts", "z.ts", "test"]);
  expect(shown("contended")).toEqual(["a.ts", "app.ts"]);
});

test("a thousand leases are rows in no time that anybody would notice", () => {
  const many = locksOf(
    Array.from({ length: 1000 }, (_, at) => lease(`file:src/part-${at % 40}/file-${at}.ts`, `r_${at}`)),
  );
  expect(toUnitRows(many, nothingPast, names, filter)).toHaveLength(1041);
});

test("those who wait are drawn left of whom they wait for, each wire with what for", () => {
  const chain = locksOf(locks.leases, [waits("r_3", "file:src/app.ts", "r_1"), waits("r_1", "process:test", "r_2")]);
  const { nodes, wires, left } = toWaitGraph(chain, null);
  const x = (holder: string): number => nodes.find((node) => node.holder === holder)?.x ?? -1;
  expect(x("r_3")).toBeLessThan(x("r_1"));
  expect(x("r_1")).toBeLessThan(x("r_2"));
  expect(wires.map(({ label, place }) => [label, place])).toEqual([
    ["app.ts", "1st"],
    ["test", "1st"],
  ]);
  expect(left).toBe(0);
});

test("of very many who wait the drawing shows some and says how many it leaves out", () => {
  const queue = Array.from({ length: 300 }, (_, at) => waits(`r_w${at}`, "file:src/app.ts", "r_1", at + 1));
  const { nodes, left } = toWaitGraph(locksOf(locks.leases, queue), "p_1");
  expect([nodes.length, left, nodes.some(({ holder }) => holder === "r_1")]).toEqual([24, 277, true]);
});

test("a unit that nobody names is free, unless what it lies in is held", () => {
  const locks = locksOf([lease("dir:src", "r_1"), lease("file:lib/a.ts", "r_2")]);
  expect(toUnitRow(locks, { project: "p_1", unit: "file:src/app.ts" })).toMatchObject({
    ...{ lease: null, name: "app.ts", by: { holder: "r_1", unit: "dir:src" } },
  });
  expect(toUnitRow(locks, { project: "p_1", unit: "file:readme.md" })).toMatchObject({ by: null, heldBelow: 0 });
  expect(toUnitRow(locks, { project: "p_1", unit: "dir:lib" })).toMatchObject({ by: null, heldBelow: 1 });
  expect(toUnitRow(locks, { project: "p_2", unit: "file:src/app.ts" })).toMatchObject({ by: null });
});

test("of more than was read nothing is called free, and what the daemon says of one unit counts for that", () => {
  const first = {
    ...locksOf([lease("file:many/u1.txt", "r_1")], [waits("r_3", "file:z.txt", "r_2")]),
    truncated: true,
  };
  const rows = toUnitRows(first, nothingPast, names, filter);
  expect(rows.map(({ name, lease, heldBelow, isRead }) => [name, lease !== null, heldBelow, isRead])).toEqual([
    ["many/", false, 1, false],
    ["u1.txt", true, 0, false],
    ["z.txt", false, 0, false],
  ]);
  const far = toUnitRow(first, { project: "p_1", unit: "file:many/u1150.txt" });
  expect(far).toMatchObject({ lease: null, by: null, isRead: false });
  expect(withAnswer(far, locksOf([lease("file:many/u1150.txt", "mara")]))).toMatchObject({
    ...{ lease: { holder: "mara" }, isRead: true },
  });
  expect(withAnswer(far, locksOf([lease("dir:many", "mara")]))).toMatchObject({ by: { holder: "mara" }, isRead: true });
  expect(withAnswer(far, locksOf([]))).toMatchObject({ lease: null, by: null, heldBelow: 0, isRead: true });
  const folder = toUnitRow(first, { project: "p_1", unit: "dir:many" });
  const beneath = { ...locksOf([lease("file:many/u1.txt", "r_1"), lease("file:many/u2.txt", "r_1")]), truncated: true };
  expect(withAnswer(folder, beneath)).toMatchObject({ heldBelow: 2, isRead: false });
});

test("what was asked for by name comes to what was read first, which tells the newer of both", () => {
  const first = { ...locksOf([lease("file:a.ts", "r_2")], [waits("r_3", "file:a.ts", "r_2", 4)]), truncated: true };
  const more = locksOf([lease("file:a.ts", "r_1"), lease("file:b.ts", "r_1")], [waits("r_4", "file:b.ts", "r_1", 2)]);
  const joined = joinLocks(first, more);
  expect(joined.leases.map(({ unit, holder }) => [unit, holder])).toEqual([
    ["file:a.ts", "r_2"],
    ["file:b.ts", "r_1"],
  ]);
  expect(joined.queue.map(({ position }) => position)).toEqual([2, 4]);
  expect([joined.truncated, joinLocks(first, null)]).toEqual([true, first]);
});
