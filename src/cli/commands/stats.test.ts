import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const row = {
  ...{ name: "claude", count: 4, statuses: { done: 3, failed: 1 }, successRate: 0.75, costMicros: 1_500_000 },
  durationMs: { mean: 61_000, median: 60_000, p95: 90_000, max: 90_000 },
};
const none = { name: "total", count: 0, statuses: {}, successRate: null, durationMs: null, costMicros: null };

test("stats are a table with a total, and say where they are not of everything", async () => {
  const answer = { by: "error", rows: [row], total: { ...row, name: "total" }, complete: false };
  const { stdout, stderr, calls } = await tryCli(["stats", "--by", "error", "--since", "7d"], { stats: answer });
  expect(calls).toEqual([["stats", { by: "error", lastMs: 604_800_000 }]]);
  expect(stdout).toMatch(/ERROR +RUNS +WELL +MEDIAN TO END +95 %/);
  expect(stdout).toMatch(/claude +4 +75 % .*\$1\.50 +3 done, 1 failed/);
  expect(stdout).toMatch(/total +4/);
  expect(stderr).toContain("older events");
});

test("calls have a median of their own: nobody is waited for in between", async () => {
  const answer = { by: "tool", rows: [row], total: { ...row, name: "total" }, complete: true };
  const { stdout } = await tryCli(["stats", "--by", "tool"], { stats: answer });
  expect(stdout).toMatch(/TOOL +CALLS +WELL +MEDIAN +95 %/);
});

test("where there is nothing, that is said", async () => {
  const { stdout, stderr } = await tryCli(["stats"], {
    stats: { by: "runner", rows: [], total: none, complete: true },
  });
  expect([stdout, stderr]).toEqual(["", "There is nothing to count.\n"]);
});
