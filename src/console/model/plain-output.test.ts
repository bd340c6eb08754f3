import { expect, test } from "vitest";
import { toPlainOutput } from "./plain-output.ts";

test.each([
  ["plain\ntext\n", "plain\ntext"],
  ["\u001b[32m ✓\u001b[0m ok\r\n", " ✓ ok"],
  ["10%\r50%\r100%\ndone", "100%\ndone"],
  ["\u001b]0;title\u0007seen", "seen"],
  ["a\u0007b", "a⟨U+0007⟩b"],
  ["", ""],
])("%j is shown as %j", (said, shown) => {
  expect(toPlainOutput(Buffer.from(said).toString("base64"))).toBe(shown);
});

test("bytes that are no text do no harm", () => {
  expect(toPlainOutput(Buffer.from([0xff, 0x41]).toString("base64"))).toBe("\ufffdA");
});
