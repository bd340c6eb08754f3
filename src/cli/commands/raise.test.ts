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

test("of a profile it says that the run keeps what it was submitted with", async () => {
  const profile = { name: "careful", settings: { runner: "claude", maxCostMicros: 1_000_000 } };
  const answers = { "run.get": spent("profile careful"), "profile.get": { profile }, "profile.set": {} };
  const { stderr, calls } = await tryCli(["raise", "r_1"], answers);
  expect(calls.at(-1)).toEqual([
    "profile.set",
    { name: "careful", settings: { runner: "claude", maxCostMicros: 2_000_000 } },
  ]);
  expect(stderr).toContain("r_1 keeps what it said before: stop it, and try again with: signalbox retry r_1");
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
