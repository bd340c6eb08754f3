// What a sub-run's commands change and may not: it leaves the workspace that the sub-run shares with its root.

import { describe, expect, test } from "vitest";
import { noCages } from "../../test/support/keeper-rig.ts";
import { NodeRig } from "../../test/support/node-rig.ts";

const many = (text: string): string => `run: for i in $(seq 60); do echo ${text} > f$i; done`;

describe.skipIf(noCages)("what a sub-run's command changed and may not", () => {
  test("[LD16] goes back before the sub-run goes on, however often, and is in nobody's way", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { files: { a: "a" } });
    const run = await rig.submit(project, "ask: ready?\nrun: test ! -e f1\nwrite: { path: b, content: b }");
    await rig.untilState(run, "awaiting-input");
    const steps = `${many("one")}\nrun: test ! -e f1\n${many("two")}\nrun: test ! -e f1`;
    const sub = await rig.submit(project, steps, { parent: run, sub: true });
    expect(await rig.ended(sub)).toBe("done");
    await rig.ok({ type: "run.answer", run, text: "yes" });
    expect(await rig.ended(run)).toBe("done");
    expect([await rig.file("b"), await rig.file("f1")]).toEqual(["b", undefined]);
    await rig.close();
  });
});
