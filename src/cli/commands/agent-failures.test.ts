import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const failure = {
  ...{ seq: 90, atMs: 1_000_000, service: "web", life: 3, class: "resources", found: "memory" },
  ...{ what: "it took more memory than it may", tried: "it was started again" },
  end: { exit: 137, why: "out-of-memory", said: "loading\nall of it\u001b[2J\n", signal: "SIGKILL" },
  limits: { memoryBytes: 67_108_864, memoryBytesMax: 134_217_728, cpu: null, processes: null, files: null },
  use: {
    ...{ memoryBytes: 60_000_000, memoryBytesPeak: 66_000_000, cpu: 0.5, files: 9, processes: 2, agoMs: 4000 },
    diskFreeBytes: 1_073_741_824,
  },
  needs: [{ service: "db", state: "up", healthy: false }],
  changes: [{ kind: "template", what: "its template was read anew", atMs: 940_000 }],
  before: { count: 2, lastAtMs: 970_000 },
  recent: [{ seq: 88, atMs: 999_000, type: "service.judged", service: "db" }],
};

test("[AG71] a failure is shown with how everything was, and nothing in it reaches the terminal", async () => {
  const answer = { agent: "a_1", name: "shop-1", failures: [failure], nowMs: 1_060_000 };
  const { stdout, calls } = await tryCli(["agent", "failures", "shop-1", "--service", "web", "--limit", "1"], {
    "agent.failures": answer,
  });
  expect(calls).toEqual([["agent.failures", { agent: "shop-1", service: "web", limit: 1 }]]);
  expect(stdout).toContain("web failed 1m ago: it took more memory than it may");
  expect(stdout).toMatch(/class +resources \(memory\)/);
  expect(stdout).toMatch(/ended +137 by SIGKILL, out-of-memory, life 3/);
  expect(stdout).toMatch(/used +memory 57 MiB \(most 63 MiB\), processors 50 %, 9 files, 2 processes, 1\.0 GiB free/);
  expect(stdout).toMatch(/may use +memory 64 MiB, up to 128 MiB/);
  expect(stdout).toMatch(/needs +db not healthy/);
  expect(stdout).toMatch(/changed +its template was read anew, 1m before/);
  expect(stdout).toMatch(/before +2 times, last 30s earlier/);
  expect(stdout).toMatch(/then +it was started again/);
  expect(stdout).toMatch(/just before +service\.judged \(db\)/);
  expect(stdout).toContain("| loading");
  expect(stdout).not.toContain("\u001b[2J");
});

test("[AG71] where nothing has failed, that is said", async () => {
  const answer = { agent: "a_1", name: "shop-1", failures: [], nowMs: 5 };
  const { stderr } = await tryCli(["agent", "failures", "shop-1"], { "agent.failures": answer });
  expect(stderr).toBe("Nothing has failed in shop-1.\n");
});

test("[AG20] of one whose process goes on, that is said", async () => {
  const ill = { ...failure, what: "it is not healthy: nothing answers", end: null, tried: "a person was asked" };
  const answer = { agent: "a_1", name: "shop-1", failures: [ill], nowMs: 1_060_000 };
  const { stdout } = await tryCli(["agent", "failures", "shop-1"], { "agent.failures": answer });
  expect(stdout).toMatch(/ended +it has not: life 3 goes on/);
  expect(stdout).toMatch(/then +a person was asked/);
});
