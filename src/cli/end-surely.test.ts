import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../test/support/temp-folder.ts";

/** A process that ends surely, and has this to do besides. */
async function ended(besides: string): Promise<{ stdout: string; stderr: string }> {
  const file = join(import.meta.dirname, "end-surely.ts");
  const text = `import net from "node:net"; import { endSurely } from ${JSON.stringify(file)}; ${besides}; endSurely();`;
  return promisify(execFile)(process.execPath, ["--input-type=module", "-e", text]);
}

test("[EN39] a process that is done ends, also where a listener was forgotten, which it names", async () => {
  const socket = join(makeTempFolder(), "s");
  const { stderr } = await ended(`net.createServer().listen(${JSON.stringify(socket)})`);
  expect(stderr).toContain("this was left: ");
  expect(stderr).toContain(socket);
});

test("[EN39] a process that has forgotten nothing ends without a word", async () => {
  expect(await ended("")).toEqual({ stdout: "", stderr: "" });
});
