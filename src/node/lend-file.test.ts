import { existsSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { lendFile } from "./lend-file.ts";

const modeOf = (file: string): number => statSync(file).mode & 0o777;

test("what is lent can be read by all; what somebody puts in its place meanwhile stays as it was", async () => {
  const folder = makeTempFolder();
  const [file, aside, ours] = [join(folder, "lent"), join(folder, "aside"), join(folder, "ours")];
  writeFileSync(ours, "secret", { mode: 0o600 });
  // Large enough that somebody comes between.
  const lending = lendFile(file, Buffer.alloc(32 * 1024 * 1024));
  while (!existsSync(file)) await setImmediate();
  renameSync(file, aside);
  symlinkSync(ours, file);
  await lending;
  expect([modeOf(aside), modeOf(ours)]).toEqual([0o644, 0o600]);
  await expect(lendFile(file, "again")).rejects.toThrow(/EEXIST/);
});
