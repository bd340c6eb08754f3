import { expect, test } from "vitest";
import { Now } from "./now.ts";

const hourMs = 3_600_000;
/** The daemon ran for ten seconds, was down for an hour, and runs again for a second. */
const openings = [
  { seq: 1, atMs: 1000, wallMs: 50_000, fromMs: 1000 },
  { seq: 9, atMs: 11_000, wallMs: 60_000 + hourMs, fromMs: 11_000 },
];

test("how long ago something was counts the time in which the daemon was down", () => {
  const now = new Now(12_000, openings);
  expect(now.since(11_500)).toBe(500);
  expect(now.since(6000)).toBe(6000 + hourMs);
});

test("what is to come is counted by the daemon, and never less than nothing", () => {
  const now = new Now(12_000, openings);
  expect(now.until(15_000)).toBe(3000);
  expect(now.until(11_000)).toBe(0);
});

test("a watch that was set back makes nothing younger", () => {
  const now = new Now(12_000, [
    { seq: 1, atMs: 1000, wallMs: 50_000, fromMs: 1000 },
    { seq: 9, atMs: 11_000, wallMs: 10_000, fromMs: 11_000 },
  ]);
  expect(now.since(6000)).toBe(6000);
});
