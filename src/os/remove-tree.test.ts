import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whos } from "../../test/support/keeper-rig.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { removeTree } from "./remove-tree.ts";

test("a folder goes with everything in it, and one that is not there is gone", async () => {
  const base = makeTempFolder();
  mkdirSync(join(base, "tree/a/b"), { recursive: true });
  writeFileSync(join(base, "tree/a/b/file"), "x");
  await removeTree(join(base, "tree"));
  await removeTree(join(base, "tree"));
  expect(readdirSync(base)).toEqual([]);
});

test("folders in folders go for which no path is long enough, and nothing that a link in them leads to", async () => {
  const base = makeTempFolder();
  const [tree, other] = [join(base, "tree"), join(base, "other")];
  for (const folder of [tree, other]) mkdirSync(folder);
  writeFileSync(join(other, "stays"), "x");
  // From the inside out: from the outside in nobody gets there.
  for (let depth = 0; depth < 100; depth++) {
    writeFileSync(join(tree, "file"), "x");
    symlinkSync(other, join(tree, "link"));
    renameSync(tree, join(base, "inner"));
    mkdirSync(tree);
    renameSync(join(base, "inner"), join(tree, "d".repeat(100)));
  }
  await removeTree(tree);
  expect([readdirSync(base), readdirSync(other)]).toEqual([["other"], ["stays"]]);
});

test.skipIf(!whos.includes("user"))("an ordinary user's folders go that are closed to themselves", () => {
  const base = makeTempFolder();
  const closed = ["tree/mod/example.com", "tree/mod", "tree/shut"];
  mkdirSync(join(base, "tree/mod/example.com"), { recursive: true });
  mkdirSync(join(base, "tree/shut/inner"), { recursive: true });
  for (const name of ["tree/mod/example.com/go.mod", "tree/mod/list", "tree/shut/inner/file"])
    writeFileSync(join(base, name), "x");
  // What is taken away beside them at the same time is in nobody's way.
  for (let at = 0; at < 300; at++) mkdirSync(join(base, `tree/open/${at}/inner`), { recursive: true });
  const isRoot = process.getuid?.() === 0;
  if (isRoot)
    for (const name of ["", ...(readdirSync(base, { recursive: true }) as string[])]) giveAway(join(base, name));
  for (const name of closed) chmodSync(join(base, name), name === "tree/shut" ? 0o000 : 0o555);
  const program = `import { removeTree } from ${JSON.stringify(join(import.meta.dirname, "remove-tree.ts"))};
    await removeTree(${JSON.stringify(join(base, "tree"))});`;
  const asNobody = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"];
  const [file, ...args] = [...asNobody, process.execPath, "--input-type=module", "--eval", program];
  execFileSync(file, args, { cwd: "/" });
  expect(readdirSync(base)).toEqual([]);
});

test("what has a name that is no text goes like anything else", async () => {
  const base = makeTempFolder();
  const tree = Buffer.from(join(base, "tree"));
  const inner = Buffer.from(join(base, "inner"));
  mkdirSync(tree);
  const name = Buffer.concat([Buffer.from("d".repeat(100)), Buffer.from([0xff])]);
  const inTree = (what: Buffer): Buffer => Buffer.concat([tree, Buffer.from("/"), what]);
  for (let depth = 0; depth < 60; depth++) {
    writeFileSync(inTree(Buffer.from([0xfe])), "x");
    renameSync(tree, inner);
    mkdirSync(tree);
    renameSync(inner, inTree(name));
  }
  await removeTree(join(base, "tree"));
  expect(readdirSync(base)).toEqual([]);
});

function giveAway(path: string): void {
  chownSync(path, 65534, 65534);
}
