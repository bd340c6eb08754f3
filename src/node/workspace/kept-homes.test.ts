import { mkdir, readdir, readFile, rename, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { removeTree } from "../../os/remove-tree.ts";
import { KeptHomes } from "./kept-homes.ts";

const own = ".claude-of-signalbox";

async function homeWith(text: string): Promise<string> {
  const home = makeTempFolder();
  await mkdir(join(home, own));
  await writeFile(join(home, own, "session"), text);
  await writeFile(join(home, ".bash_history"), "ls\n");
  return home;
}

test("what is a program's own is kept and given back, and nothing else", async () => {
  const homes = new KeptHomes(join(makeTempFolder(), "homes"));
  const home = await homeWith("said");
  await homes.keep("r_1", home);
  expect(await readdir(home)).toEqual([".bash_history"]);
  const fresh = makeTempFolder();
  await homes.giveBack("r_2", fresh);
  expect(await readdir(fresh)).toEqual([]);
  await homes.giveBack("r_1", fresh);
  expect(await readFile(join(fresh, own, "session"), "utf8")).toBe("said");
  expect(await homes.list()).toEqual([]);
});

test("what is too large, or no folder, is not kept; and what is forgotten is gone", async () => {
  const homes = new KeptHomes(join(makeTempFolder(), "homes"));
  const large = await homeWith("said");
  await truncate(join(large, own, "session"), 64 * 1024 * 1024);
  await homes.keep("r_1", large);
  const linked = makeTempFolder();
  await symlink(large, join(linked, own));
  await homes.keep("r_2", linked);
  const deep = await homeWith("said");
  for (let depth = 0; depth < 50; depth++) {
    await mkdir(join(deep, "outer"));
    await rename(join(deep, own), join(deep, "outer", "d".repeat(100)));
    await rename(join(deep, "outer"), join(deep, own));
  }
  await homes.keep("r_3", deep);
  await removeTree(join(deep, own));
  expect(await homes.list()).toEqual([]);
  await homes.keep("r_3", await homeWith("said"));
  await homes.keep("r_4", await homeWith("said"));
  await homes.forget("r_3");
  expect(await homes.list()).toEqual(["r_4"]);
  await homes.prune();
  expect(await homes.list()).toEqual([]);
});
