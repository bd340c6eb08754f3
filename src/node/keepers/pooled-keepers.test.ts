import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { isRunning, startStranger } from "../../../test/support/processes.ts";
import { keeperRecordName, keeperSocketName } from "../../protocol/keeper/keeper-command.ts";
import type { CommandEnd, HelloAnswer, ReadAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { readRecord } from "./keeper-pool.ts";
import { PooledKeepers } from "./pooled-keepers.ts";

const hello = async (line: KeeperLine): Promise<HelloAnswer> =>
  (await line.request({ op: "hello", protocol: 1 })) as HelloAnswer;

const start = (line: KeeperLine, call: string, script: string): Promise<unknown> =>
  line.request({ op: "start", call, argv: ["/bin/sh", "-c", script], cwd: null, env: {}, timeoutMs: null });

const wait = async (line: KeeperLine, call: string): Promise<CommandEnd> =>
  (await line.request({ op: "wait", call })) as CommandEnd;

const entryAt = async (line: KeeperLine, path: string): Promise<string | null> =>
  ((await line.request({ op: "read", path })) as ReadAnswer).entry;

describe.skipIf(noCages).each(whos)("the keepers of agents, as %s", (who) => {
  test("a place that is opened again is the same one, also for the next daemon", async () => {
    const rig = await KeeperRig.start(who);
    const keepers = new PooledKeepers(rig.pool);
    const line = await keepers.open(rig.order);
    await start(line, "c", "echo x > made; sleep 0.1; exit 5");
    line.close();
    await expectFault(line.request({ op: "scan" }), "keeper-gone");
    const next = new PooledKeepers(rig.pool);
    const again = await next.open(rig.order);
    expect(await wait(again, "c")).toMatchObject({ exit: 5 });
    expect(rig.pool.find()).toHaveLength(1);
    await next.end("ag_1", 0);
    expect(rig.pool.find()).toEqual([]);
  });

  test("[EN27] where a keeper was lost there is another one, and what was under way has an unknown end", async () => {
    const rig = await KeeperRig.start(who);
    const keepers = new PooledKeepers(rig.pool);
    const line = await keepers.open(rig.order);
    await start(line, "before", "echo kept > kept");
    await wait(line, "before");
    await start(line, "lost", "sleep 1000");
    const { pid } = await hello(line);
    const ends = [wait(line, "lost"), wait(line, "lost"), wait(line, "lost")];
    process.kill(pid, "SIGKILL");
    for (const end of ends) expect(await end).toMatchObject({ exit: "unknown", why: "lost" });
    expect((await hello(line)).pid).not.toBe(pid);
    expect(rig.pool.find()).toMatchObject([{ agent: "ag_1", alive: true }]);
    expect(await entryAt(line, "kept")).toMatch(/^100644:/);
    await keepers.end("ag_1", 0);
  });

  test("[EN27] a keeper that is about to leave when its agent is asked for again is no reason to fail", async () => {
    const rig = await KeeperRig.start(who);
    const first = await new PooledKeepers(rig.pool).open(rig.order);
    const { pid } = await hello(first);
    first.close();
    // It has answered and listens no more, but is there for a moment longer.
    const [found] = rig.pool.find();
    await found?.client.close(0);
    while (existsSync(join(found?.folder ?? "", keeperSocketName)))
      await new Promise((resolve) => setImmediate(resolve));
    const next = new PooledKeepers(rig.pool);
    expect((await hello(await next.open(rig.order))).pid).not.toBe(pid);
    await next.end("ag_1", 0);
  });

  test("whoever was ended gets no other keeper by asking", async () => {
    const rig = await KeeperRig.start(who);
    const keepers = new PooledKeepers(rig.pool);
    const line = await keepers.open(rig.order);
    await start(line, "c", "sleep 1000");
    const waiting = wait(line, "c").catch((error: unknown) => error);
    await keepers.end("ag_1", 0);
    expect(await waiting).toMatchObject({ retry: "later" });
    await expectFault(line.request({ op: "scan" }), "keeper-gone");
    expect(rig.pool.find()).toEqual([]);
  });

  test("a keeper that hangs is killed, and those who wait for it go on with another", async () => {
    const rig = await KeeperRig.start(who);
    const keepers = new PooledKeepers(rig.pool, { lookEveryMs: 20, silentMsMax: 1500, endMsMax: 100 });
    const line = await keepers.open(rig.order);
    await start(line, "lost", "echo kept > kept; sleep 1000");
    await expect.poll(() => entryAt(line, "kept")).toMatch(/^100644:/);
    const { pid } = await hello(line);
    process.kill(pid, "SIGSTOP");
    expect(await wait(line, "lost")).toMatchObject({ exit: "unknown", why: "lost" });
    expect(isRunning(pid)).toBe(false);
    expect(await entryAt(line, "kept")).toMatch(/^100644:/);
    const next = await hello(line);
    process.kill(next.pid, "SIGSTOP");
    await keepers.end("ag_1", 0);
    expect(isRunning(next.pid)).toBe(false);
    expect(rig.pool.find()).toEqual([]);
  });

  test("[EN26] a stranger that got the pid of a keeper long gone survives its end", async () => {
    const rig = await KeeperRig.start(who);
    const keepers = new PooledKeepers(rig.pool);
    const line = await keepers.open(rig.order);
    const { pid } = await hello(line);
    line.close();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isRunning(pid)).toBe(false);
    const stranger = await startStranger(["sleep", "1000"]);
    const [{ folder } = { folder: "" }] = rig.pool.find();
    const record = readRecord(folder);
    writeFileSync(join(folder, keeperRecordName), JSON.stringify({ ...record, pid: stranger.pid }));
    expect(rig.pool.find()).toMatchObject([{ alive: false, agent: "ag_1" }]);
    await keepers.end("ag_1", 0);
    expect(isRunning(stranger.pid)).toBe(true);
    expect(rig.pool.find()).toEqual([]);
  });
});
