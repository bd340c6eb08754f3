import { expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { tryCli } from "../testing/try-cli.ts";

const spent = (policy: string): object => ({
  run: makeRun("r_1", { modelRefused: { code: "budget-spent", what: "maxRunCostMicros", policy } }),
});
const policy = {
  ...{ name: "thrift", priority: 0, enabled: true, scope: {} },
  rules: { maxRunCostMicros: 2_000_000, maxFiles: 3 },
};

test("the limit that holds a run is raised, and the rest of its policy stays", async () => {
  const answers = { "run.get": spent("thrift"), "policy.get": { policy }, "policy.set": {} };
  const { stdout, stderr, calls } = await tryCli(["raise", "r_1"], answers);
  expect(calls.at(-1)).toEqual(["policy.set", { ...policy, rules: { maxRunCostMicros: 4_000_000, maxFiles: 3 } }]);
  expect([stdout, stderr]).toEqual(["r_1\n", "policy thrift: maxRunCostMicros goes from $2.00 to $4.00.\n"]);
  const { stdout: json } = await tryCli(["raise", "r_1", "--to", "2.5", "--json"], answers);
  expect(JSON.parse(json)).toMatchObject({ of: "policy", name: "thrift", before: 2_000_000, limit: 2_500_000 });
});

test("a limit that somebody has raised further meanwhile is not lowered by raising it", async () => {
  const answers = { "run.get": spent("thrift"), "policy.get": { policy }, "policy.set": {} };
  for (const to of ["1.50", "2"]) {
    const { exitCode, stderr, calls } = await tryCli(["raise", "r_1", "--to", to], answers);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("policy thrift has $2.00 already");
    expect(calls.map(([name]) => name)).toEqual(["run.get", "policy.get"]);
  }
});

const careful = { runner: "claude", maxCostMicros: 1_000_000, maxTurns: 5 };

test("[PF21] of a profile the run alone is raised, and the profile stays as it is", async () => {
  const { run } = spent("profile careful") as { run: object };
  const answers = { "run.get": { run: { ...run, settings: careful } }, "run.raise": {} };
  const { stderr, calls } = await tryCli(["raise", "r_1"], answers);
  expect(calls.map(([name]) => name)).toEqual(["run.get", "run.raise"]);
  expect(calls.at(-1)).toEqual(["run.raise", { run: "r_1", limit: "maxCostMicros", to: 2_000_000 }]);
  expect(stderr).toBe(
    "run r_1: maxCostMicros goes from $1.00 to $2.00, for this run alone. Profile careful says what it said, for runs to come; signalbox profile set careful replaces that.\n",
  );
  const modelRefused = { code: "turns-spent", what: "maxTurns", policy: "profile careful" };
  const turns = { ...answers, "run.get": { run: { ...run, settings: careful, modelRefused } } };
  const { calls: asked, stdout } = await tryCli(["raise", "r_1", "--to", "8", "--json"], turns);
  expect(asked.at(-1)).toEqual(["run.raise", { run: "r_1", limit: "maxTurns", to: 8 }]);
  expect(JSON.parse(stdout)).toEqual({ run: "r_1", of: "run", name: "r_1", rule: "maxTurns", before: 5, limit: 8 });
});

test("[PF21] of a run that is over the profile is raised, for a retry", async () => {
  const { run } = spent("profile careful") as { run: object };
  const profile = { name: "careful", settings: careful };
  const answers = {
    "run.get": { run: { ...run, settings: careful, state: "failed" } },
    "profile.get": { profile },
    "profile.set": {},
  };
  const { stderr, calls } = await tryCli(["raise", "r_1"], answers);
  expect(calls.at(-1)).toEqual([
    "profile.set",
    { name: "careful", settings: { ...careful, maxCostMicros: 2_000_000 } },
  ]);
  expect(stderr).toBe(
    "profile careful: maxCostMicros goes from $1.00 to $2.00. r_1 is over: try it again with: signalbox retry r_1\n",
  );
});

test.each([
  [{ modelRefused: null }, "r_1 is not kept from its model."],
  [
    { modelRefused: { code: "price-unknown", what: "qwen3 has no price", policy: "thrift" } },
    "signalbox price set qwen3 --input DOLLARS --output DOLLARS",
  ],
])("where there is nothing to raise, it says what there is to do", async (about, sentence) => {
  const { exitCode, stderr } = await tryCli(["raise", "r_1"], { "run.get": { run: makeRun("r_1", about) } });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(sentence);
});
