import { expect, test } from "vitest";
import {
  toBytes,
  toClock,
  toCount,
  toCountdown,
  toExact,
  toMany,
  toOrdinal,
  toSpan,
  toTook,
  readInstant,
} from "./format.ts";

test.each([
  [-5, "0s"],
  [0, "0s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3_599_999, "59m"],
  [3_600_000, "1h"],
  [47 * 3_600_000, "47h"],
  [72 * 3_600_000, "3d"],
])("a span of %d ms is %s", (ms, text) => {
  expect(toSpan(ms)).toBe(text);
});

test.each([
  [-1, "0:00"],
  [1, "0:01"],
  [42_000, "0:42"],
  [250_000, "4:10"],
  [3_720_000, "1:02:00"],
])("%d ms are left as %s", (ms, text) => {
  expect(toCountdown(ms)).toBe(text);
});

test.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [12, "12th"],
  [13, "13th"],
  [21, "21st"],
  [112, "112th"],
])("%d is the %s", (place, text) => {
  expect(toOrdinal(place)).toBe(text);
});

test("what was over at once has taken some time all the same", () => {
  expect([0, 0.4, 8, 999, 2840, 41_000].map(toTook)).toEqual(["0 ms", "0 ms", "8 ms", "999 ms", "2.8 s", "41s"]);
});

test("a time that is written as ours are is read, and nothing else is", () => {
  const nowMs = new Date(2026, 10, 5, 4, 3, 2, 7).getTime();
  const read = (text: string): string | null => {
    const atMs = readInstant(text, nowMs);
    return atMs === null ? null : toExact(atMs);
  };
  expect(read("2026-01-31 14:05")).toBe("2026-01-31 14:05:00.000");
  expect(read(" 2026-01-31T14:05:09.25 ")).toBe("2026-01-31 14:05:09.250");
  expect(read("2026-01-31")).toBe("2026-01-31 00:00:00.000");
  expect(read("14:05:09")).toBe("2026-11-05 14:05:09.000");
  expect(read(toExact(nowMs))).toBe(toExact(nowMs));
  const bad = [
    "",
    "  ",
    "01/31/2026 14:05",
    "31.1.2026",
    "2026-02-31",
    "2026-13-01",
    "24:00",
    "14:60",
    "2026-01-31 14",
    "soon",
  ];
  expect(bad.map(read)).toEqual(bad.map(() => null));
});

test("times of day, counts and sizes", () => {
  const wallMs = new Date(2026, 10, 5, 4, 3, 2, 7).getTime();
  expect(toClock(wallMs)).toBe("04:03:02");
  expect(toExact(wallMs)).toBe("2026-11-05 04:03:02.007");
  expect([toCount(1204), toMany(1, "run"), toMany(0, "run")]).toEqual(["1,204", "1 run", "0 runs"]);
  expect([41, 2048, 3 * 1024 ** 2, 24 * 1024 ** 3].map(toBytes)).toEqual(["41 B", "2.0 KB", "3.0 MB", "24.0 GB"]);
});
