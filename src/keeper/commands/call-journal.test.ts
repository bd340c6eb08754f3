import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { CallJournal } from "./call-journal.ts";

const end = { exit: 0, signal: null, why: "ended", outputBytes: 0, leftOutBytes: 0, tail: "" } as const;

test("[EN27] an end that was cut short is none, wherever it was cut, and may be written again", async () => {
  const journal = new CallJournal(makeTempFolder());
  await journal.begin("c1", { mark: "m", caged: true, list: undefined });
  await journal.end("c1", end);
  expect(journal.readEnd("c1")).toEqual(end);
  const file = join(journal.folderOf("c1"), "exit");
  const whole = readFileSync(file, "utf8");
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(file, whole.slice(0, length));
    expect(journal.readEnd("c1")).toBeUndefined();
  }
  // The name was on the disk before the bytes were.
  writeFileSync(file, Buffer.alloc(whole.length));
  expect(journal.readEnd("c1")).toBeUndefined();
  expect(await journal.lose("c1")).toMatchObject({ exit: "unknown", why: "lost" });
  expect(journal.readEnd("c1")).toMatchObject({ exit: "unknown" });
});
