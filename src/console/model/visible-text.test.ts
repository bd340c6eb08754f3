import { expect, test } from "vitest";
import { cutLine, toVisible, toVisibleLines } from "./visible-text.ts";

test("what hides or turns text is named, and the rest is left alone", () => {
  expect(toVisible("if (admin\u202e) {\u2066 // ok")).toBe("if (admin⟨U+202E⟩) {⟨U+2066⟩ // ok");
  expect(toVisible("a\u001b[31mb\r")).toBe("a⟨ESC⟩[31mb⟨CR⟩");
  expect(toVisible("\tüñ 🚆 <b>")).toBe("\tüñ 🚆 <b>");
});

test("lines stay lines", () => {
  expect(toVisibleLines("a\r\nb\n\nc\u202e\rd")).toBe("a\nb\n\nc⟨U+202E⟩⟨CR⟩d");
});

test("a long line is cut between characters", () => {
  expect(cutLine("abcdef", 6)).toEqual({ text: "abcdef", left: 0 });
  expect(cutLine("abcdef", 4)).toEqual({ text: "abcd", left: 2 });
  expect(cutLine("abc🚆def", 4)).toEqual({ text: "abc", left: 5 });
});
