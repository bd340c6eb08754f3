import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeLength } from "../../base/escape-sequences.ts";
import { search } from "../../../test/support/search.ts";
import { Screen } from "./screen.ts";

const number = fc.nat({ max: 14 });
const control = (final: string): fc.Arbitrary<string> => number.map((value) => `\u001b[${value}${final}`);
const letters = fc.string({
  minLength: 1,
  maxLength: 30,
  unit: fc.constantFrom("a", "b", "c", "d", "e", " ", " ", "é", "ß"),
});

/** What programs say: text, movement, erasure, regions, modes, colours. */
const said = fc.oneof(
  { arbitrary: letters, weight: 6 },
  fc.constantFrom("\r\n", "\n", "\r", "\b", "\t", "日本語", "🦊"),
  fc.constantFrom("\u001b[?1049h", "\u001b[?1049l", "\u001b[?25l", "\u001b[?25h", "\u001b[?7l", "\u001b[?7h"),
  fc.constantFrom("\u001b[4h", "\u001b[4l", "\u001b(0", "\u001b(B", "\u001b[?6h", "\u001b[?6l", "\u001b7", "\u001b8"),
  fc.constantFrom("\u001bM", "\u001bD", "\u001bE", "\u001b[r", "\u001b[J", "\u001b[2J", "\u001b[K", "\u001b[1K"),
  ...["A", "B", "C", "D", "G", "d", "L", "M", "P", "X", "@", "S", "T", "m"].map(control),
  fc.tuple(number, number).map(([row, col]) => `\u001b[${row};${col}H`),
  fc.tuple(number, number).map(([top, bottom]) => `\u001b[${top};${bottom}r`),
  fc.constantFrom("\u001b[31m", "\u001b[1;44m", "\u001b[7m", "\u001b[38;5;200m", "\u001b[48;2;1;2;3m", "\u001b[m"),
);

test("[TM4] a late joiner sees the screen of one who was there, and goes on seeing it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(said, { maxLength: 40 }), fc.array(said, { maxLength: 12 }), async (before, after) => {
      const size = { cols: 20, rows: 8, onAnswer: () => undefined };
      const there = new Screen(size);
      const late = new Screen(size);
      // A cursor gets beyond the last column only by writing there: what was erased behind it comes back as a space. So it is
      // with the one that waits below the other screen.
      let waitsBeyond = false;
      for (const part of before) {
        waitsBeyond ||= part === "\u001b[?1049h" && there.cursor.col === size.cols;
        await write(there, part);
      }
      await write(late, there.serialize(100));
      const isBeyond = waitsBeyond || there.cursor.col === size.cols;
      expect(shown(late, isBeyond)).toEqual(shown(there, isBeyond));
      for (const screen of [there, late]) await write(screen, after.join(""));
      expect(shown(late, isBeyond)).toEqual(shown(there, isBeyond));
    }),
    {
      ...search(150),
      examples: [[["\u001b[?7l", "\u001b[0;5H", "\u001b[1m", "aaaaaaaaaaaa", "日本語"], []]],
    },
  );
});

function write(screen: Screen, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  expect(wholeLength(bytes)).toBe(bytes.length);
  return new Promise((resolve) => screen.write(bytes, resolve));
}

function shown(screen: Screen, isTextOnly: boolean): unknown {
  const lines = screen.lines().map((line) => line.trimEnd());
  return { lines, cursor: screen.cursor, all: isTextOnly ? null : screen.serialize(100) };
}
