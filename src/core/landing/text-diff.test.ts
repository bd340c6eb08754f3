import { describe, expect, test } from "vitest";
import { Prng } from "../../base/prng.ts";
import { diffLines, diffNumbered, type LineChange, numberLines, splitLines } from "./text-diff.ts";
import { decodeText, encodeText, textBytesMax } from "./utf8.ts";

const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list);

describe("text and bytes", () => {
  test.each([
    ["nothing", bytes()],
    ["a byte order mark", bytes(0xef, 0xbb, 0xbf, 0x61)],
    ["two, three and four bytes", new TextEncoder().encode("é€🔒\u{10ffff}\ud7ff\ue000")],
    ["carriage returns and no last newline", new TextEncoder().encode("a\r\nb\rc\n\n d")],
  ])("%s comes back exactly", (_, given) => {
    const text = decodeText(given);
    expect(text).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(given));
    expect(encodeText(text ?? "")).toEqual(given);
  });

  test.each([
    ["a NUL", bytes(0x61, 0, 0x62)],
    ["a lone continuation", bytes(0x80)],
    ["a broken pair", bytes(0xc3)],
    ["a pair that breaks off", bytes(0xe2, 0x82)],
    ["a wrong continuation", bytes(0xc3, 0x41)],
    ["an overlong slash", bytes(0xc0, 0xaf)],
    ["an overlong three", bytes(0xe0, 0x80, 0xaf)],
    ["an overlong four", bytes(0xf0, 0x80, 0x80, 0xaf)],
    ["half of a surrogate pair", bytes(0xed, 0xa0, 0x80)],
    ["beyond the last letter", bytes(0xf4, 0x90, 0x80, 0x80)],
    ["a byte that never is", bytes(0xff)],
    ["too much to read", new Uint8Array(textBytesMax + 1).fill(0x61)],
  ])("%s is not text", (_, given) => {
    expect(decodeText(given)).toBeUndefined();
  });
});

describe("lines", () => {
  test.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a\n"]],
    ["a\r\nb\r\r\n\nc", ["a\r\n", "b\r\r\n", "\n", "c"]],
  ])("%j keeps its endings", (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });
});

describe("changes", () => {
  test("are as few as possible, and a missing newline is one", () => {
    expect(diff("abc", "AbC")).toEqual([change(0, 1, 0, 1), change(2, 3, 2, 3)]);
    expect(diff("abc", "abc")).toEqual([]);
    expect(diff("", "ab")).toEqual([change(0, 0, 0, 2)]);
    expect(diff("ab", "")).toEqual([change(0, 2, 0, 0)]);
    expect(diffLines(splitLines("a\nb"), splitLines("a\nb\n"))).toEqual([change(1, 2, 1, 2)]);
    expect(diffLines(splitLines("a\r\n"), splitLines("a\n"))).toEqual([change(0, 1, 0, 1)]);
  });

  test("among equal lines are read at the last place, or at the first when asked", () => {
    expect(diff("xxx", "xx")).toEqual([change(2, 3, 2, 2)]);
    expect(readFirst("xxx", "xx")).toEqual([change(0, 1, 0, 0)]);
    expect(diff("f}g}", "f}h}g}")).toEqual([change(2, 2, 2, 4)]);
    expect(readFirst("f}g}", "f}h}g}")).toEqual([change(1, 1, 1, 3)]);
  });

  test("that equal lines push together are one: a replaced line is not an insertion and a removal", () => {
    expect(diff("aaxayy", "baxayy")).toEqual([change(0, 1, 0, 1)]);
  });

  test("in long files are found soon, also where nothing fits: the answer gets coarse, never wrong", () => {
    const chance = new Prng(7);
    const few = (kinds: number): string[] => Array.from({ length: 10_000 }, () => `${chance.below(kinds)}\n`);
    const long = Array.from({ length: 10_000 }, (_, at) => `line ${at}\n`);
    const shuffled = [...long];
    for (let at = shuffled.length - 1; at > 0; at--) {
      const other = chance.below(at + 1);
      [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
    }
    const pairs = [2, 4, 100, 3000].map((kinds) => [few(kinds), few(kinds)] as const);
    for (const [base, work] of [...pairs, [long, shuffled], [long, long.toReversed()], [long, few(9)]] as const) {
      const startedMs = performance.now();
      const changes = diffLines(base, work);
      // Far from the quarter of an hour that a table of all pairs would take; a busy machine is slow, not wrong.
      expect(performance.now() - startedMs).toBeLessThan(10_000);
      expect(rebuild(base, work, changes)).toEqual(work);
    }
    const edited = long.with(17, "new\n").toSpliced(5000, 3).toSpliced(9000, 0, "more\n");
    expect(diffLines(long, edited)).toEqual([
      change(17, 18, 17, 18),
      change(5000, 5003, 5000, 5000),
      change(9003, 9003, 9000, 9001),
    ]);
  });
});

function diff(base: string, work: string): LineChange[] {
  return diffLines(base.split(""), work.split(""));
}

function readFirst(before: string, after: string): LineChange[] {
  const [base, work] = numberLines([before.split(""), after.split("")]);
  return diffNumbered({ base, work }, { sought: "back", place: "first" });
}

function change(baseFrom: number, baseTo: number, workFrom: number, workTo: number): LineChange {
  return { baseFrom, baseTo, workFrom, workTo };
}

function rebuild(base: readonly string[], work: readonly string[], changes: readonly LineChange[]): string[] {
  const rebuilt: string[] = [];
  let at = 0;
  for (const { baseFrom, baseTo, workFrom, workTo } of changes) {
    rebuilt.push(...base.slice(at, baseFrom), ...work.slice(workFrom, workTo));
    at = baseTo;
  }
  return [...rebuilt, ...base.slice(at)];
}
