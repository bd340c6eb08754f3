import { expect, test } from "vitest";
import { hunksOf } from "../../core/landing/hunks.ts";
import { renderDiff } from "../../core/landing/unified-diff.ts";
import { countLines, differenceOf, toBlocks, toPairs } from "./diff-blocks.ts";

function change(base: string | null, work: string | null): Parameters<typeof toBlocks>[0] {
  const side = (text: string | null, blob: string) => ({
    entry: text === null ? null : `100644:${blob.repeat(40)}`,
    bytes: text === null ? null : new TextEncoder().encode(text),
  });
  const hunks = hunksOf({ base: base ?? "", work: work ?? "" });
  return {
    patch: renderDiff({ path: "a.txt", base: side(base, "a"), work: side(work, "b") }),
    hunks: hunks.map(({ id, baseFrom, removed, added }) => ({
      id,
      from: baseFrom + 1,
      removed: [...removed],
      added: [...added],
    })),
  };
}

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`);
const base = lines.join("");

test("each hunk is a block with its id, also when the patch shows two of them together", () => {
  const work = base
    .replace("line 3\n", "LINE 3\n")
    .replace("line 6\n", "line 6\nand a half\n")
    .replace("line 25\n", "");
  const blocks = toBlocks(change(base, work));
  expect(blocks.map(({ hunk, place }) => [hunk, place])).toEqual([
    ["1", "−1,3 +1,3"],
    ["2", "−4,6 +4,7"],
    ["3", "−22,7 +23,6"],
  ]);
  expect(blocks[1]?.rows.find(({ sign }) => sign === "+")).toEqual({
    sign: "+",
    old: null,
    new: 7,
    text: "and a half",
    noEnd: false,
  });
  expect(countLines(blocks)).toEqual({ added: 2, removed: 2 });
});

test("a new file and a deleted one are one block each", () => {
  expect(toBlocks(change(null, "a\nb\n"))).toMatchObject([{ hunk: "1", rows: [{ new: 1 }, { new: 2 }] }]);
  expect(toBlocks(change("a\nb\n", null))).toMatchObject([{ hunk: "1", rows: [{ old: 1 }, { old: 2 }] }]);
});

test("lines that look like a patch's own are lines", () => {
  const blocks = toBlocks(change("x\n", "@@ -1 +1 @@\n--- a\n+++ b\ndiff --git a b\n\\ No newline at end of file\n"));
  expect(blocks).toHaveLength(1);
  expect(blocks[0]?.rows.map(({ text }) => text)).toEqual([
    "x",
    "@@ -1 +1 @@",
    "--- a",
    "+++ b",
    "diff --git a b",
    "\\ No newline at end of file",
  ]);
});

test("the end of a file without a newline is said where it is", () => {
  const rows = toBlocks(change("a\nb", "a\nb\n"))[0]?.rows;
  expect(rows?.map(({ sign, noEnd }) => [sign, noEnd])).toEqual([
    [" ", false],
    ["-", true],
    ["+", false],
  ]);
});

test("no patch, no block; and parts that are no hunks cannot be chosen", () => {
  expect(toBlocks({ patch: "", hunks: [] })).toEqual([]);
  expect(toBlocks({ patch: "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", hunks: [] })).toEqual([]);
  const twice = change(null, "a\n").patch + change("a\n", null).patch;
  expect(toBlocks({ patch: twice, hunks: [{ id: "1", from: 1, removed: [], added: [] }] })).toMatchObject([
    { hunk: null },
    { hunk: null },
  ]);
});

test("side by side, what was removed stands left of what took its place", () => {
  const rows = toBlocks(change("a\nb\nc\n", "a\nB\nB2\nc\n"))[0]?.rows ?? [];
  expect(toPairs(rows).map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([
    ["a", "a"],
    ["b", "B"],
    [null, "B2"],
    ["c", "c"],
  ]);
});

test("two lines that are much alike show where they differ", () => {
  expect(differenceOf("app.use(logger());", "app.use(logger(quiet));")).toEqual({ start: 15, end: 3 });
  expect(differenceOf("one", "two")).toBeNull();
  expect(differenceOf("same", "same")).toEqual({ start: 4, end: 0 });
});
