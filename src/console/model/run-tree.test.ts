import { expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { countTree, stampOfTree, toRunTree } from "./run-tree.ts";

test("runs stand below who started them, the first started first, and nobody else does", () => {
  const runs = [
    makeRun("r_1"),
    makeRun("r_3", { parent: "r_1", submittedAtMs: 3 }),
    makeRun("r_2", { parent: "r_1", submittedAtMs: 2 }),
    makeRun("r_4", { parent: "r_2", submittedAtMs: 4 }),
    makeRun("r_5"),
  ];
  const tree = toRunTree(runs, "r_1");
  expect(tree.map(({ run, started }) => [run.id, started.map((each) => each.run.id)])).toEqual([
    ["r_2", ["r_4"]],
    ["r_3", []],
  ]);
  expect(countTree(tree)).toBe(3);
  const without = toRunTree(
    runs.filter(({ id }) => id !== "r_4"),
    "r_1",
  );
  expect(stampOfTree(without)).not.toBe(stampOfTree(tree));
});
