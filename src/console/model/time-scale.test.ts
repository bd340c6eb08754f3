import { expect, test } from "vitest";
import { makeTimeScale } from "./time-scale.ts";

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
