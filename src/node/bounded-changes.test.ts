// Policies bound what a run may change, whatever it changes it with.

import { describe, expect, test } from "vitest";
import { noCages } from "../../test/support/keeper-rig.ts";
import { NodeRig } from "../../test/support/node-rig.ts";

describe.skipIf(noCages)("what a command changes beyond what a policy allows", () => {
  test("[SC10] goes back before the run goes on, is in the trash, and does not land; what fits does", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { files: { a: "a" } });
    await rig.ok({
      type: "policy.set",
      policy: { name: "small", priority: 0, enabled: true, scope: {}, rules: { maxBytes: 50, maxFiles: 2 } },
    });
    const steps = [
      "run: head -c 5000 /dev/zero | tr '\\0' x > big",
      "run: test ! -e big && head -c 30 /dev/zero | tr '\\0' x > small",
      "run: touch b c",
      "run: test ! -e b && echo more >> small",
    ];
    const run = await rig.submit(project, steps.join("\n"));
    expect(await rig.ended(run)).toBe("done");
    expect([await rig.file("small"), await rig.file("big"), await rig.file("b")]).toEqual([
      `${"x".repeat(30)}more\n`,
      undefined,
      undefined,
    ]);
    expect(rig.run(run)).toMatchObject({ bytesWritten: 35 });
    const given = [...rig.state.trash.values()].map(({ path, why }) => `${path}: ${why}`);
    expect(given).toEqual([
      "big: policy small bounds what a run changes: 5000 bytes of at most 50",
      "b: policy small bounds what a run changes: 3 files of at most 2",
      "c: policy small bounds what a run changes: 3 files of at most 2",
    ]);
    await rig.close();
  });
});
