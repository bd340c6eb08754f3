import { expect, test } from "vitest";
import { heldBytes } from "../../test/support/held-bytes.ts";
import { beginningOf, endOf } from "./cut-text.ts";

test("a part of a text is the part that was asked for, and all of a short one", () => {
  const parts = [beginningOf("abcdef", 2), beginningOf("ab", 2), endOf("abcdef", 2), endOf("a", 2)];
  expect(parts).toEqual(["ab", "ab", "ef", "a"]);
  expect(beginningOf("a\u{1f600}", 2)).toBe("a\ud83d");
});

test("parts that are kept do not keep what they were cut out of", () => {
  const kept: string[] = [];
  const chars = 2 * 1024 * 1024;
  const held = heldBytes(() => {
    for (let at = 0; at < 100; at++) {
      const long = JSON.parse(`"${"x".repeat(chars)}${at}"`) as string;
      kept.push(beginningOf(long, 200), endOf(long, 200));
    }
  });
  expect(kept.map(({ length }) => length)).toEqual(kept.map(() => 200));
  expect(held).toBeLessThan(50 * chars);
});
