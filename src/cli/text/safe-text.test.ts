import { expect, test } from "vitest";
import { toSafeLine, toSafeLines } from "./safe-text.ts";

test("controls become signs", () => {
  expect(toSafeLine("a\u001b[2Jb\nc\u0000\u007f\u009b\u202e")).toBe("a␛[2Jb␊c␀␡\ufffd\ufffd");
});

test("output keeps its lines and loses its colours", () => {
  expect(toSafeLines("\u001b[31mred\u001b[0m\tx\r\nnext\u001b]0;title\u0007!")).toEqual(["red    x", "next!"]);
});

test("a line that was drawn over shows how it ended", () => {
  expect(toSafeLines("10 %\r100 %")).toEqual(["100 %"]);
});

test("ordinary text of any language stays", () => {
  expect(toSafeLine("Grüße, 日本, 👍")).toBe("Grüße, 日本, 👍");
});
