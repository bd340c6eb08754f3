import { describe, expect, test } from "vitest";
import { closest, didYouMean, editDistance } from "./did-you-mean.ts";

describe("edit distance", () => {
  test.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["abc", "ab", 1],
    ["abc", "acb", 1],
    ["abc", "axc", 1],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
  ])("%s to %s is %i", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe("what was meant", () => {
  const commands = ["status", "stop", "ps", "project", "policy", "pause", "run", "rm", "locks", "log", "logs"];

  test.each([
    ["statsu", ["status"]],
    ["stpo", ["stop"]],
    ["lcoks", ["locks"]],
    ["PROJECT", ["project"]],
    ["proj", ["project"]],
    ["lgos", ["logs"]],
    ["zebra", []],
  ])("%s", (word, found) => {
    expect(closest(word, commands)).toEqual(found);
  });

  test("the closest comes first, and names are not repeated", () => {
    expect(closest("lok", ["log", "locks", "log", "logs"])).toEqual(["log"]);
    expect(closest("r_1a", ["r_1b", "r_22", "r_1a2"])).toEqual(["r_1a2", "r_1b"]);
  });

  test("it is said in a sentence", () => {
    expect(didYouMean("statsu", commands)).toBe(" Did you mean status?");
    expect(didYouMean("r_1a", ["r_1b", "r_1c"])).toBe(" Did you mean r_1b or r_1c?");
    expect(didYouMean("zebra", commands)).toBe("");
  });
});
