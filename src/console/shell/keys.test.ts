import { expect, test } from "vitest";
import { moveKeys, tableKeys } from "./keys.ts";

const from = (at: number, count = 4): Record<string, number> => {
  let went = -1;
  const keys = tableKeys(count, at, 2, (to) => (went = to));
  return Object.fromEntries(Object.entries(keys).map(([key, go]) => [key, (go?.(), went)]));
};

test("from the middle to the next, the one before, the first, the last and a page on", () => {
  expect(from(1)).toEqual({
    ...{ J: 2, K: 0, ArrowDown: 2, ArrowUp: 0, Home: 0, End: 3, "Shift+J": 3, "Shift+K": 0, PageDown: 3, PageUp: 0 },
  });
});

test("from nowhere to the first, backwards to the last; and never past an end", () => {
  expect(from(-1)).toMatchObject({ J: 0, K: 3, PageDown: 1, PageUp: 0 });
  expect(from(3)).toMatchObject({ J: 3, PageDown: 3 });
  expect(from(0)).toMatchObject({ K: 0, PageUp: 0 });
});

test("in nothing there is nowhere to go", () => {
  expect([moveKeys(0, -1, () => undefined), tableKeys(0, -1, 2, () => undefined)]).toEqual([{}, {}]);
});
