import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectFault } from "../../test/support/expect-fault.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { prepareHome } from "./home.ts";

test("a home is made with everything above it, for its owner alone; agents of root walk through it, and see nothing", async () => {
  const home = join(makeTempFolder(), "a/b");
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const paths = await prepareHome(home);
  expect(statSync(home).mode & 0o777).toBe(mode);
  expect(existsSync(paths.blobs)).toBe(true);
  chmodSync(home, 0o755);
  await prepareHome(home);
  expect(statSync(home).mode & 0o777).toBe(mode);
});

test("where none can be made, that is said at once", async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "home"));
  writeFileSync(join(folder, "home/blobs"), "");
  // Nothing can be made in /proc, though it is there.
  for (const home of ["/proc/none/home", join(folder, "file"), join(folder, "file/home"), join(folder, "home")])
    await expectFault(prepareHome(home), "home-unusable", "cannot be used");
});
