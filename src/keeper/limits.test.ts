import { describe, expect, test } from "vitest";
import { KeeperRig, noCages, whos, whenThere } from "../../test/support/keeper-rig.ts";
import { groupTier } from "../node/keepers/keeper-groups.ts";

const limits = { memoryBytes: 120 * 1024 * 1024, processes: 60, files: 100, fileBytes: 4 * 1024 * 1024 };
const tier = await groupTier();
if (tier === "prlimit") console.warn("CONTROL GROUPS ARE NOT TRIED: this machine gives us none.");

const hog = "perl -e '$x .= \"x\" x 1e6 while length $x < 4e8; print length $x'";
const bomb = "bomb() { bomb | bomb & }; bomb; sleep 1000";

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
