import { expect, test } from "vitest";
import { makeTimeScale, toDrawnEnd, ticksOn } from "./time-scale.ts";

test("a run without long pauses is drawn as it was", () => {
  const { placeOf, folds } = makeTimeScale([0, 50, 100]);
  expect([placeOf(-5), placeOf(0), placeOf(25), placeOf(100), placeOf(500)]).toEqual([0, 0, 25, 100, 100]);
  expect(folds).toEqual([]);
});

test("a night of waiting is folded, and the order stays", () => {
  const work = Array.from({ length: 40 }, (_, at) => at * 100);
  const { placeOf, folds } = makeTimeScale([...work, 30_000_000]);
  expect(folds).toMatchObject([{ fromMs: 3900, toMs: 30_000_000 }]);
  expect(folds[0]?.width).toBeLessThan(15);
  const places = work.map(placeOf);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(placeOf(3900)).toBeGreaterThan(80);
});

test("one instant, or none, is no trouble", () => {
  expect(makeTimeScale([]).placeOf(5)).toBe(100);
  expect(makeTimeScale([7]).placeOf(7)).toBe(0);
});

test("round times of the clock on the wall stand on the scale, as many as there is room for", () => {
  const scale = makeTimeScale([0, 60_000]);
  const { ticks, stepMs } = ticksOn(scale, { fromMs: 0, toMs: 60_000, shiftMs: 5000, most: 8 });
  expect(stepMs).toBe(10_000);
  expect(ticks.map(({ ms }) => ms)).toEqual([5000, 15_000, 25_000, 35_000, 45_000, 55_000]);
  expect(ticks.map(({ at }) => Math.round(at))).toEqual([8, 25, 42, 58, 75, 92]);
});

test("what is folded has no times in it", () => {
  const work = Array.from({ length: 40 }, (_, at) => at * 1000);
  const scale = makeTimeScale([...work, 90_000_000]);
  const { ticks } = ticksOn(scale, { fromMs: 0, toMs: 90_000_000, shiftMs: 0, most: 8 });
  expect(ticks.map(({ ms }) => ms)).toEqual([5000, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000]);
});

test("the end of what goes on moves seldom, never before its time, and by less than one sees", () => {
  const ends = new Set<number>();
  for (let toMs = 3_600_000; toMs < 3_660_000; toMs += 1000) {
    const endMs = toDrawnEnd(0, toMs);
    expect(endMs).toBeGreaterThanOrEqual(toMs);
    expect(endMs - toMs).toBeLessThan(toMs / 400);
    ends.add(endMs);
  }
  expect(ends.size).toBeLessThan(12);
  expect(toDrawnEnd(5, 5)).toBe(5);
});
