import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { FileSecretStore } from "./file-secret-store.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sbs-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (): FileSecretStore =>
  new FileSecretStore({ file: `${folder}/secrets.json`, keyFile: `${folder}/secrets.key`, wallMs: () => 42 });

test("[BG17] a value comes back, also after a restart, and is nowhere in the files", async () => {
  await open().set("KEY", "canary-value");
  await open().set("OTHER", "töken\nwith lines");
  expect([await open().get("KEY"), await open().get("OTHER"), await open().get("NONE")]).toEqual([
    "canary-value",
    "töken\nwith lines",
    null,
  ]);
  expect(await open().values()).toEqual(["canary-value", "töken\nwith lines"]);
  expect(await open().list()).toEqual([
    { name: "KEY", setAtMs: 42 },
    { name: "OTHER", setAtMs: 42 },
  ]);
  for (const name of await readdir(folder)) {
    const bytes = await readFile(path.join(folder, name));
    expect(bytes.includes("canary")).toBe(false);
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
  }
  expect(await readdir(folder)).toHaveLength(2);
});

test("[BG17] the same value never looks the same, and a later one replaces it", async () => {
  const store = open();
  await store.set("KEY", "value-one");
  const first = await readFile(`${folder}/secrets.json`, "utf8");
  await store.set("KEY", "value-one");
  expect(await readFile(`${folder}/secrets.json`, "utf8")).not.toBe(first);
  await Promise.all([store.set("KEY", "value-two"), store.set("B", "value-b"), store.set("C", "value-c")]);
  expect([await store.get("KEY"), (await store.list()).length]).toEqual(["value-two", 3]);
  expect([await store.remove("KEY"), await store.remove("KEY"), await store.get("KEY")]).toEqual([true, false, null]);
});

test("[BG17] a value under another name, a changed one, or one without its key is refused", async () => {
  const store = open();
  await store.set("A", "value-of-a");
  await store.set("B", "value-of-b");
  const text = await readFile(`${folder}/secrets.json`, "utf8");
  await writeFile(`${folder}/secrets.json`, text.replace('"A"', '"X"'));
  await expectFault(store.get("X"), "secret-damaged");
  await writeFile(`${folder}/secrets.json`, "not json");
  await expectFault(store.list(), "secret-damaged");
  await writeFile(`${folder}/secrets.json`, text);
  await rm(`${folder}/secrets.key`);
  await expectFault(store.get("A"), "secret-damaged");
  await expectFault(store.set("C", "value-of-c"), "secret-damaged");
  await writeFile(`${folder}/secrets.key`, Buffer.alloc(32));
  await expectFault(store.get("A"), "secret-damaged");
});
