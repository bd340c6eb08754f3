import { describe, expect, test } from "vitest";
import { isText, mergeText, type TextMerge } from "./text-merge.ts";
import { decodeText, encodeText } from "./utf8.ts";

describe("three texts", () => {
  test("[LD27] equal sides win, and an unchanged side yields to the changed one, text or not", () => {
    expect(merged("a\n", "b\n", "b\n")).toBe("b\n");
    expect(merged("a\n", "a\n", "c\n")).toBe("c\n");
    expect(merged("a\n", "c", "a\n")).toBe("c");
    const binary = Uint8Array.of(0, 1, 0xff);
    const other = Uint8Array.of(0, 2);
    expect(mergeText({ base: other, ours: binary, theirs: binary })).toEqual({ kind: "clean", bytes: binary });
    expect(mergeText({ base: other, ours: other, theirs: binary })).toEqual({ kind: "clean", bytes: binary });
    expect(mergeText({ base: binary, ours: null, theirs: binary })).toEqual({ kind: "clean", bytes: null });
    expect(mergeText({ base: binary, ours: null, theirs: null })).toEqual({ kind: "clean", bytes: null });
  });

  test("[LD27] changes that do not touch combine", () => {
    expect(merged("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")).toBe("A\nb\nC\n");
    expect(merged("a\r\nb\nc", "a\r\nb\nc\nd", "x\r\nb\nc")).toBe("x\r\nb\nc\nd");
    expect(merged("a\nb\nc\n", "b\nc\n", "a\nb\nc\nd\n")).toBe("b\nc\nd\n");
    // Both did the same at one place, and something else at others.
    expect(merged("1\n2\n3\n4\n5\n", "one\n2\n3\n4\nV\n", "1\n2\n3\n4\nV\n")).toBe("one\n2\n3\n4\nV\n");
  });

  test("[LD27] changes that touch conflict: on one line, side by side, or at the same gap", () => {
    for (const [ours, theirs] of [
      ["A\nb\nc\n", "X\nb\nc\n"],
      ["A\nb\nc\n", "a\nB\nc\n"],
      ["a\nb\nc\nd\n", "a\nb\nc\ne\n"],
      ["a\nx\nb\nc\n", "a\nc\n"],
      ["a\nb\nc", "a\nb\nc\nd\n"],
      ["", "a\nb\nc\nd\n"],
    ] as const) {
      expect(merge("a\nb\nc\n", ours, theirs)).toMatchObject({ kind: "conflict", why: "touching" });
      expect(merge("a\nb\nc\n", theirs, ours)).toMatchObject({ kind: "conflict", why: "touching" });
    }
  });

  test("[LD27] a side that is absent or not text conflicts when both changed", () => {
    const text = encodeText("a\n");
    const other = encodeText("b\n");
    const binary = Uint8Array.of(0);
    for (const [base, ours, theirs] of [
      [text, null, other],
      [null, text, other],
      [text, binary, other],
      [binary, text, other],
      [text, other, Uint8Array.of(0xff, 0x0a)],
    ] as const) {
      expect(mergeText({ base, ours, theirs })).toEqual({ kind: "conflict", why: "not-text" });
    }
    expect([isText(text), isText(binary), isText(Uint8Array.of(0xc3, 0x28))]).toEqual([true, false, false]);
  });

  test("[LD31] a conflict shows all three sides, stretch by stretch", () => {
    expect(merge("a\nb\nc\nd\ne\nf\ng\n", "a\nB\nc\nd\ne\nf\n", "A\nX\nc\nd\nE\nf\ng\n")).toEqual({
      kind: "conflict",
      why: "touching",
      regions: [
        { kind: "conflict", base: "a\nb\n", ours: "a\nB\n", theirs: "A\nX\n" },
        { kind: "same", base: "c\nd\n", ours: "c\nd\n", theirs: "c\nd\n" },
        { kind: "theirs", base: "e\n", ours: "e\n", theirs: "E\n" },
        { kind: "same", base: "f\n", ours: "f\n", theirs: "f\n" },
        { kind: "ours", base: "g\n", ours: "", theirs: "g\n" },
      ],
    });
  });

  test("[LD40] where equal lines leave open which was meant, nobody guesses", () => {
    // One more x, and the middle x replaced: x x Z x or x Z x x?
    expect(merge("x\nx\nx\n", "x\nx\nx\nx\n", "x\nZ\nx\n")).toEqual({
      kind: "conflict",
      why: "touching",
      regions: [
        { kind: "same", base: "x\n", ours: "x\n", theirs: "x\n" },
        { kind: "conflict", base: "x\nx\n", ours: "x\nx\nx\n", theirs: "Z\nx\n" },
      ],
    });
    // A function added behind another whose last line changed: its brace could be either, and it makes no difference.
    expect(merged("f {\n1\n}\n", "f {\n1\n}\ng {\n2\n}\n", "f {\n3\n}\n")).toBe("f {\n3\n}\ng {\n2\n}\n");
  });
});

function merge(base: string, ours: string, theirs: string): TextMerge {
  return mergeText({ base: encodeText(base), ours: encodeText(ours), theirs: encodeText(theirs) });
}

function merged(base: string, ours: string, theirs: string): string | undefined {
  const result = merge(base, ours, theirs);
  return result.kind === "clean" && result.bytes !== null ? decodeText(result.bytes) : undefined;
}
