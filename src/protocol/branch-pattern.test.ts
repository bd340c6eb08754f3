import { expect, test } from "vitest";
import { fillBranch, findBranchFlaw } from "./branch-pattern.ts";

test.each(["signalbox/{run}", "{run}", "agents/{task}/{run}-x", "ä/{run}"])("[LD50] %s is a branch", (pattern) => {
  expect(findBranchFlaw(pattern)).toBeUndefined();
});

test("[LD50] its fields are the run and the task", () => {
  expect(fillBranch("a/{task}/{run}-{run}", { id: "r_1", task: "t_2" })).toBe("a/t_2/r_1-r_1");
});

test.each([
  ...[
    "main",
    "",
    "{task}",
    "{run}/",
    "/{run}",
    "a//{run}",
    "-{run}",
    "{run}.lock",
    "{run}.lock/a",
    ".a/{run}",
    "{run}.",
  ],
  ...[
    "a b/{run}",
    "{run}..x",
    "{run}~1",
    "{run}^",
    "{run}:x",
    "{run}?",
    "{run}*",
    "{run}[",
    "{run}\\\\",
    "{run}@{x}",
    "{title}/{run}",
  ],
])("[LD50] %j is refused", (pattern) => {
  expect(findBranchFlaw(pattern)).toBeDefined();
});
