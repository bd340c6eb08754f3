import { expect, test } from "vitest";
import { OutputRate } from "./output-rate.ts";

test("[EN24] a second's worth comes at once, the rest as fast as it may, and silence saves up no more than that", () => {
  let [nowMs, perS] = [5000, 1000];
  const rate = new OutputRate(
    () => perS,
    () => nowMs,
  );
  expect([rate.take(600), rate.take(400), rate.take(250)]).toEqual([0, 0, 250]);
  nowMs += 250;
  expect(rate.take(500)).toBe(500);
  nowMs += 60_000;
  expect([rate.take(1000), rate.take(1)]).toEqual([0, 1]);
  nowMs += 60_000;
  perS = 500;
  expect([rate.take(500), rate.take(1)]).toEqual([0, 2]);
});
