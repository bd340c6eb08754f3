import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, expect, test } from "vitest";
import { makeTempFolder } from "../test/support/temp-folder.ts";
import { makeTestGround } from "./test-ground.ts";

test("whoever names a folder for temporary files gets that one", () => {
  expect(makeTestGround({ TMPDIR: "/somewhere" })).toBeUndefined();
});

test("it is for everybody who acts in a test, and gone with all that is in it", () => {
  const ground = makeTestGround({}, { inMemory: makeTempFolder(), freeBytesMin: 0 });
  assert(ground !== undefined);
  expect(statSync(ground.folder).mode & 0o7777).toBe(0o1777);
  writeFileSync(join(ground.folder, "left"), "");
  ground.remove();
  expect(existsSync(ground.folder)).toBe(false);
});

test("a machine without room in memory uses its disk", () => {
  expect(makeTestGround({}, { inMemory: makeTempFolder(), freeBytesMin: Number.MAX_SAFE_INTEGER })).toBeUndefined();
  expect(makeTestGround({}, { inMemory: join(makeTempFolder(), "none"), freeBytesMin: 0 })).toBeUndefined();
});
