import { expect, test } from "vitest";
import { startStranger } from "../../../test/support/processes.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import { identify } from "../supervisor/process-identity.ts";
import { type ProcessUsage, readProcess } from "./process-usage.ts";
import { UsageMeter } from "./usage-meter.ts";

const one = { pid: 7, startTicks: "70" };

function usageOf(cpuMs: number): ProcessUsage {
  return { ...one, name: "web", parent: 1, threads: 1, cpuMs, memoryBytes: 4096, files: 3, writtenBytes: 10 };
}

test("[AU30] a process is read as the kernel tells it, and nobody else with its number is", async () => {
  const me = identify(process.pid);
  if (me === undefined) throw new Error("this process is here");
  const usage = readProcess(me);
  expect(usage).toMatchObject({ pid: process.pid, parent: process.ppid, startTicks: me.startTicks });
  const { rss } = process.memoryUsage();
  expect(usage?.memoryBytes).toBeGreaterThan(rss / 2);
  expect(usage?.memoryBytes).toBeLessThan(rss * 2);
  expect(usage?.files).toBeGreaterThan(2);
  expect(usage?.threads).toBeGreaterThan(1);
  expect(usage?.cpuMs).toBeGreaterThan(0);
  expect(readProcess({ ...me, startTicks: "1" })).toBeUndefined();
  expect(readProcess({ pid: 2 ** 22 + 1, startTicks: "1" })).toBeUndefined();
});

test("[AU30] of somebody else's process open files are unknown, or they are counted", async () => {
  const stranger = await startStranger(["sleep", "1000"]);
  const identity = identify(stranger.pid);
  const usage = identity === undefined ? undefined : readProcess(identity);
  expect(usage?.files === null || Number(usage?.files) > 0).toBe(true);
});

/** Lets the first look end, and the time to the second one pass. */
async function pass(clock: TestClock): Promise<void> {
  await new Promise(setImmediate);
  clock.advance(250);
}

test("[AU31] the share of processors is that between two looks; the first one waits for the second", async () => {
  const clock = new TestClock();
  let cpuMs = 1000;
  const meter = new UsageMeter(clock, () => usageOf(cpuMs));
  const measuring = meter.measure([one]);
  await new Promise(setImmediate);
  cpuMs += 125;
  await pass(clock);
  expect(await measuring).toMatchObject([{ pid: 7, cpu: 0.5 }]);
  cpuMs += 3000;
  clock.advance(2000);
  expect(await meter.measure([one])).toMatchObject([{ cpu: 1.5 }]);
});

test("[AU31] one that comes between two others has no rate yet, and takes none from them", async () => {
  const clock = new TestClock();
  const other = { pid: 8, startTicks: "80" };
  const meter = new UsageMeter(clock, ({ pid }) => ({ ...usageOf(clock.monotonicMs()), pid }));
  const measuring = meter.measure([one]);
  await pass(clock);
  expect(await measuring).toMatchObject([{ cpu: 1 }]);
  clock.advance(1000);
  expect(await meter.measure([one, other])).toMatchObject([{ cpu: 1 }, { cpu: null }]);
  clock.advance(100);
  // Too near to the look before to say anything of either, so it waits as for a first one.
  const near = meter.measure([one, other]);
  await pass(clock);
  expect(await near).toMatchObject([{ cpu: 1 }, { cpu: 1 }]);
});

test("[AU30] what is gone counts nothing, and nothing takes no time", async () => {
  const clock = new TestClock();
  expect(await new UsageMeter(clock, () => undefined).measure([])).toEqual([]);
  const meter = new UsageMeter(clock, () => undefined);
  const measuring = meter.measure([one]);
  await pass(clock);
  expect(await measuring).toEqual([]);
});
