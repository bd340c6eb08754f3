// Where tests put what they throw away. Most of them wait for a disk to confirm what nobody will ever read again, so they get
// a folder in memory where the machine has one with room. What is said of disks is tested on disks: power cuts have an image
// of their own, and the bench takes no part in this.

import fs from "node:fs";
import path from "node:path";

/** Room for more than all tests together leave at a time. */
const usual = { inMemory: "/dev/shm", freeBytesMin: 6 * 1024 ** 3 };

/** A folder for a run of the tests, and what removes it; undefined where the usual one is as good. */
export function makeTestGround(
  env: NodeJS.ProcessEnv,
  where = usual,
): { folder: string; cache: string; remove: () => void } | undefined {
  // Whoever names a folder means it.
  if (env["TMPDIR"] !== undefined || !hasRoom(where)) return undefined;
  // Short: the path of a socket has room for 107 bytes. Tests act for several users, who all have to get in.
  const folder = fs.mkdtempSync(path.join(where.inMemory, "t-"));
  const cache = path.join(folder, "cache");
  fs.mkdirSync(cache);
  for (const each of [folder, cache]) fs.chmodSync(each, 0o1777);
  return { folder, cache, remove: () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

function hasRoom({ inMemory, freeBytesMin }: typeof usual): boolean {
  try {
    fs.accessSync(inMemory, fs.constants.W_OK);
    const { bavail, bsize } = fs.statfsSync(inMemory);
    return bavail * bsize >= freeBytesMin;
  } catch {
    return false;
  }
}
