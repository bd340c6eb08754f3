import { expect, test } from "vitest";
import { toEngineMs, toWallMs } from "./wall-time.ts";

const openings = [
  { atMs: 100, wallMs: 1_000 },
  { atMs: 200, wallMs: 9_000 },
];

test("an instant keeps its time of day, however long the daemon was down afterwards", () => {
  expect(toWallMs(openings, 150)).toBe(1_050);
  expect(toWallMs(openings, 199)).toBe(1_099);
  expect(toWallMs(openings, 250)).toBe(9_050);
});

test("before the first start that is remembered its distance is the best there is", () => {
  expect(toWallMs(openings, 40)).toBe(940);
  expect(toWallMs([], 40)).toBe(40);
});

test("a time of day leads back to its instant; while the daemon was down nothing was later than its end", () => {
  for (const engineMs of [100, 150, 199, 200, 250])
    expect(toEngineMs(openings, toWallMs(openings, engineMs))).toBe(engineMs);
  expect(toEngineMs(openings, 5_000)).toBe(200);
  expect(toEngineMs(openings, 940)).toBe(40);
  expect(toEngineMs([], 40)).toBe(40);
});
