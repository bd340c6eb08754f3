import { chmodSync, existsSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { asOf, KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { startStranger } from "../../../test/support/processes.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { keeperRecordName } from "../../protocol/keeper/keeper-command.ts";
import { KeeperClient } from "./keeper-client.ts";
import { groupTier } from "./keeper-groups.ts";
import { KeeperPool, readRecord, waitUntilGone } from "./keeper-pool.ts";
import { lastWordIn } from "./why-no-keeper.ts";

test("[EN52] a link in the place of a keeper's record is not followed", () => {
  const [folder, elsewhere] = [makeTempFolder(), makeTempFolder()];
  const [file, other] = [join(folder, keeperRecordName), join(elsewhere, "record")];
  writeFileSync(file, '{"pid":1}');
  expect(readRecord(folder)).toEqual({ pid: 1 });
  renameSync(file, other);
  symlinkSync(other, file);
  expect(readRecord(folder)).toBeUndefined();
});

describe.skipIf(noCages).each(whos)("the pool, as %s", (who) => {
  test("keeps some ahead, hands them out once, and ends those that nobody took", async () => {
    const rig = await KeeperRig.start(who);
    const pool = new KeeperPool({ ...rig.poolOptions, folder: rig.path("pool"), warm: 2 });
    await pool.fill();
    const [first, second] = [await pool.take(), await pool.take()];
    expect(first.folder).not.toBe(second.folder);
    await pool.fill();
    expect(statSync(first.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(first.folder, "keeper.sock")).mode & 0o777).toBe(0o600);
    await first.open(rig.order);
    await second.close(0);
    await pool.close();
    expect(pool.find().filter(({ alive }) => alive)).toMatchObject([{ folder: first.folder, agent: "ag_1" }]);
    await first.close(0);
    await waitUntilGone(first.folder);
    expect(pool.find()).toMatchObject([{ alive: false, agent: "ag_1" }]);
    pool.discard(first.folder);
    expect(pool.find()).toEqual([]);
    await waitUntilGone(second.folder);
    pool.discard(second.folder);
    await pool.sweep();
  });

  test("finds the keepers of an earlier daemon, with their agents and calls", async () => {
    const rig = await KeeperRig.open(who);
    const call = await rig.begin("sleep 0.3; echo done");
    rig.client.disconnect();
    const later = new KeeperPool(rig.poolOptions);
    const [found] = later.find();
    expect(found).toMatchObject({ agent: "ag_1", alive: true });
    expect(await found?.client.hello()).toMatchObject({ agent: "ag_1", calls: [call] });
    expect(await found?.client.wait(call)).toMatchObject({ exit: 0, tail: "done\n" });
    expect(() => later.discard(rig.client.folder)).toThrow("lives");
    found?.client.disconnect();
  });

  test("a record counts only for the process that wrote it", async () => {
    const rig = await KeeperRig.open(who);
    const record = readRecord(rig.client.folder);
    expect(record).toMatchObject({ agent: "ag_1", pid: rig.keeperPid });
    await rig.killKeeper();
    expect(rig.pool.find()).toMatchObject([{ alive: false }]);
    expect(existsSync(rig.client.folder)).toBe(true);
  });

  test("[AU3] of one that waited, and is gone with its daemon, nothing is left as soon as somebody tidies up", async () => {
    const rig = await KeeperRig.start(who);
    const pool = new KeeperPool({ ...rig.poolOptions, folder: rig.path("pool"), warm: 1 });
    await pool.fill();
    const waiting = await pool.take();
    await waiting.close(0);
    await waitUntilGone(waiting.folder);
    expect([pool.find(), existsSync(waiting.folder)]).toEqual([[], true]);
    pool.tidy();
    expect(existsSync(waiting.folder)).toBe(false);
    await pool.close();
  });

  test("[AU3] a group that somebody is still in is on its way out until they are gone", async ({ skip }) => {
    if ((await groupTier()) === "prlimit") skip("no control groups can be made here");
    const rig = await KeeperRig.open(who);
    await rig.killKeeper();
    const [group] = readRecord(rig.client.folder)?.groups ?? [];
    const folder = group?.slice(group.indexOf("=") + 1) ?? "";
    const last = await startStranger(["sleep", "1000"]);
    const entry = existsSync(join(folder, "keeper")) ? join(folder, "keeper") : folder;
    writeFileSync(join(entry, "cgroup.procs"), String(last.pid));
    rig.pool.discard(rig.client.folder);
    let isGone = false;
    const gone = rig.pool.groupsGone().then(() => (isGone = true));
    expect([existsSync(folder), isGone]).toEqual([true, false]);
    last.kill();
    await gone;
    expect(existsSync(folder)).toBe(false);
  });

  test.skipIf(asOf(who) === null)(
    "a folder that was closed to agents is named with the way out, in one sentence",
    async () => {
      const rig = await KeeperRig.start(who);
      const home = rig.path("closed");
      mkdirSync(join(home, "keepers"), { recursive: true });
      chmodSync(home, 0o700);
      const pool = new KeeperPool({ ...rig.poolOptions, folder: join(home, "keepers") });
      const error = await pool.take().catch((reason: unknown) => reason);
      expect((error as Error).message).toBe(
        `no keeper could be started: agents run as another user than root, and ${home} is closed to them; open it with: chmod 711 ${home}`,
      );
    },
  );

  test("a keeper's last word is told without where in its program that was", () => {
    const log = join(makeTempFolder(), "keeper.log");
    const trace =
      "node:fs:1\n  throw\n  ^\n\nError: EACCES: permission denied, mkdir '/x'\n    at mkdirSync (node:fs:1:1)\n\nNode.js v24\n";
    writeFileSync(log, trace);
    expect(lastWordIn(log)).toBe("Error: EACCES: permission denied, mkdir '/x'");
    expect(lastWordIn(`${log}.none`)).toBe("");
  });

  test("a path that is too long for a socket is told before anything starts", async () => {
    const rig = await KeeperRig.start(who);
    const pool = new KeeperPool({ ...rig.poolOptions, folder: rig.path("x".repeat(90)) });
    await expectFault(pool.take(), "keeper-failed", "too long");
  });
});

describe("the client", () => {
  test("says that a keeper is lost, connects again, and does not wait for ever", async () => {
    const folder = makeTempFolder();
    const client = new KeeperClient(folder);
    await expectFault(client.hello(), "keeper-unavailable");
    const seen: string[] = [];
    const listen = (): Promise<ReturnType<typeof createServer>> =>
      new Promise((resolve) => {
        const server = createServer((socket) => {
          socket.on("data", (data) => {
            const request = JSON.parse(String(data)) as { id: number; op: string };
            seen.push(request.op);
            if (request.op === "hello") socket.write(`${JSON.stringify({ id: request.id, ok: true, value: "hi" })}\n`);
            if (request.op === "scan") socket.destroy();
          });
        });
        onTestFinished(() => void server.close());
        server.listen(join(folder, "keeper.sock"), () => resolve(server));
      });
    await listen();
    expect(await client.hello()).toBe("hi");
    await expectFault(client.scan(), "keeper-unavailable", "lost");
    expect(await client.hello()).toBe("hi");
    await expectFault(client.wait("never", { timeoutMs: 50 }), "keeper-unavailable", "50 ms");
    const abort = new AbortController();
    const waiting = client.wait("never", { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(seen).toEqual(["hello", "scan", "hello", "wait"]);
    client.disconnect();
  });
});
