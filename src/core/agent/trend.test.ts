import { describe, expect, test } from "vitest";
import { Prng } from "../../base/prng.ts";
import { capacityFor, diskFullIn, memoryFullIn, moreFailures, quotaFullIn, riseOf, type Sample } from "./trend.ts";

const minuteMs = 60_000;
const line = (count: number, valueAt: (at: number) => number): Sample[] =>
  Array.from({ length: count }, (_, at) => ({ atMs: at * minuteMs, value: valueAt(at) }));

describe("a trend", () => {
  test("[AU42] is the middle slope, and single peaks do not move it", () => {
    const peaks = line(40, (at) => at * 100 + (at % 13 === 0 ? 100_000 : 0));
    expect((riseOf(peaks) ?? 0) * minuteMs).toBeCloseTo(100, -1);
  });

  test("[AU42] is not told from little, from a short time, from what stays or from what goes up and down", () => {
    expect(riseOf(line(19, (at) => at))).toBeNull();
    expect(riseOf(line(30, (at) => at).map(({ value }, at) => ({ atMs: at * 1000, value })))).toBeNull();
    expect(riseOf(line(60, () => 5))).toBeNull();
    expect(riseOf(line(60, (at) => Math.sin(at)))).toBeNull();
    expect(riseOf(line(60, (at) => -at))).toBeNull();
    expect(riseOf([])).toBeNull();
  });

  test("[AU42] is told of a disk that fills, within a day and not beyond", () => {
    expect(diskFullIn(line(60, (at) => 1000 - at * 10))).toBeCloseTo(41 * minuteMs, -2);
    expect(diskFullIn(line(60, (at) => 1e9 - at))).toBeNull();
  });

  test("[AU42] is told of memory once half of the limit is used, and of none without one", () => {
    const grows = line(60, (at) => at * 10);
    expect(memoryFullIn(grows, 1000)).toBeCloseTo(41 * minuteMs, -2);
    expect(memoryFullIn(grows, 2000)).toBeNull();
    expect(memoryFullIn(grows, null)).toBeNull();
    expect(memoryFullIn(grows, 500)).toBeNull();
  });

  test("[AU42] is told of an agent's part of the disk once half of that is taken, within a day", () => {
    const grows = line(60, (at) => at * 10);
    expect(quotaFullIn(grows, 1000)).toBeCloseTo(41 * minuteMs, -2);
    expect(quotaFullIn(grows, 2000)).toBeNull();
    expect(quotaFullIn(grows, null)).toBeNull();
  });

  test("[AU42] of failures is told where they are many more than in the hour before", () => {
    const nowMs = 10 * 3_600_000;
    const ago = (...minutes: number[]): number[] => minutes.map((each) => nowMs - each * minuteMs);
    expect(moreFailures(ago(5, 10, 15), nowMs, 0)).toBe(3);
    expect(moreFailures(ago(5, 10), nowMs, 0)).toBeNull();
    expect(moreFailures(ago(5, 10, 15, 70, 80), nowMs, 0)).toBeNull();
    expect(moreFailures(ago(70, 80, 90), nowMs, 0)).toBeNull();
    // There was nothing before that it could be more than.
    expect(moreFailures(ago(5, 10, 15), nowMs, nowMs - 90 * minuteMs)).toBeNull();
  });

  test("[AU42] however uneven what is measured, nothing is told of what does not rise", () => {
    const prng = new Prng(7);
    for (let tries = 0; tries < 200; tries++)
      expect(
        memoryFullIn(
          line(60, () => 600 + prng.unit() * 100),
          1000,
        ),
      ).toBeNull();
  });
});

test("[AU43] there is room for as many more as the scarcest thing allows", () => {
  const left = { memoryBytes: 1000, diskBytes: 900, agents: 50 };
  expect(capacityFor({ memoryBytes: 100, diskBytes: 50 }, left)).toEqual({ more: 10, boundBy: "memory" });
  expect(capacityFor({ memoryBytes: 10, diskBytes: 300 }, left)).toEqual({ more: 3, boundBy: "disk" });
  expect(capacityFor({ memoryBytes: null, diskBytes: null }, left)).toEqual({ more: 50, boundBy: "agents" });
  expect(capacityFor({ memoryBytes: 100, diskBytes: null }, { ...left, memoryBytes: -5 }).more).toBe(0);
});
