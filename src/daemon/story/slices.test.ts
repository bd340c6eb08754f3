import { expect, test } from "vitest";
import { Slices } from "./slices.ts";

type Span = { readonly from: number; readonly to: number; readonly count: number };
const join = (a: Span, b: Span): Span => ({ from: a.from, to: b.to, count: a.count + b.count });

function slicesOf(instants: readonly number[], max: number): Span[] {
  const slices = new Slices(max, join);
  for (const at of instants) slices.add(at, { from: at, to: at, count: 1 });
  return slices.values;
}

test("few stand alone, also at the same instant", () => {
  expect(slicesOf([1, 1, 5], 3)).toEqual([1, 1, 5].map((at) => ({ from: at, to: at, count: 1 })));
});

test.each([10, 999, 20_000])("of %d none is lost, and none spans more than its share of the whole", (count) => {
  const instants = Array.from({ length: count }, (_, at) => at * 7);
  const spans = slicesOf(instants, 300);
  expect(spans.length).toBeLessThanOrEqual(300);
  expect(spans.reduce((sum, span) => sum + span.count, 0)).toBe(count);
  expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([0, instants.at(-1)]);
  expect(Math.max(...spans.map(({ from, to }) => to - from))).toBeLessThanOrEqual((4 * count * 7) / 300);
});

test("those of one instant become one where there are too many", () => {
  expect(slicesOf(Array(1000).fill(0), 10)).toEqual([{ from: 0, to: 0, count: 1000 }]);
});
