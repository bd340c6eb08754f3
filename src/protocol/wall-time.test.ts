import { expect, test } from "vitest";
import { sinceMs, toEngineMs, toWallMs } from "./wall-time.ts";

const first = { seq: 1, atMs: 100, wallMs: 1_000, fromMs: 100 };
const openings = [first, { seq: 20, atMs: 200, wallMs: 9_000, fromMs: 200 }];

/** As older logs have it: the engine went on at the very instant of the last event. */
const shared = [first, { seq: 20, atMs: 200, wallMs: 9_000, fromMs: 201 }];

test("[EN55] an instant keeps its time of day, however long the daemon was down afterwards", () => {
  expect(toWallMs(openings, 150)).toBe(1_050);
  expect(toWallMs(openings, 199)).toBe(1_099);
  expect(toWallMs(openings, 200)).toBe(9_000);
  expect(toWallMs(openings, 250)).toBe(9_050);
});

test("[EN55] an instant that two daemons shared is told by the number of its event, and without one as the earlier's", () => {
  expect(toWallMs(shared, 200, 19)).toBe(1_100);
  expect(toWallMs(shared, 200, 20)).toBe(9_000);
  expect(toWallMs(shared, 200, 21)).toBe(9_000);
  expect(toWallMs(shared, 200)).toBe(1_100);
  expect(toWallMs(shared, 201)).toBe(9_001);
  expect(sinceMs(shared, 200, 260, 19)).toBe(7_960);
  expect(sinceMs(shared, 200, 260)).toBe(7_960);
  expect(sinceMs(shared, 200, 260, 20)).toBe(60);
});

test("[EN55] a daemon that was started again and again without a word in between shares its instant with all of them", () => {
  const again = [...shared, { seq: 21, atMs: 200, wallMs: 20_000, fromMs: 201 }];
  expect(toWallMs(again, 200, 20)).toBe(9_000);
  expect(toWallMs(again, 200, 21)).toBe(20_000);
  expect(toWallMs(again, 200)).toBe(1_100);
  expect(toWallMs(again, 201)).toBe(20_001);
});

test("before the first start that is remembered its distance is the best there is", () => {
  expect(toWallMs(openings, 40)).toBe(940);
  expect(toWallMs(openings, 40, 0)).toBe(940);
  expect(toWallMs([], 40)).toBe(40);
});

test("a time of day leads back to its instant; while the daemon was down to the last one before", () => {
  for (const engineMs of [100, 150, 199, 200, 250])
    expect(toEngineMs(openings, toWallMs(openings, engineMs))).toBe(engineMs);
  for (const engineMs of [100, 150, 200, 201, 250])
    expect(toEngineMs(shared, toWallMs(shared, engineMs))).toBe(engineMs);
  expect(toEngineMs(openings, 5_000)).toBe(199);
  expect(toEngineMs(shared, 5_000)).toBe(200);
  expect(toEngineMs(openings, 940)).toBe(40);
  expect(toEngineMs([], 40)).toBe(40);
});
