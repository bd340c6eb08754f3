import { spawn } from "node:child_process";
import { closeSync, fsyncSync, openSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { identify } from "../supervisor/process-identity.ts";
import { readCommand, readProcess } from "./process-usage.ts";

test("[AU32] what a process has written to a disk is read, and of one that is not there nothing", () => {
  const me = identify(process.pid);
  if (me === undefined) throw new Error("this process is here");
  const file = join(makeTempFolder(), "large");
  const before = readProcess(me)?.writtenBytes ?? 0;
  const handle = openSync(file, "w");
  writeSync(handle, Buffer.alloc(3_000_000, "x"));
  fsyncSync(handle);
  closeSync(handle);
  // What goes to memory the kernel counts for nobody.
  const isInMemory = statfsSync(file).type === 0x0102_1994;
  expect((readProcess(me)?.writtenBytes ?? 0) - before).toBeGreaterThanOrEqual(isInMemory ? 0 : 3_000_000);
  expect(readProcess({ pid: 2 ** 22 + 1, startTicks: "1" })).toBeUndefined();
});

test("[AU30] what waits to be told what to become is said to start, and not how that is done", async () => {
  const commandOf = async (script: string): Promise<string> => {
    const child = spawn("sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    return readCommand({ pid: child.pid ?? 0, name: "sh" });
  };
  expect(await commandOf('read -r _signalbox_line || exit 125; eval "$_signalbox_line"')).toBe("(starting)");
  expect(await commandOf("read -r other; :")).toBe("sh -c read -r other; :");
});
