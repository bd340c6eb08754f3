import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { KeeperRig, noCages, whos, whenThere } from "../../test/support/keeper-rig.ts";
import type { KeeperOp, ProcessesAnswer } from "../protocol/keeper/keeper-wire.ts";
import { groupTier } from "../node/keepers/keeper-groups.ts";

const limits = { memoryBytes: 120 * 1024 * 1024, processes: 60, files: 100, fileBytes: 4 * 1024 * 1024 };
const tier = await groupTier();
if (tier === "prlimit") console.warn("CONTROL GROUPS ARE NOT TRIED: this machine gives us none.");

const hog = "perl -e '$x .= \"x\" x 1e6 while length $x < 4e8; print length $x'";
// The shell itself becomes what waits: one that still had to fork for it would give up where its own bomb leaves it no room.
const bomb = "bomb() { bomb | bomb & }; bomb; exec sleep 1000";

/** What the kernel lets a process have of each tenth of a second; where it counts no processors, what we asked for. */
function quotaOf(pid: number, of: "one" | "all" = "one"): string {
  const groups = readFileSync(`/proc/${pid}/cgroup`, "utf8");
  const [, unified] = /^0::(\/.+)$/m.exec(groups) ?? [];
  const [, older] = /^\d+:(?:cpu|cpu,cpuacct|cpuacct,cpu):(\/.+)$/m.exec(groups) ?? [];
  const file =
    tier === "cgroup2"
      ? `/sys/fs/cgroup${groupOf(unified, of)}/cpu.max`
      : `/sys/fs/cgroup/cpu${groupOf(older, of)}/cpu.cfs_quota_us`;
  return existsSync(file) ? (readFileSync(file, "utf8").trim().split(" ")[0] ?? "") : "25000";
}

/** That of the command itself, or of all commands. */
function groupOf(folder: string | undefined, of: "one" | "all"): string {
  return of === "one" || folder === undefined ? (folder ?? "") : dirname(folder);
}

describe.skipIf(noCages).each(whos)("limits, as %s", (who) => {
  test.skipIf(tier === "prlimit")("a group holds memory and processes of all commands together", async () => {
    const rig = await KeeperRig.start(who, { order: { limits } });
    expect(await rig.client.open(rig.order)).toMatchObject({ tier });
    expect(await rig.run(hog)).toMatchObject({ exit: 137, why: "out-of-memory" });
    expect(await rig.run("kill -9 $$")).toMatchObject({ exit: 137, why: "ended" });
    const call = await rig.begin(bomb);
    // It has come up against the limit.
    await rig.heard(call, "fork");
    await rig.client.stop(call, 0);
    expect(await rig.said("ps -eo args= | grep -c '[b]omb()'; echo fine")).toBe("0\nfine");
  });

  test.skipIf(tier === "prlimit")("[SV2, SV3] a command with a limit of its own is ended alone", async () => {
    const rig = await KeeperRig.open(who, { order: { limits } });
    const other = await rig.begin("cat", { stdin: true });
    const own = { memoryBytes: 30 * 1024 * 1024, processes: 5, files: 50, cpu: 0.5 };
    const start = (call: string, script: string): Promise<unknown> =>
      rig.client.start({ call, argv: ["/bin/sh", "-c", script], cwd: null, env: {}, timeoutMs: 50_000, limits: own });
    await start("hog", hog);
    expect(await rig.client.wait("hog")).toMatchObject({ exit: 137, why: "out-of-memory" });
    await start("files", "ulimit -n");
    expect((await rig.client.wait("files")).tail).toBe("50\n");
    await start("bomb", bomb);
    await rig.heard("bomb", "fork");
    await rig.client.stop("bomb", 0);
    await rig.client.request({ op: "input", call: other, base64: "", end: true });
    expect(await rig.client.wait(other)).toMatchObject({ exit: 0 });
  });

  test.skipIf(tier === "prlimit")(
    "[SV6] a command that runs is held to other limits, as often as one likes",
    async () => {
      const rig = await KeeperRig.open(who, { order: { limits } });
      const own = { memoryBytes: 300 * 1024 * 1024, processes: 5, files: 50, cpu: 0.5 };
      const script = "echo begun; read line; exec " + hog;
      const order = {
        call: "hog",
        argv: ["/bin/sh", "-c", script],
        cwd: null,
        env: {},
        timeoutMs: 50_000,
        stdin: true,
      };
      await rig.client.start({ ...order, limits: own });
      await rig.heard("hog", "begun");
      const limit = (more: object): Promise<unknown> =>
        rig.client.request({ op: "limit", call: "hog", limits: { ...own, ...more } });
      const { calls } = (await rig.client.request({ op: "processes" })) as ProcessesAnswer;
      const pid = calls.find(({ call }) => call === "hog")?.processes[0]?.pid ?? 0;
      expect(await limit({ cpu: 0.25 })).toEqual({ held: true });
      expect(quotaOf(pid)).toBe("25000");
      expect(await rig.client.request({ op: "limit", call: "hog", limits: { ...own, cpu: null } })).toEqual({
        held: true,
      });
      // What each process was given when it began cannot be taken back.
      expect(await limit({ files: 60 })).toEqual({ held: false });
      expect(await limit({ memoryBytes: 30 * 1024 * 1024 })).toEqual({ held: true });
      await rig.client.request({ op: "input", call: "hog", base64: Buffer.from("go\n").toString("base64"), end: true });
      expect(await rig.client.wait("hog")).toMatchObject({ exit: 137, why: "out-of-memory" });
      expect(await limit({})).toEqual({ held: true });
      await expect(rig.client.request({ op: "limit", call: "nobody", limits: null })).rejects.toMatchObject({
        code: "unknown-call",
      });
    },
  );

  const whole = { memoryBytes: null, processes: null, files: null, cpu: null, outputBytesPerS: null };
  const holdAll = (rig: KeeperRig, more: object): Promise<unknown> =>
    rig.client.request({ op: "limits", limits: { ...whole, ...more } });
  const say = (rig: KeeperRig, call: string): Promise<unknown> =>
    rig.client.request({ op: "input", call, base64: Buffer.from("go\n").toString("base64"), end: false });

  test.skipIf(tier === "prlimit")(
    "[SV16] everything that runs is held to other limits, as often as one likes",
    async () => {
      const rig = await KeeperRig.open(who, { order: { limits } });
      const own = { memoryBytes: null, processes: null, files: null, cpu: 0.5 };
      const script = `echo begun; read line; exec ${hog}`;
      const order = { argv: ["/bin/sh", "-c", script], cwd: null, env: {}, timeoutMs: 50_000, stdin: true };
      await rig.client.start({ call: "hog", ...order, limits: own });
      await rig.heard("hog", "begun");
      const { calls } = (await rig.client.request({ op: "processes" })) as ProcessesAnswer;
      const pid = calls.find(({ call }) => call === "hog")?.processes[0]?.pid ?? 0;
      const had = quotaOf(pid);
      await holdAll(rig, { cpu: 0.25 });
      expect([quotaOf(pid), quotaOf(pid, "all")]).toEqual(["25000", "25000"]);
      await holdAll(rig, {});
      expect(quotaOf(pid)).toBe(had === "25000" ? had : "50000");
      await holdAll(rig, { memoryBytes: 40 * 1024 * 1024, files: 90 });
      // What each process holds by itself is that of whoever begins.
      expect(await rig.said("ulimit -n")).toBe("90");
      await say(rig, "hog");
      expect(await rig.client.wait("hog")).toMatchObject({ exit: 137, why: "out-of-memory" });
      await holdAll(rig, { processes: 10 });
      const call = await rig.begin(bomb);
      await rig.heard(call, "fork");
      await rig.client.stop(call, 0);
      await holdAll(rig, {});
      // There is room again.
      expect(await rig.said(`perl -e '$x = "x" x 6e7; print length $x'`)).toBe("60000000");
    },
  );

  test.skipIf(tier === "prlimit")(
    "[SV16] who uses more memory than it may goes on while that does not grow",
    async () => {
      const rig = await KeeperRig.open(who, { order: { limits: { ...limits, memoryBytes: 300 * 1024 * 1024 } } });
      const script = `perl -e '$| = 1; $x = "x" x 6e7; print "has\n"; <STDIN>; print "lives\n"; <STDIN>; $y .= "y" x 1e6 while length $y < 1.2e8'`;
      const order = { argv: ["/bin/sh", "-c", script], cwd: null, env: {}, timeoutMs: 50_000, stdin: true };
      await rig.client.start({ call: "large", ...order });
      await rig.heard("large", "has");
      await holdAll(rig, { memoryBytes: 20 * 1024 * 1024 });
      await say(rig, "large");
      await rig.heard("large", "lives");
      await say(rig, "large");
      expect(await rig.client.wait("large")).toMatchObject({ exit: 137, why: "out-of-memory" });
      // It has given everything back, so that what was meant holds.
      const fits = (): Promise<number | "unknown"> => rig.run(`perl -e '$x = "x" x 4e7'`).then(({ exit }) => exit);
      await expect.poll(fits, { timeout: 20_000 }).toBe(137);
    },
  );

  test("[SV16] without groups other limits hold for whoever begins", async () => {
    const rig = await KeeperRig.start(who, { groups: false, order: { limits } });
    await rig.client.open(rig.order);
    expect(await rig.said("ulimit -n; ulimit -d")).toBe(`100\n${120 * 1024}`);
    await holdAll(rig, { files: 90, memoryBytes: 200 * 1024 * 1024 });
    expect(await rig.said("ulimit -n; ulimit -d")).toBe(`90\n${200 * 1024}`);
  });

  test("[SV16] what a command may say in a second is another one at once, and nothing is lifted by being left out", async () => {
    const rig = await KeeperRig.open(who, { order: { limits: { ...limits, outputBytesPerS: 20_000 } } });
    const call = await rig.begin("seq 1 40000");
    await rig.heard(call, "4000");
    await holdAll(rig, { memoryBytes: limits.memoryBytes, processes: limits.processes, files: limits.files });
    expect(await rig.client.wait(call)).toMatchObject({ exit: 0, outputBytes: 228_894 });
    const less = { op: "limits", limits: { memoryBytes: null } } as unknown as KeeperOp;
    await expect(rig.client.request(less)).rejects.toMatchObject({ code: "bad-request" });
  });

  test("[SC22] who says more than it may waits at its pipe, and nothing of it is lost or out of order", async () => {
    const slow = { ...limits, outputBytesPerS: 200_000 };
    const rig = await KeeperRig.open(who, { order: { limits: slow } });
    const counted = await rig.run("seq 1 40000");
    expect(counted).toMatchObject({ exit: 0, outputBytes: 228_894, leftOutBytes: 0 });
    expect(counted.tail.trim().split("\n").at(-1)).toBe("40000");
    const flood = await rig.begin("yes | head -c 50000000");
    await rig.heard(flood, "y");
    // Whoever is held back takes nobody else's turn.
    expect(await rig.said("echo fine")).toBe("fine");
    await rig.client.stop(flood, 0);
    expect((await rig.client.wait(flood)).outputBytes).toBeLessThan(5_000_000);
  });

  test.skipIf(tier === "prlimit")("[SV2] processors are held where the machine can", async () => {
    const rig = await KeeperRig.open(who);
    const own = { memoryBytes: null, processes: null, files: null, cpu: 0.25 };
    await rig.client.start({
      call: "one",
      argv: ["cat"],
      cwd: null,
      env: {},
      timeoutMs: 50_000,
      stdin: true,
      limits: own,
    });
    const { calls } = (await rig.client.request({ op: "processes" })) as ProcessesAnswer;
    const pid = calls.find(({ call }) => call === "one")?.processes[0]?.pid ?? 0;
    expect(quotaOf(pid)).toBe("25000");
  });

  test.skipIf(tier === "prlimit")("what forgets where it came from is still ended with its command", async () => {
    const rig = await KeeperRig.open(who, { order: { limits } });
    const call = await rig.begin(
      `(env -i setsid sh -c 'trap "" TERM; while :; do sleep 7051; done' &) ; ${whenThere("sleep 7051")}`,
    );
    await rig.client.wait(call);
    expect(await rig.said("ps -o args= -C sleep | grep -c 7051")).toBe("1");
    await rig.client.stop(call, 200);
    expect(await rig.said("ps -o args= -C sleep | grep -c 7051")).toBe("0");
  });

  test("without groups each process is held by itself", async () => {
    const rig = await KeeperRig.start(who, { groups: false, order: { limits } });
    expect(await rig.client.open(rig.order)).toMatchObject({ tier: "prlimit" });
    expect((await rig.run(hog)).exit).not.toBe(0);
    // The kernel counts the processes of everyone but root.
    if (who === "root") return;
    const call = await rig.begin(bomb);
    // It has come up against the limit.
    await rig.heard(call, "fork");
    await rig.client.stopAll(0);
    expect(await rig.client.wait(call)).toMatchObject({ why: "stopped" });
    expect(await rig.said("echo fine")).toBe("fine");
  });

  test("files have a number and a size", async () => {
    const rig = await KeeperRig.open(who, { order: { limits } });
    expect(await rig.said("ulimit -n")).toBe("100");
    expect((await rig.run("head -c 10000000 /dev/zero > big")).exit).not.toBe(0);
    expect(Number(await rig.said("wc -c < big"))).toBeLessThanOrEqual(limits.fileBytes);
  });
});
