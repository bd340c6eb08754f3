import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { readIfThere, swapDurably, writeDurably, writeSynced } from "./durable-file.ts";

const large = "x".repeat(200_000);

test.each(["short", large])(
  "a file is put in the place of another, and nothing of it is left beside it",
  async (text) => {
    const folder = makeTempFolder();
    const file = join(folder, "made", "on", "the-way");
    await swapDurably(file, "before");
    await swapDurably(file, text, `${file}.mine`);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(join(folder, "made", "on"))).toEqual(["the-way"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  },
);

test("one that cannot be put there leaves what was there, and nothing beside it", async () => {
  const folder = makeTempFolder();
  mkdirSync(join(folder, "taken", "by-a-folder"), { recursive: true });
  await expect(swapDurably(join(folder, "taken"), "text")).rejects.toMatchObject({ code: "EISDIR" });
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("what must be new is written once, and what need not be each time", async () => {
  const file = join(makeTempFolder(), "mark");
  expect(await readIfThere(file)).toBeNull();
  expect(await writeDurably(file, "one", "create")).toBe(true);
  expect(await writeDurably(file, "two", "create")).toBe(false);
  expect(await readIfThere(file)).toBe("one");
  expect(await writeDurably(file, large, "replace")).toBe(true);
  expect(await readIfThere(file)).toBe(large);
  await expect(writeSynced(file, "three", 0o600)).rejects.toMatchObject({ code: "EEXIST" });
});
