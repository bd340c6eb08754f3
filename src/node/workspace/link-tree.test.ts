import { chmodSync, mkdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { linkTree } from "./link-tree.ts";

const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

test("[LD45] a folder stands in another place as it did, whatever becomes of it, and takes no room there", async () => {
  const root = makeTempFolder();
  mkdirSync(join(root, "web/modules/.bin"), { recursive: true });
  writeFileSync(join(root, "web/modules/a"), "a", { mode: 0o755 });
  symlinkSync("../a", join(root, "web/modules/.bin/a"));
  chmodSync(join(root, "web/modules/.bin"), 0o555);
  const to = join(makeTempFolder(), "files/web/modules");
  expect(await linkTree({ root, way: "web/modules" }, to, owner)).toBe(true);
  expect((await readdir(to, { recursive: true })).toSorted()).toEqual([".bin", ".bin/a", "a"]);
  expect(readlinkSync(join(to, ".bin/a"))).toBe("../a");
  expect(statSync(join(to, ".bin")).mode & 0o777).toBe(0o555);
  expect(statSync(join(to, "a")).ino).toBe(statSync(join(root, "web/modules/a")).ino);
});

test("[LD45] nothing leads out of it: a link in the place of a folder is none, on the way or in it", async () => {
  const [root, outside, to] = [makeTempFolder(), makeTempFolder(), makeTempFolder()];
  writeFileSync(join(outside, "secret"), "s");
  symlinkSync(outside, join(root, "web"));
  mkdirSync(join(root, "modules"));
  symlinkSync(outside, join(root, "modules/out"));
  for (const way of ["web", "web/modules", "none", "modules/out"]) {
    const isThere = await linkTree({ root, way }, join(to, "none"), owner);
    expect([way, isThere]).toEqual([way, false]);
  }
  expect(await linkTree({ root, way: "modules" }, join(to, "files"), owner)).toBe(true);
  expect(readlinkSync(join(to, "files/out"))).toBe(outside);
});
