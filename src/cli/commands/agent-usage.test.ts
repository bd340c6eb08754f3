import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const use = {
  cpu: 0.5,
  cpuMs: 61_000,
  memoryBytes: 1_048_576,
  files: 12,
  writtenBytes: 3_145_728,
  processes: 2,
  threads: 3,
};
const nothing = { cpu: 0, cpuMs: 0, memoryBytes: 0, files: 0, writtenBytes: 0, processes: 0, threads: 0 };
const limits = { memoryBytes: 67_108_864, cpu: 1.5, processes: null, files: null };
const own = { ...use, files: null, writtenBytes: null, dataBytes: 5_242_880, limits };
const agent = {
  ...{ agent: "a_1", name: "shop-1", state: "running", diskBytes: 2_097_152, ...use, others: nothing, limits: null },
  diskBytesMax: 8_388_608,
  shares: { memoryBytes: null, diskBytes: null },
  services: [{ name: "web", state: "up", ports: [{ name: "http", address: "127.0.0.2:24916" }], ...own }],
  keeper: { ...nothing, processes: 1 },
};

test("[AU30, AU32, SV5] what agents use is a table, with what they may use: their sum, their services, and what keeps them", async () => {
  const { stdout, calls } = await tryCli(["agent", "stats", "shop-1"], { "agent.stats": { agents: [agent] } });
  expect(calls).toEqual([["agent.stats", { agents: ["shop-1"], disk: true }]]);
  expect(stdout).toMatch(/shop-1 +running +50\.0 % +1m1?s? +1\.0 MiB +12 +3\.0 MiB +3 +2 +2\.0 MiB \/ 8\.0 MiB/);
  expect(stdout).toMatch(
    /shop-1 +web +up +50\.0 % \/ 150 % .* 1\.0 MiB \/ 64 MiB +- +- +3 +2 +5\.0 MiB +http 127\.0\.0\.2:24916/,
  );
  expect(stdout).toMatch(/\(keeper\)/);
  expect(stdout).not.toMatch(/\(others\)/);
});

test("[SC23, SV5] where nobody says how much it may use, its share of the machine stands beside what it uses", async () => {
  const shares = { memoryBytes: 2_097_152, diskBytes: 4_194_304 };
  const agents = [{ ...agent, diskBytesMax: null, shares }];
  const { stdout } = await tryCli(["agent", "stats"], { "agent.stats": { agents } });
  expect(stdout).toMatch(/shop-1 +running +50\.0 % +1m1?s? +1\.0 MiB \/ 2\.0 MiB .* 2\.0 MiB \/ 4\.0 MiB/);
});

test("[AU30] the processes of an agent are a table, and how many are left off is said", async () => {
  const process = { ...use, pid: 77, command: "node x.js", service: null, call: "a_1-exec-1" };
  const answer = { agent: "a_1", name: "shop-1", total: 3, processes: [process] };
  const { stdout, stderr } = await tryCli(["agent", "top", "shop-1"], { "agent.top": answer });
  expect(stdout).toMatch(/77 +- +50\.0 % .* node x\.js/);
  expect(stderr).toContain("and 2 more");
});

test("[AU40, AU41, AU42, AU43] how an agent did over time is drawn, with warnings and how many more fit", async () => {
  const point = (memoryBytes: number) => ({ ...use, atMs: 1, memoryBytes, diskBytes: null });
  const points = [point(0), point(1_048_576)];
  const checks = { count: 9, failed: 1, p50Ms: 1.5, p95Ms: 20, times: [] };
  const history = {
    ...{ agent: "a_1", name: "shop-1", nowMs: 9, stepMs: 15_000, points },
    services: [{ name: "web", points, checks, availability: { hour: 0.75, day: 1 } }],
    startup: { atMs: 1, ms: 1500, phases: [{ phase: "place", fromMs: 0, ms: 900 }] },
    starts: [
      {
        atMs: -9,
        ms: 600,
        phases: [
          { phase: "place", fromMs: 0, ms: 200 },
          { phase: "web starts", fromMs: 200, ms: 400 },
        ],
      },
      { atMs: -5, ms: null, phases: [{ phase: "place", fromMs: 0, ms: null }] },
      { atMs: 1, ms: 1500, phases: [{ phase: "place", fromMs: 0, ms: 900 }] },
    ],
    warnings: [{ kind: "memory", agent: "a_1", service: "web", what: "web is full in 5 minutes", inMs: 300_000 }],
    capacity: { template: "shop", more: 4, boundBy: "memory" },
  };
  const { stdout, calls } = await tryCli(["agent", "stats", "shop-1", "--history", "--day"], {
    "agent.history": history,
  });
  expect(calls).toEqual([["agent.history", { agent: "shop-1", span: "day" }]]);
  expect(stdout).toMatch(/memory +▁█/);
  expect(stdout).toMatch(/came up +in 1\.5 s: place 900 ms/);
  expect(stdout).toMatch(/before +not up, 0\.6 s \(web starts 0\.4 s\)/);
  expect(stdout).toMatch(/room +for 4 more of shop, bound by memory/);
  expect(stdout).toMatch(/warning +web is full in 5 minutes/);
  expect(stdout).toMatch(/web +██ +▁█ +1\.0 MiB +8\/9 +1\.5 ms +20\.0 ms +75\.00 % +100 %/);
});

test("where nothing runs, that is said", async () => {
  const none = await tryCli(["agent", "top", "shop-1"], {
    "agent.top": { agent: "a_1", name: "shop-1", total: 0, processes: [] },
  });
  expect(none.stderr).toBe("Nothing runs in shop-1.\n");
  expect((await tryCli(["agent", "stats"], { "agent.stats": { agents: [] } })).stderr).toBe("There is no agent.\n");
});
