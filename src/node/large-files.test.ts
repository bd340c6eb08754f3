// Files that are larger than anything is held in memory, in a run that makes them with a command.

import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noCages } from "../../test/support/keeper-rig.ts";
import { NodeRig } from "../../test/support/node-rig.ts";
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
  expect(await rig.ended(run)).toMatch(/^failed: step 5 \(write\): too-large: had has 1073741825 bytes/);
  expect(rig.run(run).workspace.oversized).toEqual([{ path: "had", bytes: large }]);
  const told = rig.log.filter((event) => event.type === "call.finished" && event.oversized !== undefined);
  expect(told).toHaveLength(2);
  expect(await rig.trash(run)).toEqual({ a: "b\n", small: "small\n" });
  expect(await rig.files()).toEqual(["a", "had"]);
  await rig.close();
});
