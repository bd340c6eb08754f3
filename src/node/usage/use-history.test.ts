import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { AgentUse } from "../../protocol/wire/usage.ts";
import { fineMs, UseHistory } from "./use-history.ts";

const use = { cpu: 0.5, cpuMs: 10, memoryBytes: 1000, files: 3, writtenBytes: 50, processes: 1, threads: 1 };

function usedBy(memoryBytes: number, more: Partial<AgentUse> = {}): AgentUse {
  const service = { ...use, name: "web", state: "up" as const, ports: [], limits: null, dataBytes: 7, memoryBytes };
  return {
    ...{
      ...use,
      agent: "a_1",
      name: "shop-1",
      state: "running",
      limits: null,
      heldBy: [],
      diskBytes: 5,
      diskBytesMax: null,
      shares: { memoryBytes: 9, diskBytes: 8 },
      memoryBytes,
    },
    ...{ services: [service], others: use, keeper: use, ...more },
  };
}

function makeHistory(file = join(makeTempFolder(), "history.json")): {
  readonly history: UseHistory;
  readonly file: string;
  look(memoryBytes: number, free?: number): void;
} {
  let nowMs = 0;
  const history = new UseHistory(file, () => nowMs);
  const look = (memoryBytes: number, free = 100): void => {
    nowMs += fineMs;
    const memory = { totalBytes: 100, availableBytes: free };
    history.note([usedBy(memoryBytes)], new Set(["a_1"]), { diskFreeBytes: free, memory });
  };
  return { history, file, look };
}

test("[AU40] an hour of looks is kept, and a day of what they were at most every five minutes", () => {
  const { history, look } = makeHistory();
  for (let looks = 0; looks < 300; looks++) look(looks % 20 === 3 ? 9000 : 1000);
  const { fine, coarse } = history.read("a_1", "web");
  expect(fine).toHaveLength(240);
  expect(fine.at(-1)?.atMs).toBe(300 * fineMs);
  expect(coarse.length).toBeGreaterThan(13);
  expect(coarse.at(-1)).toMatchObject({ memoryBytes: 9000, cpu: 0.5 });
  expect(history.read("a_1").fine.at(-1)).toMatchObject({ diskBytes: 5 });
  expect(history.free).toHaveLength(240);
  expect(history.memory.samples).toHaveLength(240);
  expect(history.memory).toMatchObject({ totalBytes: 100 });
});

test("[AU40] checks are kept with how long they took, the newest alone", () => {
  const { history } = makeHistory();
  for (let checks = 0; checks < 300; checks++) history.noteCheck("a_1", "web", { ms: checks, ok: checks > 0 });
  const { checks } = history.read("a_1", "web");
  expect(checks).toHaveLength(240);
  expect(checks.at(-1)).toMatchObject({ ms: 299, ok: true });
});

test("[AG71] what a service used last is known, with the most that it had", () => {
  const { history, look } = makeHistory();
  expect(history.lastUse("a_1", "web", 0)).toBeNull();
  look(5000);
  look(700, 40);
  const last = { memoryBytes: 700, memoryBytesPeak: 5000, diskFreeBytes: 40 };
  expect(history.lastUse("a_1", "web", 0)).toMatchObject(last);
  // Nobody has looked since it was started again.
  expect(history.lastUse("a_1", "web", 2 * fineMs + 1)).toBeNull();
});

test("[AU40] it is there after a restart, and a file that makes no sense is left aside", async () => {
  const { history, file, look } = makeHistory();
  look(1234);
  await history.save();
  const again = makeHistory(file).history;
  await again.load();
  expect(again.read("a_1", "web").fine).toMatchObject([{ memoryBytes: 1234 }]);
  writeFileSync(file, readFileSync(file, "utf8").slice(0, -5));
  const other = makeHistory(file).history;
  await other.load();
  expect(other.read("a_1", "web").fine).toEqual([]);
});

test("[AU40] agents that are gone are forgotten", () => {
  const { history, look } = makeHistory();
  look(1);
  history.noteFailure("a_1", "web");
  expect(history.failed("a_1", "web")).toHaveLength(1);
  expect(history.shares("a_1")).toEqual({ memoryBytes: 9, diskBytes: 8 });
  history.note([], new Set(), { diskFreeBytes: null, memory: null });
  expect(history.shares("a_1")).toEqual({ memoryBytes: null, diskBytes: null });
  expect(history.read("a_1", "web").fine).toEqual([]);
  expect(history.failed("a_1", "web")).toEqual([]);
});
