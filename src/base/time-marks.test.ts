import { expect, test } from "vitest";
import { markBytes, marksFor, type TimeMark, TimeReader, toMark, toMarkBytes } from "./time-marks.ts";

const marks: readonly TimeMark[] = [
  [10, 1000],
  [20, 1005.5],
  [2 ** 40, 9000],
];
const found = (from: number, to: number): TimeMark[] => {
  const bytes = toMarkBytes(marks);
  return marksFor(bytes.length / markBytes, (index) => toMark(bytes, index * markBytes), from, to);
};

test("marks of a part are those in it, and the last one before", () => {
  expect(found(0, 10)).toEqual([]);
  expect(found(0, 11)).toEqual([[10, 1000]]);
  expect(found(15, 18)).toEqual([[10, 1000]]);
  expect(found(20, 21)).toEqual([[20, 1005.5]]);
  expect(found(12, 2 ** 41)).toEqual(marks);
});

test("what is said before the first mark, nobody knows when; what comes after one is as old as that", () => {
  const reader = new TimeReader(marks);
  expect([5, 10, 11, 19, 20, 2 ** 40 - 1, 2 ** 41].map((offset) => reader.at(offset))).toEqual([
    ...[null, 1000, 1000, 1000, 1005.5, 1005.5, 9000],
  ]);
});
