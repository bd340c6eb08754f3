import { expect, test } from "vitest";
import { refusedWords } from "./refused-words.ts";

test.each([
  ["thrift", "maxDayCostMicros", "thrift keeps it from its model: what may be spent in a day is spent"],
  ["profile brief", "maxTurns", "profile brief keeps it from its model: it has asked as often as it may"],
  ["thrift", "qwen3 has no price", "thrift keeps it from its model: qwen3 has no price"],
])("what of %s is in the way is said in words: %s", (policy, what, words) => {
  expect(refusedWords({ policy, what })).toBe(words);
});
