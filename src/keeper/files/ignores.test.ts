import { fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ignores } from "./ignores.ts";
import type { Tree } from "./tree.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "sb-ignores-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** In which the root alone has an ignore file; it grows by something after it was measured. */
function treeWith(rules: string, grown = ""): Pick<Tree, "standingAt"> {
  const path = join(folder, "rules");
  return {
    standingAt: (asked) => {
      if (asked !== ".gitignore") return { kind: "nothing" };
      writeFileSync(path, rules);
      const fd = openSync(path, "r");
      const stat = fstatSync(fd, { bigint: true });
      writeFileSync(path, grown, { flag: "a" });
      return { kind: "file", fd, stat };
    },
  };
}

test("[LD61] all names of one look together take bounded steps, and after that none is ignored", () => {
  const ignores = new Ignores(treeWith("*.log\n"), { stepsMax: 1000 });
  const names = Array.from({ length: 1000 }, (_, at) => `${at}.log`);
  const ignored = names.map((name) => ignores.covers([name], false));
  expect(ignored[0]).toBe(true);
  expect(ignored.at(-1)).toBe(false);
  expect(ignored.lastIndexOf(true)).toBe(ignored.indexOf(false) - 1);
});

test("[LD61] of an ignore file that grows while it is read, no more is read than was counted", () => {
  const ignores = new Ignores(treeWith("*.log\n", "*.txt\n"));
  expect(ignores.covers(["a.log"], false)).toBe(true);
  expect(ignores.covers(["a.txt"], false)).toBe(false);
});
