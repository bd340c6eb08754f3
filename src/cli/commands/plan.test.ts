import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const step = { number: 1, do: "write", about: "a.txt", call: 0, state: "waiting", behind: ["r_2"] } as const;
const unit = { unit: "file:a.txt", state: "held", behind: [] } as const;

test("plan shows each unit and step with its state, and whom it waits for", async () => {
  const answers = { "run.plan": { plan: { units: [unit], steps: [step], count: 3 } } };
  const { stdout, stderr, calls, exitCode } = await tryCli(["plan", "r_1"], answers);
  expect(exitCode).toBe(0);
  expect(calls).toEqual([["run.plan", { run: "r_1", limit: 1000 }]]);
  expect(stdout).toMatch(/held +file:a\.txt/);
  expect(stdout).toMatch(/1 +waiting +write a\.txt +r_2/);
  expect(stderr).toContain("2 more steps");
});

test("a run without a plan says so", async () => {
  const answers = { "run.plan": { plan: { units: [], steps: null, count: 0 } } };
  expect((await tryCli(["plan", "r_1"], answers)).stderr).toContain("decides as it goes");
});
