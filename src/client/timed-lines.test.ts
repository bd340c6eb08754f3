import { expect, test } from "vitest";
import { marksFor, type TimeMark } from "../base/time-marks.ts";
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

test("[SV15] a last line without an end is one when no more comes, with the time of its beginning", () => {
  const lines = new TimedLines();
  expect(lines.take(Buffer.from("one\ndy"), 0, [[0, 5]])).toEqual([{ atMs: 5, text: "one" }]);
  expect(lines.take(Buffer.from("ing"), 6, [[6, 8]])).toEqual([]);
  expect([lines.end(), lines.end()]).toEqual([[{ atMs: 5, text: "dying" }], []]);
});
