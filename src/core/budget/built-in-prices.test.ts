import { expect, test } from "vitest";
import { builtInPrices } from "./built-in-prices.ts";
import { priceOf } from "./prices.ts";

test("no two prices are of the same name", () => {
  expect(new Set(builtInPrices.map(({ model }) => model)).size).toBe(builtInPrices.length);
});

test.each([
  ["claude-opus-4-20250514", 15],
  ["claude-opus-4-7", 5],
  ["claude-opus-4-8", 5],
  ["claude-opus-5", 5],
  ["claude-opus-5-5", 4],
  ["claude-sonnet-5-5", 2],
  ["gpt-6.1-sol", 2],
])("%s has a price of its own, and not that of the first whose name begins so", (model, dollars) => {
  expect(priceOf(new Map(), model)?.inputMicros).toBe(dollars * 1_000_000);
});
