import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { SocketProjectLock } from "./socket-project-lock.ts";

function lock(home: string): SocketProjectLock {
  const made = new SocketProjectLock({ pid: 4711, home });
  onTestFinished(() => made.close());
  return made;
}

test("[EN34] a project belongs to one daemon at a time, and the other is told to whom", async () => {
  const [mine, yours, root] = [lock("/home/a"), lock("/home/b"), makeTempFolder()];
  await mine.take(root);
  await mine.take(root);
  await expectFault(yours.take(root), "project-in-use", "(process 4711, home /home/a)");
  await yours.take(makeTempFolder());
  await mine.giveBack(root);
  await yours.take(root);
  await expectFault(mine.take(root), "project-in-use", "home /home/b");
});

test("[EN34] a folder is the same one under every path that leads to it", async () => {
  const [mine, yours, folder] = [lock("/home/a"), lock("/home/b"), makeTempFolder()];
  mkdirSync(join(folder, "root"));
  symlinkSync("root", join(folder, "link"));
  await mine.take(join(folder, "root"));
  await expectFault(yours.take(join(folder, "link")), "project-in-use");
  await expectFault(yours.take(join(folder, "link/../root/.")), "project-in-use");
});

test("[EN34] what was moved away meanwhile can still be given back", async () => {
  const [mine, yours, folder] = [lock("/home/a"), lock("/home/b"), makeTempFolder()];
  const [root, moved] = [join(folder, "root"), join(folder, "moved")];
  mkdirSync(root);
  await mine.take(root);
  renameSync(root, moved);
  await expectFault(yours.take(moved), "project-in-use");
  await mine.giveBack(root);
  await yours.take(moved);
  await expect(mine.giveBack(root)).resolves.toBeUndefined();
});

test("[EN34] a folder with the number of one of ours that is gone is not another daemon's", async () => {
  const [mine, yours, folder] = [lock("/home/a"), lock("/home/b"), makeTempFolder()];
  const [root, next] = [join(folder, "root"), join(folder, "next")];
  mkdirSync(root);
  await mine.take(root);
  // As when it was removed, and the file system gave its number to the next one.
  renameSync(root, next);
  await mine.take(next);
  await expectFault(yours.take(next), "project-in-use", "home /home/a");
  await mine.giveBack(root);
  await expectFault(yours.take(next), "project-in-use", "home /home/a");
  await mine.giveBack(next);
  await yours.take(next);
});

test("[EN34] closing gives everything back", async () => {
  const [mine, yours] = [lock("/home/a"), lock("/home/b")];
  const roots = [makeTempFolder(), makeTempFolder()];
  for (const root of roots) await mine.take(root);
  await mine.close();
  for (const root of roots) await expect(yours.take(root)).resolves.toBeUndefined();
});

test("[EN34] it goes with its process, also after kill -9", async () => {
  const [mine, root] = [lock("/home/a"), makeTempFolder()];
  const program = fileURLToPath(new URL("../../../test/support/lock-child.ts", import.meta.url));
  const child = spawn(process.execPath, [program, root], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  await expectFault(mine.take(root), "project-in-use", `process ${child.pid}, home /home/of/the/other`);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect(mine.take(root)).resolves.toBeUndefined();
});
