import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Tree, unavailable } from "./tree.ts";
import { Watches } from "./watches.ts";

function rig(): { watches: Watches; write: (path: string) => void; root: string } {
  const root = makeTempFolder();
  for (const folder of ["src/deep", "node_modules/x", "other"]) mkdirSync(join(root, folder), { recursive: true });
  const watches = new Watches(new Tree(root));
  onTestFinished(() => watches.close());
  return { watches, root, write: (path) => writeFileSync(join(root, path), String(Math.random())) };
}

test("[SV40, SV41] what changes together is told once, and what nobody meant is not", async () => {
  const { watches, write } = rig();
  const heard = watches.next("web", ["src/**", "*.json"], null);
  for (const path of ["other/a.ts", "node_modules/x/a.ts", "src/a.ts", "src/deep/b.ts", "package.json", "read.me"])
    write(path);
  const { paths, count, seen } = await heard;
  expect(paths.toSorted()).toEqual(["package.json", "src/a.ts", "src/deep/b.ts"]);
  expect(count).toBe(3);
  // Nobody has said that they heard it.
  expect(await watches.next("web", ["src/**", "*.json"], null)).toMatchObject({ count: 3 });
  const next = watches.next("web", ["src/**", "*.json"], seen);
  write("src/c.ts");
  expect(await next).toMatchObject({ paths: ["src/c.ts"] });
});

test("[SV40] folders that come later are watched, and those that go are told", async () => {
  const { watches, write, root } = rig();
  const globs = ["lib/**/*.ts", "src/deep/*"];
  const first = watches.next("web", globs, null);
  mkdirSync(join(root, "lib/new"), { recursive: true });
  write("lib/new/a.ts");
  const { paths, seen } = await first;
  expect(paths).toEqual(["lib/new/a.ts"]);
  const second = watches.next("web", globs, seen);
  renameSync(join(root, "lib/new"), join(root, "lib/old"));
  const moved = await second;
  expect(moved.paths).toContain("lib/old/a.ts");
  const third = watches.next("web", globs, moved.seen);
  write("src/deep/b");
  const made = await third;
  expect(made.paths).toEqual(["src/deep/b"]);
  const fourth = watches.next("web", globs, made.seen);
  rmSync(join(root, "src/deep/b"));
  expect((await fourth).paths).toEqual(["src/deep/b"]);
});

test("[SV40] what is in node_modules is watched where a glob names it", async () => {
  const { watches, write } = rig();
  const heard = watches.next("web", ["node_modules/x/*.ts"], null);
  write("node_modules/x/a.ts");
  expect((await heard).paths).toEqual(["node_modules/x/a.ts"]);
});

test("[SV40] a folder that cannot be opened is passed over, and everything else is heard", async () => {
  const { root, write } = rig();
  class Shut extends Tree {
    override openFolder(...[names, options]: Parameters<Tree["openFolder"]>): number | undefined {
      if (names.at(-1) === "shut") throw unavailable(new Error("EACCES: permission denied"));
      return super.openFolder(names, options);
    }
  }
  const watches = new Watches(new Shut(root));
  onTestFinished(() => watches.close());
  mkdirSync(join(root, "src/shut"));
  const first = watches.next("web", ["src/**/*.ts"], null);
  mkdirSync(join(root, "src/deep/shut"));
  write("src/shut/a.ts");
  write("src/b.ts");
  expect((await first).paths).toEqual(["src/b.ts"]);
});
