import { expect, test } from "vitest";
import { playedAt, shownAt, toRecording } from "./recording.ts";

const events = [
  { atMs: 100, base64: btoa("one") },
  { atMs: 60_100, base64: btoa("two") },
  { atMs: 60_100, cols: 100, rows: 30 },
  { atMs: 60_500, base64: btoa("three") },
];
const size = { cols: 80, rows: 24 };

test("it is played as it was, or with its long pauses shortened", () => {
  const real = toRecording(size, events, false);
  expect([real.totalMs, real.frames.map(({ atMs }) => atMs)]).toEqual([60_500, [100, 60_100, 60_100, 60_500]]);
  const short = toRecording(size, events, true);
  expect(short.frames.map(({ atMs }) => atMs)).toEqual([100, 2100, 2100, 2500]);
  expect(new TextDecoder().decode(short.frames[1]?.bytes ?? undefined)).toBe("two");
  expect(short.frames[2]?.size).toEqual({ cols: 100, rows: 30 });
});

test("what has been shown at a time, and when that is played which was at a time", () => {
  const short = toRecording(size, events, true);
  expect([0, 100, 2099, 2100, 9999].map((atMs) => shownAt(short, atMs))).toEqual([0, 1, 1, 3, 4]);
  expect([0, 100, 60_300, 70_000].map((realMs) => playedAt(short, realMs))).toEqual([0, 100, 2100, 2500]);
  expect(shownAt(toRecording(size, [], true), 5)).toBe(0);
});
