import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { Person } from "../../../test/support/git/person.ts";
import { noCages } from "../../../test/support/keeper-rig.ts";
import { WorkspaceRig } from "../../../test/support/workspace-rig.ts";
import { groupTier } from "../keepers/keeper-groups.ts";
import { limitsFor, readUsualLimits, sayLimits, shareOfMemory } from "./usual-limits.ts";

const gib = 1024 ** 3;
const mib = 1024 ** 2;
const usual = { memoryBytes: 8 * gib, diskBytes: null };

describe("what an agent may use where nobody has said anything", () => {
  test("[SC23] is a half of the memory, and on a small machine enough to build something", () => {
    expect([16 * gib, 2 * gib, gib, 100].map(shareOfMemory)).toEqual([8 * gib, gib, 0.75 * gib, 75]);
  });

  test("[SC23] is a half of what is free on the disk, which nobody counts while the other half is", () => {
    expect(limitsFor({}, usual, 10 * gib)).toMatchObject({
      ...{ memoryBytes: 8 * gib, processes: 4096, cpu: null, diskBytes: null },
      usualDisk: { bytes: 5 * gib, spareBytes: 5 * gib },
    });
  });

  test("[SC23] what a policy or a template says comes first, and is counted from the start", () => {
    const limits = limitsFor({ memoryBytes: 12 * gib, processes: 10, cpu: 1, diskBytes: gib }, usual, 10 * gib);
    expect(limits).toMatchObject({ memoryBytes: 12 * gib, processes: 10, cpu: 1, diskBytes: gib });
  });

  test("[SC23] whoever starts the daemon says other shares, or none", async () => {
    const env = { SIGNALBOX_AGENT_MEMORY: "512MiB", SIGNALBOX_AGENT_DISK: "2GiB" };
    expect(readUsualLimits(env)).toEqual({ memoryBytes: 512 * mib, diskBytes: 2 * gib });
    expect(limitsFor({}, readUsualLimits(env), 10 * gib)).toMatchObject({
      memoryBytes: 512 * mib,
      diskBytes: null,
      usualDisk: { bytes: 2 * gib, spareBytes: null },
    });
    const off = readUsualLimits({ SIGNALBOX_AGENT_MEMORY: "off", SIGNALBOX_AGENT_DISK: "off" });
    expect(limitsFor({}, off, 10 * gib)).toMatchObject({ memoryBytes: null, diskBytes: null });
    expect(limitsFor({}, off, 10 * gib)).not.toHaveProperty("usualDisk");
    await expectFault(
      (async () => readUsualLimits({ SIGNALBOX_AGENT_MEMORY: "lots" }))(),
      "bad-setting",
      "such as 4GiB, or off",
    );
  });

  test("is said to people", () => {
    expect(sayLimits(usual)).toBe(
      "an agent may use 8GiB of memory, 4096 processes and a half of what is free on the disk where nothing else is said",
    );
  });
});

describe.skipIf(noCages)("an agent that takes what it can get", () => {
  let rig: WorkspaceRig;
  beforeAll(async () => {
    rig = await WorkspaceRig.open("clone");
  });
  afterAll(() => rig.end());

  test("[SC23] is held to its share without anybody's word, and others go on beside it", async () => {
    const { project } = await rig.project("shop", (root) => Person.withRepository(root, { a: "a\n" }));
    // A share that this machine does not miss.
    await rig.reopen("clone", { memoryBytes: 96 * mib, diskBytes: 4 * mib });
    const [hog, other] = await Promise.all(["r_1", "r_2"].map((run) => rig.workspaces.of(run, project)));
    if (hog === undefined || other === undefined) throw new Error("both are there");
    const takes = {
      memory: "perl -e '$x .= \"x\" x 1e6 while length $x < 3e8; print length $x'",
      disk: "i=0; while :; do head -c 500000 /dev/zero > /tmp/$i; i=$((i + 1)); sleep 0.02; done",
    };
    const beside = rig.said(
      other,
      "head -c 50000000 /dev/zero | wc -c; head -c 1000000 /dev/zero > scratch; echo fine",
    );
    // One after the other: where files are memory the kernel tells of nobody that writes, and whoever is there is told (SC19).
    const memory = await rig.ended(hog, takes.memory);
    const disk = await rig.ended(hog, takes.disk);
    expect(disk).toMatchObject({ why: "out-of-disk" });
    expect(memory.exit).not.toBe(0);
    // Without groups its program is told no, and ends by itself.
    expect(memory.why).toBe((await groupTier()) === "prlimit" ? "ended" : "out-of-memory");
    expect(await beside).toBe("50000000\nfine\n");
  });
});
