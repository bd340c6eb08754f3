import { expect, test } from "vitest";
import { marksFor, type TimeMark } from "../../base/time-marks.ts";
import { parseMoment } from "./moment.ts";
import { TimedLines } from "./timed-lines.ts";

test("[SV15] lines have the time of their beginning, wherever the pieces were cut", () => {
  const bytes = Buffer.from("one ä\ntwo\nthree\n");
  const marks: readonly TimeMark[] = [
    [100, 5],
    [107, 8],
    [113, 9],
  ];
  for (let cut = 0; cut <= bytes.length; cut++) {
    const lines = new TimedLines();
    const part = (from: number, to: number) => {
      const within = marksFor(marks.length, (at) => marks[at] ?? [0, 0], 100 + from, 100 + to);
      return lines.take(bytes.subarray(from, to), 100 + from, within);
    };
    expect([...part(0, cut), ...part(cut, bytes.length)]).toEqual([
      { atMs: 5, text: "one ä" },
      { atMs: 8, text: "two" },
      { atMs: 8, text: "three" },
    ]);
  }
});

test("[SV15] a moment is how long ago, or a time", () => {
  expect(parseMoment("1m30s", 100_000)).toBe(10_000);
  expect(parseMoment("2026-03-01T12:00:00Z")).toBe(Date.UTC(2026, 2, 1, 12));
  for (const text of ["", "yesterday", "10", "2026-99-99"]) expect(() => parseMoment(text)).toThrow(/such as/);
});
