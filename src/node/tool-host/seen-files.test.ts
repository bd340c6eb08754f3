import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { SeenFiles } from "./seen-files.ts";

test("[LD13] what a run saw last counts, also for the daemon after this one, and half a line says nothing", () => {
  const file = join(makeTempFolder(), "7", "seen");
  const first = new SeenFiles(file);
  expect(first.sightOf("a", "100644:1")).toBe("never");
  first.note([
    { path: "a", entry: "100644:1" },
    { path: "gone", entry: null },
  ]);
  first.note([{ path: "a", entry: "100644:2" }]);
  appendFileSync(file, '["b","100');
  for (const seen of [first, new SeenFiles(file)]) {
    expect(["100644:1", "100644:2"].map((entry) => seen.sightOf("a", entry))).toEqual(["other", "this"]);
    expect([seen.sightOf("gone", null), seen.sightOf("b", null)]).toEqual(["this", "never"]);
  }
});

test("[LD13] where it cannot be written down, this daemon knows it all the same", () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "7"), "in the way");
  const seen = new SeenFiles(join(folder, "7", "seen"));
  seen.note([{ path: "a", entry: "100644:1" }]);
  expect(seen.sightOf("a", "100644:1")).toBe("this");
});
