// Files that are larger than anything is held in memory, in a run that makes them with a command.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { noCages } from "../../test/support/keeper-rig.ts";
import { NodeRig } from "../../test/support/node-rig.ts";
import type { DoorAnswer, Runner } from "../ports/runner.ts";
import { usualLandBytesMax } from "../protocol/keeper/keeper-wire.ts";

test.skipIf(noCages)("[LD57] a file of 70 MiB that a command made lands, and is published", async () => {
  const rig = await NodeRig.open();
  const project = await rig.project({}, { git: true, files: { a: "a\n" }, landingTest: ["sh", "-c", "test -s large"] });
  const run = await rig.submit(
    project,
    "run: truncate -s 70M large\nrun: test -s large\nedit: { path: a, find: a, replace: b }",
  );
  expect(await rig.ended(run)).toBe("done");
  expect(rig.log.findLast((event) => event.type === "run.landed")).toMatchObject({
    entries: [{ path: "a" }, { path: "large" }],
  });
  await rig.until((state) => state.projects.get(project)?.published === state.projects.get(project)?.mainline);
  const person = rig.person(project);
  expect(statSync(join(person.root, "large")).size).toBe(70 * 1024 * 1024);
  expect(person.git("status", "--short")).toBe("");
  await rig.close();
});

test.skipIf(noCages)("[LD57] one beyond the limit is scratch: its run goes on, and it is named", async () => {
  const rig = await NodeRig.open();
  const project = await rig.project({}, { git: true, files: { a: "a\n", had: "had\n" } });
  const large = usualLandBytesMax + 1;
  const steps = [
    `run: truncate -s ${large} had new; echo small > small`,
    "ask: go on?",
    "run: rm new",
    "edit: { path: a, find: a, replace: b }",
    "write: { path: had, content: mine }",
  ];
  const run = await rig.submit(project, steps.join("\n"));
  await rig.untilState(run, "awaiting-input");
  const oversized = [
    { path: "had", bytes: large },
    { path: "new", bytes: large },
  ];
  expect(rig.run(run).workspace.oversized).toEqual(oversized);
  expect(rig.log.find((event) => event.type === "call.finished")).toMatchObject({ tool: "run", ok: true, oversized });
  await rig.ok({ type: "run.answer", run, text: "yes" });
  // Only commands can do something about it.
  expect(await rig.ended(run)).toMatch(/^failed: step 4 \(write\): too-large: had has 1073741825 bytes/);
  expect(rig.run(run).workspace.oversized).toEqual([{ path: "had", bytes: large }]);
  const told = rig.log.filter((event) => event.type === "call.finished" && event.oversized !== undefined);
  expect(told).toHaveLength(2);
  expect(await rig.trash(run)).toEqual({ a: "b\n", small: "small\n" });
  expect(await rig.files()).toEqual(["a", "had"]);
  await rig.close();
});

test.skipIf(noCages)(
  "[EN24] what a command says is its artifact byte for byte, also 110 MB of it, and is read from any byte on",
  async () => {
    const count = "seq 1 14000000";
    const told: DoorAnswer[] = [];
    const runner: Runner = {
      name: "test",
      async drive(_job, door) {
        told.push(await door.run({ argv: ["/bin/sh", "-c", count] }));
        told.push(await door.artifact("output-0", 114_888_888), await door.artifact("output-0", 999_999_999));
        await door.finish(true, "");
      },
    };
    const rig = await NodeRig.open({ runners: [runner] });
    const run = await rig.submit(await rig.project(), "say: nothing", { runner: "test" });
    expect(await rig.ended(run)).toBe("done");
    const [said, end, beyond] = told;
    expect(said).toMatchObject({
      text: expect.stringContaining("bytes left out; all of it: artifact output-0 …]") as unknown,
    });
    expect(end).toMatchObject({ text: "14000000\n", note: "output-0, bytes 114888888 to 114888897 of 114888897" });
    expect(beyond).toMatchObject({ ok: true, text: "" });
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(rig.ground.folder, "calls", run, "0/output")), hash);
    const wanted = execFileSync("sh", ["-c", `${count} | sha256sum`], { encoding: "utf8" });
    expect(hash.digest("hex")).toBe(wanted.slice(0, 64));
    await rig.close();
  },
);
