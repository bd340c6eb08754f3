import { describe, expect, test } from "vitest";
import { upgradeEvent } from "../../src/core/upgrade.ts";

// Every type is still at version 1, so the planted older shapes are versions 0 and -1.
const planted = {
  "run.said": {
    [-1]: (old: Record<string, unknown>) => ({ ...old, words: [old["word"]] }),
    0: (old: Record<string, unknown>) => ({ ...old, text: (old["words"] as string[]).join(" ") }),
  },
};
const envelope = { seq: 7, atMs: 5, cause: null, actor: "agent:r_1", type: "run.said", run: "r_1" };

describe("events of older releases", () => {
  test("[LG14] the newest version is left as it is", () => {
    const event = { ...envelope, v: 1, text: "hello" };
    expect(upgradeEvent(event, planted)).toEqual(event);
  });

  test("[LG14] an old event takes each step to the newest version, in order", () => {
    const event = Object.freeze({ ...envelope, v: -1, word: "hello" });
    expect(upgradeEvent(event, planted)).toEqual({ ...envelope, v: 1, word: "hello", words: ["hello"], text: "hello" });
    expect(upgradeEvent({ ...envelope, v: 0, words: ["a", "b"] }, planted)).toMatchObject({ v: 1, text: "a b" });
  });

  test.each([
    ["a newer version", { ...envelope, v: 2 }, { type: "run.said", v: 2 }],
    ["a version without a way up", { ...envelope, v: -2 }, { type: "run.said", v: -2 }],
    ["a type that nobody knows", { ...envelope, type: "run.sung", v: 1 }, { type: "run.sung", v: 1 }],
    ["a name that every object has", { ...envelope, type: "constructor", v: 1 }, { type: "constructor", v: 1 }],
  ])("[LG14] %s is named, not guessed at", (_, event, found) => {
    expect(upgradeEvent(event, planted)).toEqual({ seq: 7, ...found });
  });

  test("[LG14] an event without a version cannot be read", () => {
    expect(upgradeEvent(envelope, planted)).toMatchObject({ seq: 7, type: "run.said", v: Number.NaN });
  });
});
