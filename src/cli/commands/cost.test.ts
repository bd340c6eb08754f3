import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const spend = {
  requests: 2,
  partial: 1,
  unpriced: 0,
  inputTokens: 1000,
  outputTokens: 200,
  cacheReadTokens: 5000,
  cacheWriteTokens: 0,
  costMicros: 1_250_000,
};
const unpriced = { ...spend, unpriced: 1, partial: 0, costMicros: 4200 };

test("cost is a table with its total, and says what has no price", async () => {
  const rows = [
    { name: "gpt-5", spend },
    { name: "homemade", spend: unpriced },
  ];
  const answer = { by: "model", rows, total: { ...spend, unpriced: 1, costMicros: 1_254_200 }, run: null };
  const { stdout, stderr, calls } = await tryCli(["cost", "--by", "model", "--days", "7"], { cost: answer });
  expect(calls).toEqual([["cost", { days: 7, by: "model" }]]);
  expect(stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  ").trim())).toEqual([
    "MODEL  COST  REQUESTS  INPUT  OUTPUT  CACHE READ  CACHE WRITE",
    "gpt-5  $1.25  2  1000  200  5000  0",
    "homemade  $0.0042 +?  2  1000  200  5000  0",
    "total  $1.25 +?  2  1000  200  5000  0",
    "",
  ]);
  expect(stderr).toContain("1 requests went to models without a price");
});

test("cost of a run shows its tree and what is left of its budgets", async () => {
  const budget = { rule: "maxRunCostMicros", policy: "thrift", limitMicros: 5_000_000, spentMicros: 1_250_000 };
  const run = {
    run: "r_1a",
    spend,
    tree: "r_1",
    treeSpend: unpriced,
    budgets: [{ ...budget, reservedMicros: 90_000 }],
  };
  const { stdout } = await tryCli(["cost", "r_1a"], { cost: { by: "project", rows: [], total: spend, run } });
  expect(stdout).toContain("$1.25 in 2 requests, 1 of them estimated");
  expect(stdout).toContain("r_1: $0.0042 in 2 requests, and unknown for 1 without a price");
  expect(stdout).toContain("maxRunCost: $1.25 of $5.00, $0.09 reserved, by policy thrift");
});

test("prices are given in dollars for a million tokens, and the cache costs what the prompt does", async () => {
  const words = ["price", "set", "gpt-9", "--input", "1.25", "--output", "$10"];
  const { stdout, calls } = await tryCli(words, { "price.set": {} });
  const cache = { cacheReadMicros: 1_250_000, cacheWriteMicros: 1_250_000 };
  expect(calls).toEqual([
    ["price.set", { model: "gpt-9", inputMicros: 1_250_000, outputMicros: 10_000_000, ...cache }],
  ]);
  expect(stdout).toBe("gpt-9: $1.25 in, $10.00 out, for a million tokens.\n");
  const wrong = await tryCli(["price", "set", "gpt-9", "--input", "cheap", "--output", "10"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("an amount of dollars, such as 2.50")]);
});

test("a budget is given in dollars", async () => {
  const policy = { name: "thrift", priority: 0, enabled: true, scope: {}, rules: { maxDayCostMicros: 40_000_000 } };
  const words = ["policy", "set", "thrift", "--max-day-cost", "40", "--max-run-cost", "0.5"];
  const { stdout, calls } = await tryCli(words, { "policy.set": {}, "policy.get": { policy } });
  expect(calls[0]?.[1]).toMatchObject({ rules: { maxDayCostMicros: 40_000_000, maxRunCostMicros: 500_000 } });
  expect(stdout).toContain("maxDayCost: $40.00");
});

test("a secret is never an argument", async () => {
  const { exitCode, calls } = await tryCli(["secret", "set", "ANTHROPIC_API_KEY", "sk-canary"]);
  expect([exitCode, calls]).toEqual([2, []]);
});

test("secrets are listed by name, with where they come from and when they were used", async () => {
  const secrets = [
    { name: "ANTHROPIC_API_KEY", from: "store", setAt: "2026-11-16T05:00:00.000Z", usedAtMs: 60_000 },
    { name: "OPENAI_API_KEY", from: "environment", setAt: null, usedAtMs: null },
  ];
  const { stdout } = await tryCli(["secret", "list"], {
    "secret.list": { secrets },
    status: { nowMs: 180_000, openings: [] },
  });
  expect(stdout).toMatch(/ANTHROPIC_API_KEY +store +2026-11-16 +2m ago/);
  expect(stdout).toMatch(/OPENAI_API_KEY +environment +never/);
});
