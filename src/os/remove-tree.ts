// Takes a folder away with everything in it, whoever has written that: folders that are closed, as those of a cache of modules are,
// folders in folders without end, for which no path is long enough, and names that are no text. Nobody may still be writing there; no link is followed.

import { randomUUID } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { chmod, type FileHandle, open, opendir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { isErrno } from "./errno.ts";

/** To have a folder open that may not be read. Node has no name for it. */
const openPath = 0o10000000;
const flags = openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Folders that lie deeper are taken to the top first: each that is open takes a file of ours. */
const depthMax = 32;
const namesAtOnce = 256;
/** A character for each byte: in another one a name that is no text would name nothing, and be found again for ever. */
const bytesAsText = "latin1";

export async function removeTree(path: string): Promise<void> {
  try {
    // The fastest by far, and mostly enough.
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM", "ENAMETOOLONG")) throw error;
    await removeClosed(path).catch(passGone);
  }
}

async function removeClosed(path: string): Promise<void> {
  const top = await openFolder(path);
  try {
    await empty(top, top, 0);
  } finally {
    await top.close();
  }
  await rmdir(path);
}

/** What was begun before it failed goes on for a moment, and takes away what we find. */
function passGone(error: unknown): void {
  if (!isErrno(error, "ENOENT")) throw error;
}

async function empty(folder: FileHandle, top: FileHandle, depth: number): Promise<void> {
  for (let entries = await someIn(folder); entries.length > 0; entries = await someIn(folder)) {
    const folders = entries.filter((each) => each.isDirectory());
    const others = entries.filter((each) => !each.isDirectory());
    await Promise.all(others.map(({ name }) => unlink(within(folder, name)).catch(passGone)));
    for (const { name } of folders) await take(within(folder, name), top, depth).catch(passGone);
  }
}

async function take(path: Buffer, top: FileHandle, depth: number): Promise<void> {
  const folder = await openFolder(path);
  try {
    if (depth < depthMax) await empty(folder, top, depth + 1);
  } finally {
    await folder.close();
  }
  if (depth < depthMax) await rmdir(path);
  else await rename(path, within(top, `deep-${randomUUID()}`));
}

/** Its owner may do with it what they like from then on. */
async function openFolder(path: string | Buffer): Promise<FileHandle> {
  const folder = await open(path, flags);
  try {
    await chmod(pathOf(folder), 0o700);
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

async function someIn(folder: FileHandle): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(pathOf(folder), { encoding: bytesAsText }))
      if (entries.push(entry) === namesAtOnce) break;
  } catch (error) {
    passGone(error);
  }
  return entries;
}

function within(folder: FileHandle, name: string): Buffer {
  return Buffer.from(`${pathOf(folder)}/${name}`, bytesAsText);
}

/** By what is open, however long the way there is. */
function pathOf({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}
