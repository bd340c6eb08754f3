import { expect, test } from "vitest";
import { Tallies, Tally } from "./tally.ts";

test("a tally has the middle and the end of its durations, and counts what is open apart", () => {
  const tally = new Tally();
  for (let ms = 1; ms <= 100; ms++)
    tally.add({ status: ms > 90 ? "failed" : "done", ok: ms <= 90, durationMs: ms, costMicros: 2 });
  tally.add({ status: "running", ok: null, durationMs: null, costMicros: 2 });
  expect(tally.toRow("all")).toEqual({
    name: "all",
    count: 101,
    statuses: { done: 90, failed: 10, running: 1 },
    successRate: 0.9,
    durationMs: { mean: 51, median: 51, p95: 96, max: 100 },
    costMicros: 202,
  });
  expect(new Tally().toRow("none")).toMatchObject({ successRate: null, durationMs: null, costMicros: null });
});

test("what counts under several names counts once in all, however much there is", () => {
  const tallies = new Tallies();
  const counted = { status: "done", ok: true, durationMs: 5, costMicros: null };
  for (let at = 0; at < 20_000; at++) tallies.add("a", counted);
  tallies.addTo("b", counted);
  expect(tallies.rows().map(({ name, count }) => [name, count])).toEqual([
    ["a", 20_000],
    ["b", 1],
  ]);
  expect(tallies.total()).toMatchObject({ count: 20_000, durationMs: { mean: 5, median: 5 } });
});
