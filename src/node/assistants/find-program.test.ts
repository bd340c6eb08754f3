import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { trialBegin } from "../trial-folder.ts";
import { compareVersions, findProgram, versionOf } from "./find-program.ts";

test("a program is found as a shell would, and shown with the packages around it", async () => {
  const folder = makeTempFolder();
  const [first, packages] = [join(folder, "first"), join(folder, "lib/node_modules")];
  const bin = join(packages, "talker/bin");
  await mkdir(join(first, "talker"), { recursive: true });
  await mkdir(bin, { recursive: true });
  await mkdir(join(folder, "second"));
  await writeFile(join(bin, "talker.sh"), "#!/bin/sh\necho 'talker version 2.10.3 (blue)'\n");
  await chmod(join(bin, "talker.sh"), 0o755);
  await symlink(join(bin, "talker.sh"), join(folder, "second/talker"));
  const found = await findProgram("talker", [first, join(folder, "second")]);
  expect(found).toEqual({ file: join(bin, "talker.sh"), folder: packages });
  expect(await versionOf(found?.file ?? "", folder)).toBe("2.10.3");
  expect(await findProgram("talker", [first])).toBeUndefined();
  expect(await versionOf("/bin/false", folder)).toBeNull();
});

test("[AU12] a program that is asked for its version has an empty home below the ground for that", async () => {
  const folder = makeTempFolder();
  const file = join(folder, "talker.sh");
  await writeFile(file, '#!/bin/sh\nls -a "$HOME" > "$0.saw"; echo "$HOME" >> "$0.saw"; echo 1.2.3\n');
  await chmod(file, 0o755);
  expect(await versionOf(file, folder)).toBe("1.2.3");
  const saw = (await readFile(`${file}.saw`, "utf8")).trim().split("\n");
  expect(saw).toEqual([".", "..", expect.stringContaining(`${folder}/${trialBegin}`)]);
  expect((await readdir(folder)).toSorted()).toEqual(["talker.sh", "talker.sh.saw"]);
});

test.each([
  ["2.9.0", "2.10.0", -1],
  ["2.1", "2.1.0", 0],
  ["3.0.0", "2.99.99", 1],
])("versions are compared number by number: %s and %s", (one, other, result) => {
  expect(compareVersions(one, other)).toBe(result);
});
