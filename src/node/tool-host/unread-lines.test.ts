import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../../test/support/search.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { ShownParts } from "./shown-parts.ts";
import { type Lines, linesToRead, sayLines, together, unreadOf } from "./unread-lines.ts";

test.each<[string, string | undefined, string, Lines[]]>([
  ["what is new", "a\nb\nc\n", "a\nx\ny\nb\nc\n", [{ from: 2, to: 3 }]],
  ["where something went", "a\nb\nc\nd\n", "a\nb\nd\n", [{ from: 2, to: 3 }]],
  ["where the end went", "a\nb\n", "a\n", [{ from: 1, to: 1 }]],
  ["all of what had no base", undefined, "a\nb\n", [{ from: 1, to: 2 }]],
  ["nothing of what is empty", "a\n", "", []],
])("[LD31] of the other side has to be read %s", (_what, base, theirs, wanted) => {
  expect(linesToRead(base, theirs)).toEqual(wanted);
});

test("[LD31] what is left to read are the lines that no part had", () => {
  const lines = fc.record({ from: fc.integer({ min: 1, max: 30 }), more: fc.nat(8) });
  const toLines = ({ from, more }: { from: number; more: number }): Lines => ({ from, to: from + more });
  const numbers = (all: readonly Lines[]): number[] =>
    all.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  fc.assert(
    fc.property(fc.array(lines.map(toLines)), fc.array(lines.map(toLines)), (some, others) => {
      const [wanted, seen] = [together(some), together(others)];
      const had = new Set(numbers(others));
      expect(numbers(wanted)).toEqual([...new Set(numbers(some))].toSorted((a, b) => a - b));
      expect(numbers(unreadOf(wanted, seen))).toEqual(numbers(wanted).filter((each) => !had.has(each)));
    }),
    search(200),
  );
});

test("[LD31] what is left to read is said in few words, and known to the next daemon", () => {
  const some = Array.from({ length: 7 }, (_, at) => ({ from: 10 * at + 1, to: 10 * at + 2 }));
  expect(sayLines([{ from: 4, to: 4 }])).toBe("line 4");
  expect(sayLines(some)).toBe("lines 1 to 2, 11 to 12, 21 to 22, 31 to 32, 41 to 42 and 2 more");
  const file = `${makeTempFolder()}/calls/shown-parts`;
  new ShownParts(file).note("a", "100644:1", { from: 1, to: 5 });
  expect(new ShownParts(file).of("a", "100644:1")).toEqual([{ from: 1, to: 5 }]);
  expect(new ShownParts(file).of("a", "100644:2")).toEqual([]);
});

test("[LD31] what was shown again and again is known once, also to the next daemon", () => {
  const file = `${makeTempFolder()}/calls/shown-parts`;
  const parts = new ShownParts(file);
  const lines = Array.from({ length: 1000 }, (_, at) => ({ from: 2 * at + 1, to: 2 * at + 1 }));
  for (const part of [...lines, ...lines.toReversed()]) parts.note("a", "100644:1", part);
  expect(parts.of("a", "100644:1")).toEqual(lines);
  parts.note("a", "100644:1", { from: 1, to: 2000 });
  for (const part of lines) parts.note("a", "100644:1", part);
  for (const known of [parts, new ShownParts(file)]) expect(known.of("a", "100644:1")).toEqual([{ from: 1, to: 2000 }]);
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(1002);
});
