import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const none = { total: 0, items: [] };
const document = {
  ...{ v: 1, seq: 9, nowMs: 0, wallOffsetMs: 0, version: "0" },
  nodes: [
    {
      ...{ name: "local", processors: 2, load: [0.5, 0, 0], unowned: null },
      memory: { totalBytes: 4e9, availableBytes: 2e9 },
      disk: { freeBytes: 5e9, totalBytes: 1e10, freeBytesMin: 1 },
    },
  ],
  projects: { total: 1, items: [{ name: "shop" }] },
  runs: { total: 1, items: [], states: { running: 1, done: 4 } },
  agents: { total: 2, items: [{ well: true }, { well: false }] },
  archived: { total: 3, items: [] },
  leases: none,
  waiting: none,
  inbox: { ...none, kinds: {} },
  budgets: { todayMicros: 1_500_000, totalMicros: 3_000_000, pools: none },
};

test("[AU20] a person sees the counts, and a program the whole document", async () => {
  const { stdout } = await tryCli(["state"], { state: document });
  expect(stdout).toMatch(/projects +shop\n/);
  expect(stdout).toMatch(/runs +1 not over: 1 running, 4 done\n/);
  expect(stdout).toMatch(/agents +2, 1 well; 3 archived\n/);
  expect(stdout).toMatch(/inbox +nobody is needed\n/);
  expect(stdout).toMatch(/cost +\$1\.50 today, \$3\.00 in all\n/);
  expect(stdout).toMatch(/local +load 0\.5 on 2 processors/);
  const json = await tryCli(["state", "--json"], { state: document });
  expect(JSON.parse(json.stdout)).toEqual(document);
});
