import { expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { actsThatFree, howToFree } from "./free-unit.ts";

const question = { id: "q_1", text: "Go on?", leave: null } as unknown as Run["question"];

test.each([
  [{ state: "running", runner: "claude" }, ["stop"], "Ask for it, or stop the run."],
  [{ state: "running", runner: "script" }, ["stop"], "It takes no messages: stopping it frees the unit."],
  [{ state: "paused" }, ["resume", "stop"], "It is paused"],
  [{ state: "awaiting-input", question }, ["answer", "stop"], "It waits for your answer."],
  [{ state: "review" }, ["approve", "reject"], "landing or rejecting the run frees it"],
  [{ state: "landing" }, ["stop"], "when the landing is over"],
] as const)("of a unit that a run holds it says how it comes free: %j", (more, acts, words) => {
  const run = makeRun("r_1", more);
  expect(actsThatFree(run).map(({ name }) => name)).toEqual(acts);
  expect(howToFree(run)).toContain(words);
});
