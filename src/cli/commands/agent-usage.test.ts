import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const use = { cpu: 0.5, cpuMs: 61_000, memoryBytes: 1_048_576, files: 12, processes: 2, threads: 3 };
const nothing = { cpu: 0, cpuMs: 0, memoryBytes: 0, files: 0, processes: 0, threads: 0 };
const limits = { memoryBytes: 67_108_864, cpu: 1.5, processes: null, files: null };
const agent = {
  ...{ agent: "a_1", name: "shop-1", state: "running", diskBytes: 2_097_152, ...use, others: nothing, limits: null },
  services: [
    { name: "web", state: "up", ports: [{ name: "http", address: "127.0.0.2:24916" }], ...use, files: null, limits },
  ],
  keeper: { ...nothing, processes: 1 },
};

test("[AU30, SV5] what agents use is a table, with what they may use: their sum, their services, and what keeps them", async () => {
  const { stdout, calls } = await tryCli(["agent", "stats", "shop-1"], { "agent.stats": { agents: [agent] } });
  expect(calls).toEqual([["agent.stats", { agents: ["shop-1"], disk: true }]]);
  expect(stdout).toMatch(/shop-1 +running +50\.0 % +1m1?s? +1\.0 MiB +12 +3 +2 +2\.0 MiB/);
  expect(stdout).toMatch(/shop-1 +web +up +50\.0 % \/ 150 % .* 1\.0 MiB \/ 64 MiB +- +3 +2 +http 127\.0\.0\.2:24916/);
  expect(stdout).toMatch(/\(keeper\)/);
  expect(stdout).not.toMatch(/\(others\)/);
});

test("[AU30] the processes of an agent are a table, and how many are left off is said", async () => {
  const process = { ...use, pid: 77, command: "node x.js", service: null, call: "a_1-exec-1" };
  const answer = { agent: "a_1", name: "shop-1", total: 3, processes: [process] };
  const { stdout, stderr } = await tryCli(["agent", "top", "shop-1"], { "agent.top": answer });
  expect(stdout).toMatch(/77 +- +50\.0 % .* node x\.js/);
  expect(stderr).toContain("and 2 more");
});

test("where nothing runs, that is said", async () => {
  const none = await tryCli(["agent", "top", "shop-1"], {
    "agent.top": { agent: "a_1", name: "shop-1", total: 0, processes: [] },
  });
  expect(none.stderr).toBe("Nothing runs in shop-1.\n");
  expect((await tryCli(["agent", "stats"], { "agent.stats": { agents: [] } })).stderr).toBe("There is no agent.\n");
});
