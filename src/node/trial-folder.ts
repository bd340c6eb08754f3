// A folder for what is tried and goes again. It lies below the ground of a home, so that an audit finds it where whoever made it was killed in
// the middle: a folder in the machine's own temporary one would have no owner that anybody could prove.

import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../os/remove-tree.ts";
import { identify, isAlive, type ProcessIdentity } from "./supervisor/process-identity.ts";

export const trialBegin = "probe-";
const makerName = "maker";

/** Makes a folder in the first of the places that takes one, and takes it away when what is done there is over. */
export async function inTrialFolder<T>(places: readonly string[], act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeIn(places);
  try {
    return await act(folder);
  } finally {
    await removeTree(folder);
  }
}

/** Whether the process that made a folder is still at it: the doctor of the command line is none of the daemon. */
export async function isStillTried(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, makerName), "utf8").catch(() => "");
  const maker = parseMaker(text);
  return maker !== undefined && isAlive(maker);
}

async function makeIn([place = "", ...others]: readonly string[]): Promise<string> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(place, trialBegin));
    await writeFile(join(folder, makerName), JSON.stringify(identify(process.pid)), { mode: 0o600 });
    return folder;
  } catch (error) {
    if (folder !== undefined) await removeTree(folder).catch(() => undefined);
    if (others.length === 0) throw error;
    return makeIn(others);
  }
}

function parseMaker(text: string): ProcessIdentity | undefined {
  try {
    const { pid, startTicks, place } = JSON.parse(text) as ProcessIdentity;
    return Number.isInteger(pid) ? { pid, startTicks, place } : undefined;
  } catch {
    return undefined;
  }
}
