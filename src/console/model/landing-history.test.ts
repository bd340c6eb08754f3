import { expect, test } from "vitest";
import { makeEvent } from "../../../test/support/wire-samples.ts";
import { openConflicts, toLandingRows } from "./landing-history.ts";

const rows = toLandingRows([
  makeEvent(1, "run.conflicted", { run: "r_1", conflicts: [{ path: "a.ts", theirs: null }] }),
  makeEvent(2, "run.conflicted", { run: "r_2", conflicts: [{ path: "b.ts", theirs: null }] }),
  makeEvent(3, "run.landed", {
    run: "r_1",
    project: "p_1",
    commit: "c1",
    entries: [{ path: "a.ts" }],
    merged: ["a.ts"],
  }),
  makeEvent(4, "run.moved", { run: "r_3", from: "landing", to: "review", because: "its test ended with 1" }),
  makeEvent(5, "run.moved", { run: "r_3", from: "landing", to: "review", because: "not all of it was approved" }),
  makeEvent(6, "run.moved", { run: "r_3", from: "running", to: "review" }),
  makeEvent(7, "mainline.moved", { project: "p_1", from: "c1", to: "c2" }),
]);

test("each end of a landing is a row, and nothing else is", () => {
  expect(rows.map(({ seq, how, commit, paths }) => [seq, how, commit, paths])).toEqual([
    [1, "conflict", null, ["a.ts"]],
    [2, "conflict", null, ["b.ts"]],
    [3, "landed", "c1", ["a.ts"]],
    [4, "back", null, []],
    [7, "by-hand", "c2", []],
  ]);
  expect(rows[2]?.merged).toEqual(["a.ts"]);
  expect(rows[3]?.because).toBe("its test ended with 1");
});

test("a conflict is open until its run lands or is over", () => {
  expect(openConflicts(rows, () => true).map(({ run }) => run)).toEqual(["r_2"]);
  expect(openConflicts(rows, () => false)).toEqual([]);
});
