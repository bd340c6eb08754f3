// The promise of the first page: ten runs contend for three units, the daemon is killed in the middle, and they finish in
// the order that was promised.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { LogEvent } from "../../src/protocol/wire/log-event.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { SampleProject } from "../support/sample-project.ts";

const units = ["file:one.txt", "file:two.txt", "process:test"];
let daemon: DaemonProcess;
let sample: SampleProject;

beforeEach(async () => {
  sample = new SampleProject({ "one.txt": "end" });
  daemon = await DaemonProcess.start();
});

afterEach(async () => {
  await daemon.remove();
  sample.remove();
});

test("ten runs contend for three units, survive kill -9 of the daemon and finish in order", async () => {
  const before = await daemon.connect();
  await before.call("project.add", { root: sample.root, name: "track" });
  const runs: string[] = [];
  for (let at = 0; at < 10; at++) {
    const { run } = await before.call("run.submit", { project: "track", runner: "script", script: scriptOf(at) });
    runs.push(run);
  }
  // Kill it when some are done, one is at work and others wait.
  await untilOver(before, runs.slice(0, 3));
  await daemon.kill();
  before.close();
  await daemon.up();
  const after = await daemon.connect();
  await untilOver(after, runs);
  const events = await readAll(after);
  const states = await Promise.all(runs.map(async (run) => (await after.call("run.get", { run })).run.state));
  expect(states).toEqual(runs.map(() => "done"));
  const granted = events.filter((event) => event.type === "lease.granted" && sameUnits(event["units"]));
  expect(granted.map((event) => String(event["family"]).split(".")[0])).toEqual(runs);
  // Each landed once, on top of those before it, and the person's branch has them all.
  await untilPublished(after);
  expect(sample.read("one.txt")).toBe("0 1 2 3 4 5 6 7 8 9 end");
  expect(sample.git("log", "--format=%s", "--reverse").split("\n")).toEqual([
    "the beginning",
    ...runs.map((_, at) => `number ${at}`),
  ]);
  after.close();
});

/**
 * Appends its number to a file that all of them change: a lost or doubled edit would show. The units are planned, so that
 * they are asked for in the order in which the runs were submitted.
 */
function scriptOf(at: number): string {
  const edit = { edit: { path: "one.txt", find: "end", replace: `${at} end` } };
  return JSON.stringify({
    task: `number ${at}`,
    plan: units,
    steps: [edit, { run: "sleep 0.05" }, { sleep: "50ms" }, { say: `done ${at}` }],
  });
}

async function untilOver(client: Client, runs: readonly string[]): Promise<void> {
  for (const run of runs) await client.waitForRun(run);
}

async function untilPublished(client: Client): Promise<void> {
  const isPublished = async (): Promise<boolean> => {
    const { project } = await client.call("project.get", { project: "track" });
    return project.published === project.mainline;
  };
  await expect.poll(isPublished).toBe(true);
}

async function readAll(client: Client): Promise<LogEvent[]> {
  const found: LogEvent[] = [];
  for (let after = 0; ;) {
    const page = await client.call("events.read", { after, limit: 500 });
    found.push(...page.events);
    const last = page.events.at(-1);
    if (last === undefined) return found;
    after = last.seq;
  }
}

function sameUnits(given: unknown): boolean {
  return JSON.stringify(given) === JSON.stringify(units);
}
