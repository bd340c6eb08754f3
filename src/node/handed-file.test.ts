import { execFileSync } from "node:child_process";
import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../test/support/expect-fault.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { pathOfOpen, readHanded, readHandedSync, withHanded } from "./handed-file.ts";

const bytesMax = 100;

/** A keeper's folder beside a file that is none of its business. */
function place(): { folder: string; file: string; secret: string } {
  const above = makeTempFolder();
  const folder = join(above, "k1");
  mkdirSync(folder);
  const secret = join(above, "secret");
  writeFileSync(secret, "secret");
  return { folder, file: join(folder, "answer"), secret };
}

async function expectRefused(handed: Parameters<typeof readHanded>[0], why: string): Promise<void> {
  await expectFault(readHanded(handed), "not-a-file", why);
  expect(() => readHandedSync(handed)).toThrow(why);
}

describe("[EN52] a file that a keeper hands over", () => {
  test("is read, and by its open file also when its name has gone to another", async () => {
    const { folder, file, secret } = place();
    writeFileSync(file, "answer");
    const handed = { file, folder, bytesMax };
    expect((await readHanded(handed)).toString()).toBe("answer");
    expect(readHandedSync(handed).toString()).toBe("answer");
    await withHanded(handed, async (open) => {
      renameSync(secret, file);
      expect(readFileSync(pathOfOpen(open), "utf8")).toBe("answer");
    });
  });

  test("is not followed where it is a link", async () => {
    const { folder, file, secret } = place();
    symlinkSync(secret, file);
    await expectRefused({ file, folder, bytesMax }, "no plain file");
  });

  test("is not waited for where it is a pipe that nobody writes to", async () => {
    const { folder, file } = place();
    execFileSync("mkfifo", [file]);
    await expectRefused({ file, folder, bytesMax }, "no plain file");
  });

  test("is not looked for elsewhere, also by the way of its folder", async () => {
    const { folder, secret } = place();
    await expectRefused({ file: secret, folder, bytesMax }, "elsewhere");
    await expectRefused({ file: join(folder, "../secret"), folder, bytesMax }, "elsewhere");
    await expectRefused({ file: join(folder, "loans/a"), folder, bytesMax }, "elsewhere");
  });

  test.runIf(process.getuid?.() === 0)("has to be the keeper's, also where a folder on the way is a link", async () => {
    const { folder, file, secret } = place();
    const agent = 54_321;
    chownSync(folder, agent, agent);
    renameSync(secret, file);
    await expectRefused({ file, folder, bytesMax }, "somebody else");
    const other = makeTempFolder();
    closeSync(openSync(join(other, "a"), "w"));
    symlinkSync(other, join(folder, "loans"));
    await expectRefused({ file: join(folder, "loans/a"), folder, under: "loans", bytesMax }, "somebody else");
    chownSync(file, agent, agent);
    expect((await readHanded({ file, folder, bytesMax })).toString()).toBe("secret");
  });

  test("has no more than was to come", async () => {
    const { folder, file } = place();
    writeFileSync(file, "x".repeat(bytesMax + 1));
    await expectRefused({ file, folder, bytesMax }, "at most 100");
  });
});
