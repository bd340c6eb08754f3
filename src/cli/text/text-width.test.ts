import { expect, test } from "vitest";
import { cutEnd, cutMiddle, padEnd, padStart, widthOf } from "./text-width.ts";

test("width counts cells, not code units", () => {
  expect(["", "abc", "日本", "é", "e\u0301", "👍", "✅", "का"].map(widthOf)).toEqual([0, 3, 4, 1, 1, 2, 2, 2]);
});

test("padding fills up to a width", () => {
  expect(padEnd("日", 4)).toBe("日  ");
  expect(padStart("7", 3)).toBe("  7");
  expect(padEnd("long", 2)).toBe("long");
});

test("the end is cut off", () => {
  expect(cutEnd("add rate limiting", 9)).toBe("add rate…");
  expect(cutEnd("short", 9)).toBe("short");
  expect(cutEnd("日本語", 4)).toBe("日…");
  expect(cutEnd("abc", 0)).toBe("");
});

test("a path keeps its file name", () => {
  expect(cutMiddle("file:src/server/middleware/rate-limit.ts", 30)).toBe("file:src/server…/rate-limit.ts");
  expect(cutMiddle("file:src/a.ts", 30)).toBe("file:src/a.ts");
});

test("a name that is too long itself keeps its end", () => {
  const cut = cutMiddle("file:src/a-very-long-file-name-indeed.test.ts", 20);
  expect(widthOf(cut)).toBeLessThanOrEqual(20);
  expect(cut).toMatch(/^file:s.*….*\.test\.ts$/);
});

test("cutting never makes text wider than asked", () => {
  for (const text of ["file:a/b/c/d.ts", "日本/語語語語語", "plain words without slashes", "x/y"]) {
    for (let width = 0; width < 20; width++) {
      expect(widthOf(cutMiddle(text, width))).toBeLessThanOrEqual(width);
      expect(widthOf(cutEnd(text, width))).toBeLessThanOrEqual(width);
    }
  }
});
