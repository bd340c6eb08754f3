// What a real daemon leaves, and what it finds of what others have left.

import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { readRecord } from "../../src/node/keepers/keeper-pool.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { noCages } from "../support/keeper-rig.ts";
import { isRunning } from "../support/processes.ts";
import { processesWith } from "../support/processes-with.ts";
import { SampleProject } from "../support/sample-project.ts";

const script = JSON.stringify({ task: "sleep", steps: [{ run: "sleep 1000" }] });

describe.skipIf(noCages)("an audit of a daemon", () => {
  let daemon: DaemonProcess;
  let client: Client;
  let sample: SampleProject;
  const keepers = (): string => join(daemon.home, "node", "keepers");

  beforeEach(async () => {
    sample = new SampleProject({ "a.txt": "a\n" });
    daemon = await DaemonProcess.start();
    client = await daemon.connect();
    await client.call("project.add", { root: sample.root, name: "track" });
  });

  afterEach(async () => {
    client.close();
    await daemon.remove();
    sample.remove();
  });

  /** A run in the middle of a command, and the process of its keeper. */
  async function begin(): Promise<{ readonly run: string; readonly keeper: number; readonly folder: string }> {
    const { run } = await client.call("run.submit", { project: "track", runner: "script", script });
    const found = (): { keeper: number; folder: string }[] =>
      readdirSync(keepers()).flatMap((name) => {
        const folder = join(keepers(), name);
        const record = readRecord(folder);
        return record?.agent === run ? [{ keeper: record.pid, folder }] : [];
      });
    await expect.poll(() => found().length, { timeout: 20_000 }).toBe(1);
    const [one] = found();
    if (one === undefined) throw new Error("its keeper is there");
    await client.call("run.wait", { run, states: ["running"], waitMs: 20_000 });
    return { run, ...one };
  }

  test("[AU10] a daemon that ends right after a run was stopped leaves no keeper of it behind", async () => {
    const { run, keeper } = await begin();
    expect(await client.call("audit", {})).toMatchObject({ findings: [] });
    const gone = once(daemon.process, "exit");
    await client.call("run.stop", { run });
    await client.call("shutdown", {});
    await gone;
    expect(isRunning(keeper)).toBe(false);
    expect(processesWith(`${keepers()}/`)).toEqual([]);
  });

  test("[AU1, AU3, AU5] what an earlier life has left is found beside what belongs to somebody, and goes", async () => {
    const [left, owned] = [await begin(), await begin()];
    client.close();
    await daemon.kill();
    process.kill(left.keeper, "SIGSTOP");
    rmSync(left.folder, { recursive: true });
    mkdirSync(join(daemon.home, "node", "calls", "r_zzzz"), { recursive: true });
    await daemon.up();
    client = await daemon.connect();
    const { findings } = await client.call("audit", {});
    const [found] = findings.filter(({ kind }) => kind === "keeper");
    expect(found?.what).toContain(`process ${left.keeper}`);
    expect(findings.filter(({ what }) => what.includes(String(owned.keeper)))).toEqual([]);
    expect(await client.call("status", {})).toMatchObject({ audit: { findings: findings.length } });
    const reaped = await client.call("audit.reap", {});
    expect(reaped.findings.filter(({ failed }) => failed !== null)).toEqual([]);
    expect([isRunning(left.keeper), isRunning(owned.keeper)]).toEqual([false, true]);
    // The kernel ends what was in its cage when it gets to it.
    await expect.poll(async () => (await client.call("audit", {})).findings).toEqual([]);
  });

  test("[AU11] whoever deletes a home takes its agents with it", async () => {
    const { keeper } = await begin();
    client.close();
    await daemon.kill();
    // Keepers that waited write there until they notice, and what is removed at once then stays in part, without a word.
    await rm(daemon.home, { recursive: true, maxRetries: 10 });
    await expect.poll(() => isRunning(keeper)).toBe(false);
  });
});
