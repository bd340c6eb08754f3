import { expect, test } from "vitest";
import { toWallMs } from "./wall-time.ts";

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
