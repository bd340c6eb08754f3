import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const step = { call: 7, tool: "run", units: ["process:test"], ok: false, exit: 1 };
const whole = {
  ...{ seq: 90, more: false, at: 90, fromMs: 1000, lastMs: 201_000 },
  counts: { steps: 3000, said: 2, units: 5 },
  spend: { requests: 4, unpriced: 0, costMicros: 1_200_000 },
  steps: { from: 2999, rows: [step] },
};

test("story says what the run came to, and its last steps", async () => {
  const { stdout, stderr, calls, exitCode } = await tryCli(["story", "r_1"], { "run.story": whole });
  expect(exitCode).toBe(0);
  expect(calls).toEqual([["run.story", { run: "r_1", step: Number.MAX_SAFE_INTEGER, limit: 20 }]]);
  expect(stdout).toContain("3m20s, 3000 steps, 2 messages, 5 units, $1.20 for 4 requests");
  expect(stdout).toMatch(/7 +exit 1 +run +process:test/);
  expect(stderr).toContain("2999 more steps");
});

test("around a step, as JSON", async () => {
  const { stdout, calls } = await tryCli(["story", "r_1", "--step", "4", "--limit", "1", "--json"], {
    "run.story": whole,
  });
  expect(calls).toEqual([["run.story", { run: "r_1", step: 4, limit: 1 }]]);
  expect(JSON.parse(stdout)).toEqual(whole);
});

test("a step that was broken off is not under way", async () => {
  const broken = { ...step, exit: null, summary: "broken off" };
  const rows = [broken, { ...step, call: 8, ok: null, exit: null, summary: "" }];
  const { stdout } = await tryCli(["story", "r_1"], { "run.story": { ...whole, steps: { from: 0, rows } } });
  expect(stdout).toMatch(/7 +broken off +run/);
  expect(stdout).toMatch(/8 +under way +run/);
});
