// The promise of the first page: ten runs contend for three units, the daemon is killed in the middle, and they finish in
// the order that was promised.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { LogEvent } from "../../src/protocol/wire/log-event.ts";
import { DaemonProcess } from "../support/daemon-process.ts";

const units = ["file:one.txt", "file:two.txt", "process:test"];
let daemon: DaemonProcess;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-project-"));
  daemon = await DaemonProcess.start();
});

afterEach(async () => {
  await daemon.remove();
  await rm(folder, { recursive: true, force: true });
});

test("ten runs contend for three units, survive kill -9 of the daemon and finish in order", async () => {
  const before = await daemon.connect();
  await before.call("project.add", { root: folder, name: "track" });
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
  const scratch = join(daemon.home, "node/scratch");
  const { project } = await after.call("project.get", { project: "track" });
  const text = await readFile(join(scratch, project.id, "one.txt"), "utf8");
  expect(text).toBe("0 1 2 3 4 5 6 7 8 9 end");
  after.close();
});

/** Appends its number to a file that all of them change: a lost or doubled edit would show. */
function scriptOf(at: number): string {
  const first = at === 0 ? [{ write: { path: "one.txt", content: "end" } }] : [];
  const edit = { edit: { path: "one.txt", find: "end", replace: `${at} end` } };
  return JSON.stringify({
    task: `number ${at}`,
    steps: [{ claim: units }, ...first, edit, { run: "sleep 0.05" }, { sleep: "50ms" }, { say: `done ${at}` }],
  });
}

async function untilOver(client: Client, runs: readonly string[]): Promise<void> {
  for (const run of runs) await client.waitForRun(run);
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
