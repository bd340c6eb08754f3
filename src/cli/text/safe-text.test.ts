import { expect, test } from "vitest";
import { toSafeJson, toSafeLine, toSafeLines, toSafeOutput } from "./safe-text.ts";

test("controls become signs", () => {
  expect(toSafeLine("a\u001b[2Jb\nc\td\u0000\u007f\u009b")).toBe("a␛[2Jb␊c␉d␀␡⟨U+009B⟩");
});

test("what turns or hides is named", () => {
  expect(toSafeLine("May I run \u202efr mr\u2066 ?\u200b")).toBe("May I run ⟨U+202E⟩fr mr⟨U+2066⟩ ?⟨U+200B⟩");
});

test("of what is written nothing is left but our own colours and line breaks", () => {
  const written = "\u001b[1m\u001b[31mred\u001b[39m\u001b[22m\na\u202eb\u001b[8mc\u001b[2Jd\r";
  expect(toSafeOutput(written)).toBe("\u001b[1m\u001b[31mred\u001b[39m\u001b[22m\na⟨U+202E⟩b␛[8mc␛[2Jd␍");
});

test("a document says the same, and shows it", () => {
  const value = { title: "a\u202eb\u{e0041}\u001b", more: ["👩\u200d💻\n"] };
  const shown = toSafeJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown).toContain(String.raw`"a\u202eb\udb40\udc41\u001b"`);
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
