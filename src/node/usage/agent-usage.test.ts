import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentWorld, lone, service } from "../../../test/support/agent-world.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { GroundDisk } from "../disk/ground-disk.ts";
import { AgentUsage, type AgentUsageOptions } from "./agent-usage.ts";
import { dataOnDisk } from "./service-data.ts";

const MiB = 1024 ** 2;
const store = service("store", { image: { name: "postgres:17" }, ports: [] });

/** What runs in the only agent, by call, and what each process has written. */
function usageOf(agent: Agent, calls: Record<string, readonly (number | null)[]>, folder: string): AgentUsage {
  const written = Object.values(calls).flat();
  const processes = written.map((writtenBytes, at) => {
    const seen = { name: "web", parent: 1, threads: 1, cpuMs: 10, memoryBytes: 4096, files: 3, cpu: 0 };
    return { pid: 100 + at, startTicks: "1", ...seen, writtenBytes };
  });
  let next = 100;
  const listed = Object.entries(calls).map(([call, all]) => ({
    call,
    processes: all.map(() => ({ pid: next++, startTicks: "1" })),
  }));
  const disk = new GroundDisk({ folder });
  const options: AgentUsageOptions = {
    meter: { measure: async () => processes },
    processesOf: async () => ({ keeper: 2 ** 22 + 1, calls: listed }),
    diskOf: async () => new Map([[agent.id, 77]]),
    dataOf: (agents) => dataOnDisk(disk, agents, folder),
    limitsOf: () => ({ limits: null, heldBy: [] }),
    ...{ memoryOf: () => null, freeBytes: async () => 0 },
  };
  return new AgentUsage(options);
}

test("[AU32] what services have written is summed by service, and unknown where that of one process is", async () => {
  const world = new AgentWorld();
  const agent = world.agent(world.running([lone, store]));
  const [web, db, exec] = [`${agent.id}-web-1`, `${agent.id}-store-1`, "exec"];
  const usage = usageOf(agent, { [web]: [10, 20], [db]: [5, null], [exec]: [7] }, makeTempFolder());
  const [found] = await usage.stats([agent], { disk: false });
  expect(found?.services.map(({ name, writtenBytes }) => [name, writtenBytes])).toEqual([
    ["web", 30],
    ["store", null],
  ]);
  expect([found?.others.writtenBytes, found?.writtenBytes, found?.diskBytes]).toEqual([7, null, null]);
  const { processes } = await usage.top(agent, { limit: 9 });
  expect(new Set(processes.map(({ writtenBytes }) => writtenBytes))).toEqual(new Set([10, 20, 5, null, 7]));
});

test("[AU32] only who has an image of its own has folders of its own, and they are looked at when that is asked for", async () => {
  const world = new AgentWorld();
  const agent = world.agent(world.running([lone, store]));
  const folder = makeTempFolder();
  for (const name of ["web", "store"]) {
    const data = join(folder, agent.id, "services", name, "data");
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "table"), Buffer.alloc(MiB, "x"));
  }
  const usage = usageOf(agent, {}, folder);
  const of = async (more: { disk: boolean; data?: boolean }): Promise<unknown> => {
    const [found] = await usage.stats([agent], more);
    return [found?.diskBytes, ...(found?.services.map(({ dataBytes }) => (dataBytes ?? 0) >= MiB) ?? [])];
  };
  expect(await of({ disk: true })).toEqual([77, false, true]);
  expect(await of({ disk: false })).toEqual([null, false, false]);
  expect(await of({ disk: false, data: true })).toEqual([null, false, true]);
  const [found] = await usage.stats([agent], { disk: true });
  expect(found?.services[0]?.dataBytes).toBeNull();
});

test("[SC23, SV5] what holds an agent where nobody says anything is told beside what is used", async () => {
  const world = new AgentWorld();
  const agent = world.agent(world.running([lone]));
  const sharesOf = async (change: Partial<AgentUsageOptions>, disk = true): Promise<unknown> => {
    const usage = new AgentUsage({
      ...{ meter: { measure: async () => [] }, dataOf: async () => new Map(), diskOf: async () => new Map() },
      processesOf: async () => ({ keeper: 2 ** 22 + 1, calls: [], usualDisk: { bytes: 50, spareBytes: 60 } }),
      ...{ limitsOf: () => ({ limits: null, heldBy: [] }), memoryOf: () => 800, freeBytes: async () => 70 },
      ...change,
    });
    const [found] = await usage.stats([agent], { disk });
    return found?.shares;
  };
  const diskOf = async (): Promise<Map<string, number>> => new Map([[agent.id, 45]]);
  expect(await sharesOf({ diskOf })).toEqual({ memoryBytes: 800, diskBytes: 55 });
  // The disk has less left than was left to the others: it is held to its share.
  expect(await sharesOf({ diskOf, freeBytes: async () => 30 })).toEqual({ memoryBytes: 800, diskBytes: 50 });
  expect(await sharesOf({ diskOf }, false)).toEqual({ memoryBytes: 800, diskBytes: null });
  const limits = { memoryBytes: 800, cpu: null, processes: null, files: null, diskBytes: 20 };
  const limitsOf: AgentUsageOptions["limitsOf"] = () => ({ limits, heldBy: [] });
  expect(await sharesOf({ diskOf, limitsOf })).toEqual({ memoryBytes: null, diskBytes: null });
  // A keeper of an earlier release does not say what it holds its agent to.
  const processesOf = async (): Promise<null> => null;
  expect(await sharesOf({ diskOf, processesOf })).toEqual({ memoryBytes: 800, diskBytes: null });
});

test("[AW9] an agent that is put away has no ports to tell", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const ports = async (): Promise<unknown> => {
    const [found] = await usageOf(world.agent(id), {}, makeTempFolder()).stats([world.agent(id)], { disk: false });
    return found?.services[0]?.ports;
  };
  expect(await ports()).toMatchObject([{ name: "main" }]);
  world.ok({ type: "agent.archive", agent: id, force: true });
  world.gone(id);
  expect(world.agent(id).isArchived).toBe(true);
  expect(await ports()).toEqual([]);
});
