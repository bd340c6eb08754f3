import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTestGround } from "./test-ground.ts";

test("whoever names a folder for temporary files gets that one", () => {
  expect(makeTestGround({ TMPDIR: "/somewhere" })).toBeUndefined();
});

test("a folder in memory is for everybody who acts in a test, and gone with all that is in it", () => {
  const ground = makeTestGround({});
  // A machine without room in memory uses its disk.
  if (ground === undefined) return expect(existsSync("/dev/shm") && statSync("/dev/shm").isFile()).toBe(false);
  expect(statSync(ground.folder).mode & 0o7777).toBe(0o1777);
  writeFileSync(join(ground.folder, "left"), "");
  ground.remove();
  expect(existsSync(ground.folder)).toBe(false);
});
