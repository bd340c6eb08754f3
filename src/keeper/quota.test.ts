import { describe, expect, test } from "vitest";
import { expectFault } from "../../test/support/expect-fault.ts";
import { KeeperRig, noCages, whos } from "../../test/support/keeper-rig.ts";
import { blobName } from "./files/entry.ts";

const limits = { memoryBytes: null, processes: null, files: null, fileBytes: null, diskBytes: 4 * 1024 * 1024 };
const grow = (folder: string): string =>
  `mkdir -p ${folder}; i=0; while :; do head -c 500000 /dev/zero > ${folder}/$i; i=$((i + 1)); sleep 0.02; done`;

describe.skipIf(noCages).each(whos)("what an agent may take on the disk, as %s", (who) => {
  test("[SC23] of a share of what was free, nobody counts anything before the disk has less than the rest", async () => {
    const roomy = await KeeperRig.open(who, {
      order: { limits: { ...limits, diskBytes: null, usualDisk: { bytes: 1, spareBytes: 1 } } },
    });
    expect(await roomy.run("head -c 6000000 /dev/zero > scratch; exec sleep 1.5")).toMatchObject({
      exit: 0,
      why: "ended",
    });
    const low = await KeeperRig.open(who, {
      order: {
        limits: {
          ...limits,
          diskBytes: null,
          usualDisk: { bytes: limits.diskBytes, spareBytes: Number.MAX_SAFE_INTEGER },
        },
      },
    });
    expect(await low.run(grow("scratch"))).toMatchObject({ why: "out-of-disk" });
  });

  test.each([{ clone: false }, { clone: true }])(
    "[SC19] ends a command that takes more, refuses to write more, and lets whoever tidies up, %j",
    async ({ clone }) => {
      const rig = await KeeperRig.open(who, { files: { a: "a" }, clone, order: { limits } });
      const bytes = Buffer.alloc(1000, 1);
      const change = {
        path: "b",
        to: `100644:${blobName("sha1", bytes)}`,
        bytes: { base64: bytes.toString("base64") },
      } as const;
      const place = (tag: string): Promise<unknown> =>
        rig.client.request({ op: "place", tag, changes: [change], counted: true });
      await place("first");
      const unplace = { op: "place", changes: [{ path: "a", to: null }], counted: true } as const;
      const start = { op: "start", call: "assistant", cwd: null, env: {}, timeoutMs: null, stdin: true } as const;
      await rig.client.request({ ...start, argv: ["cat"], spared: true });
      for (const folder of ["scratch", "/tmp/scratch", "$HOME/scratch"]) {
        expect(await rig.run(grow(folder))).toMatchObject({ why: "out-of-disk" });
        await expectFault(place(`more-${folder.length}`), "disk-quota");
        // What was done before is answered as before; what Signalbox itself brings is not counted.
        await place("first");
        await rig.client.request({ ...unplace, tag: `less-${folder.length}` });
        await rig.client.place(`step-${folder.length}`, [{ path: "b", to: null }]);
        expect(await rig.run(`sleep 0.7; rm -r ${folder}`)).toMatchObject({ exit: 0, why: "ended" });
        await place(`again-${folder.length}`);
      }
      // Whoever drives the agent goes on, and hears of it.
      const output = await rig.client.request({ op: "output", call: "assistant", offset: 0, limit: 0 });
      expect(output).toMatchObject({ ended: false });
    },
  );
});
