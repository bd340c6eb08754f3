import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { toKept, withNames } from "../assistants/keep-whole.ts";
import { Artifacts, isArtifactName } from "./artifacts.ts";
import { keepHeard } from "./keep-heard.ts";

const result = {
  is: "result",
  call: "c",
  tool: "Bash",
  parent: null,
  ok: true,
  exit: 0,
  text: "a … z",
  output: null,
} as const;

test("[RN46] all that came of a call is kept, named by where it was said, before the log names it", async () => {
  const artifacts = new Artifacts(makeTempFolder());
  const message = { is: "message", text: "Look.", parent: null } as const;
  const heard = withNames([message, { ...result, whole: "all" }, { ...result, whole: "more" }, result], {
    life: 2,
    end: 70,
  });
  const { items, outputs } = toKept(heard);
  expect(items.map((item) => ("output" in item ? item.output : item.is))).toEqual([
    "message",
    "own-2-70-1",
    "own-2-70-2",
    null,
  ]);
  expect(JSON.stringify(items)).not.toContain("whole");
  expect(await keepHeard(artifacts, items, outputs)).toEqual(items);
  expect(await artifacts.list()).toEqual([
    { name: "own-2-70-1", bytes: 3 },
    { name: "own-2-70-2", bytes: 4 },
  ]);
  expect(String((await artifacts.read("own-2-70-1", 0, 100))?.bytes)).toBe("all");
  // No run can publish something under the name.
  expect(["own-2-70", "own-2-70-1", "own-report"].map(isArtifactName)).toEqual([false, false, true]);
});

test("[RN46] what the disk would not take is not named, and its beginning and end are recorded all the same", async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "own"), "in the way");
  const { items, outputs } = toKept(withNames([{ ...result, whole: "all" }], { life: 1, end: 7 }));
  expect(await keepHeard(new Artifacts(folder), items, outputs)).toEqual([result]);
  // Nor what the run has no room for.
  expect(await keepHeard(new Artifacts(makeTempFolder(), 10), items, outputs)).toEqual([result]);
});
