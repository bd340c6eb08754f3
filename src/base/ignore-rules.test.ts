import { describe, expect, test } from "vitest";
import { IgnoreRules } from "./ignore-rules.ts";

const ignores = (text: string, name: string): boolean => IgnoreRules.forRoot(text).ignores(name, false);

describe("[LD61] an ignore file", () => {
  // As regular expressions these would not be answered while anybody lives.
  test.each([
    ["stars in a name", `${"*a".repeat(40)}b`, "a".repeat(250)],
    ["stars and sets", `${"*[ab]".repeat(40)}c`, "ab".repeat(120)],
    ["spaces before the end", `${" ".repeat(1_000_000)}x`, "x"],
    ["backslashes", "\\".repeat(1_000_001), "x"],
  ])("is answered at once, whatever is in it: %s", (_, text, name) => {
    expect(ignores(text, name)).toBe(false);
  });

  test("is answered at once for deep folders, too", () => {
    let rules = IgnoreRules.forRoot(`/${"**/a/".repeat(60)}b`);
    for (let depth = 0; depth < 500; depth++) rules = rules.within("a", "");
    expect(rules.ignores("a", false)).toBe(false);
    expect(rules.ignores("b", false)).toBe(true);
  });

  test("takes a step for each folder that a name is in", () => {
    let rules = IgnoreRules.forRoot("b\n");
    for (let depth = 0; depth < 500; depth++) rules = rules.within("a", "");
    expect(rules.ignores("b", false, { stepsLeft: 1000 })).toBe(true);
    expect(rules.ignores("b", false, { stepsLeft: 400 })).toBe(false);
  });

  test("leaves nothing out where it takes too much to say", () => {
    const hostile = `*${"[!b]".repeat(40)}c\n`.repeat(1000);
    expect(ignores(`plain\n${hostile}`, "plain")).toBe(true);
    expect(ignores(`*\n${hostile}`, "a".repeat(250))).toBe(false);
    const above = IgnoreRules.forRoot("*\n");
    expect(above.within("folder", "").ignores("a".repeat(250), false)).toBe(true);
    expect(above.within("folder", hostile).ignores("a".repeat(250), false)).toBe(false);
  });

  test("may be long, and has no rules where it is longer, or has more of them", () => {
    const rules = (count: number): string => "x\n".repeat(count);
    expect(ignores(rules(10_000), "x")).toBe(true);
    expect(ignores(rules(10_001), "x")).toBe(false);
    const comments = (chars: number): string => `x\n#${"-".repeat(chars)}`;
    expect(ignores(comments(1_000_000), "x")).toBe(true);
    expect(ignores(comments(2_000_000), "x")).toBe(false);
  });

  test("has no rule longer than any path", () => {
    expect(ignores(`${"*".repeat(4096)}\n`, "x")).toBe(true);
    expect(ignores(`${"*".repeat(4097)}\n`, "x")).toBe(false);
    expect(ignores(`${"*".repeat(4097)}\nx`, "x")).toBe(true);
  });
});
