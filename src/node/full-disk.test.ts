// A disk that is full between the beginning and the end of a call, for real.

import { expect, test } from "vitest";
import { noCages } from "../../test/support/keeper-rig.ts";
import { makeGround, NodeRig } from "../../test/support/node-rig.ts";
import { noSmallDisks, SmallDisk } from "../../test/support/small-disk.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { ScriptRunner } from "../adapters/runner/script-runner.ts";
import type { Door, DoorAnswer, Runner } from "../ports/runner.ts";

const skip = noCages || noSmallDisks;
if (noSmallDisks) console.warn("only root can mount a disk that is full: what a full disk does to calls is not tried");

async function openOnSmallDisk(runners: readonly Runner[] = [new ScriptRunner()]): Promise<[NodeRig, SmallDisk]> {
  const folder = makeTempFolder();
  let mounted = "";
  SmallDisk.willBeUnmounted(() => mounted);
  const ground = await makeGround({ folder });
  mounted = ground.agents.folder;
  const disk = SmallDisk.over(mounted);
  return [await NodeRig.open({ ground, runners }), disk];
}

const sh = (line: string): { argv: string[] } => ({ argv: ["sh", "-c", line] });

test.skipIf(skip)(
  "[EN51] calls that a full disk of the workspace gets in the way of end with a no, and the run goes on",
  async () => {
    const told: Record<string, DoorAnswer> = {};
    const opened = Promise.withResolvers<SmallDisk>();
    const patient: Runner = {
      name: "script",
      async drive(_job, door: Door) {
        const disk = await opened.promise;
        told["first"] = await door.run(sh("echo one > one"));
        // By then its file is in step.
        await door.run(sh("true"));
        disk.fill();
        told["command"] = await door.run(sh("cat /dev/zero > two"));
        told["write"] = await door.change({ do: "write", path: "one", content: "1".repeat(1_000_000) });
        told["read"] = await door.read("one");
        disk.makeRoom();
        told["again"] = await door.run(sh("rm two; echo four > four; cat one"));
        told["finish"] = await door.finish(true, "");
      },
    };
    const [rig, small] = await openOnSmallDisk([patient]);
    opened.resolve(small);
    const project = await rig.project({}, { files: { a: "a\n" } });
    const run = await rig.submit(project, "say: nothing");
    expect(await rig.ended(run)).toBe("done");
    expect(told["first"]).toMatchObject({ ok: true });
    const unsafe = /could not be brought to safety, and stays in the workspace .*ENOSPC/;
    expect(told["command"]).toMatchObject({ ok: false, message: expect.stringMatching(unsafe) as unknown });
    expect(told["write"]).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^nobody knows whether .*ENOSPC/) as unknown,
    });
    expect(told["read"]).toMatchObject({ ok: true, text: "one\n" });
    expect(told["again"]).toMatchObject({ ok: true, text: "one\n" });
    expect(told["finish"]).toMatchObject({ ok: true });
    expect(await rig.files()).toEqual(["a", "four", "one"]);
    await rig.close();
  },
);

test.skipIf(skip)("[EN51, LD38] a script that a full disk stops fails with the reason, and loses nothing", async () => {
  const [rig, disk] = await openOnSmallDisk();
  const project = await rig.project({}, { files: { a: "a\n" } });
  const steps = [
    "run: echo one > one",
    "run: 'true'",
    "ask: go on?",
    "run: cat /dev/zero > one.zero",
    "write: { path: a, content: b }",
  ];
  const run = await rig.submit(project, steps.join("\n"));
  await rig.untilState(run, "awaiting-input");
  disk.fill();
  await rig.ok({ type: "run.answer", run, text: "yes" });
  await rig.untilState(run, "failed");
  expect(rig.run(run).because).toMatch(/^step 3 \(run\): .*could not be brought to safety.*ENOSPC/);
  // Its work is not safe yet, so it has not let go of it.
  expect(rig.run(run).stopped).toBe(false);
  disk.makeRoom();
  while (!rig.run(run).stopped) {
    rig.clock.advance(5000);
    await new Promise(setImmediate);
  }
  const kept = await rig.trash(run);
  expect(Object.keys(kept)).toEqual(["one", "one.zero"]);
  expect(kept["one"]).toBe("one\n");
  await rig.close();
});
