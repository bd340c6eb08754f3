import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const step = { number: 2, do: "write", about: "a.txt", call: 1, state: "waiting", behind: ["r_2"] } as const;
const back = { number: 1, do: "release", about: "all", call: null, state: "done", behind: [] } as const;
const unit = { unit: "file:a.txt", state: "held", behind: [] } as const;

test("plan shows each unit and step with its state and the number that --step takes, and whom it waits for", async () => {
  const answers = { "run.plan": { plan: { units: [unit], steps: [back, step], count: 4 } } };
  const { stdout, stderr, calls, exitCode } = await tryCli(["plan", "r_1"], answers);
  expect(exitCode).toBe(0);
  expect(calls).toEqual([["run.plan", { run: "r_1", limit: 1000 }]]);
  expect(stdout).toMatch(/held +file:a\.txt/);
  expect(stdout).toMatch(/^ +done +release all/m);
  expect(stdout).toMatch(/^ *1 +waiting +write a\.txt +r_2/m);
  expect(stderr).toContain("2 more steps");
});

test("a run without a plan says so", async () => {
  const answers = { "run.plan": { plan: { units: [], steps: null, count: 0 } } };
  expect((await tryCli(["plan", "r_1"], answers)).stderr).toContain("decides as it goes");
});
