// Files that have to be there after a power cut. A file is durable only once its bytes are, and its name in its folder, and the name of
// that. Only the disk is waited for: what merely goes to memory is done at once, for going round by a thread takes longer.

import { closeSync, fsync, mkdirSync, openSync, renameSync, rmSync, writeFile, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isErrno } from "./errno.ts";

const fsyncAsync = promisify(fsync);
const writeAsync = promisify(writeFile);
/** Up to here bytes are in memory sooner than a thread has been asked. */
const atOnceBytesMax = 64 * 1024;

type Bytes = string | Uint8Array;

/** Of a file its bytes, of a folder its names. */
export async function sync(path: string): Promise<void> {
  const fd = openSync(path, "r");
  try {
    await fsyncAsync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes a new file and syncs it. Its name is durable once its folder is. */
export async function writeSynced(path: string, bytes: Bytes, mode: number): Promise<void> {
  await writeInto(openSync(path, "wx", mode), bytes);
}

/**
 * Puts a file in the place of another, if there is one, and syncs it: nobody ever finds a part of it, and its owner alone reads it. Its
 * name is durable once its folder is. `aside` is where it is written first: a name of its own where two may do so at a time.
 */
export async function swapSynced(path: string, bytes: Bytes, aside = `${path}.new`): Promise<void> {
  try {
    await writeInto(openSync(aside, "w", 0o600), bytes);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/**
 * Writes a file and everything on the way to it for good, where one that was cut short counts as none. With `create` it must be new:
 * false when it is not.
 */
export async function writeDurably(path: string, bytes: Bytes, mode: "create" | "replace"): Promise<boolean> {
  makeFolderOf(path);
  const fd = openNew(path, mode);
  if (fd === undefined) return false;
  // Together: the names are there already.
  await writeInto(fd, bytes, () => foldersOf(path).map(sync));
  return true;
}

/** Puts a file in the place of another, with everything on the way to it: after a power cut there is the old one or the new one, whole. */
export async function swapDurably(path: string, bytes: Bytes, aside?: string): Promise<void> {
  makeFolderOf(path);
  await swapSynced(path, bytes, aside);
  await Promise.all(foldersOf(path).map(sync));
}

/** The text of a file, null when there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

async function writeInto(fd: number, bytes: Bytes, besides: () => Promise<void>[] = () => []): Promise<void> {
  try {
    if (bytes.length <= atOnceBytesMax) writeFileSync(fd, bytes);
    else await writeAsync(fd, bytes);
    const done = await Promise.allSettled([fsyncAsync(fd), ...besides()]);
    // Only now: whoever closes a file while it is being synced may have another one synced in its place.
    for (const each of done) if (each.status === "rejected") throw each.reason;
  } finally {
    closeSync(fd);
  }
}

function makeFolderOf(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
}

/** Its own, which may be new, and the one that has the name of that. */
function foldersOf(path: string): [string, string] {
  const folder = dirname(path);
  return [folder, dirname(folder)];
}

function openNew(path: string, mode: "create" | "replace"): number | undefined {
  try {
    return openSync(path, mode === "create" ? "wx" : "w", 0o600);
  } catch (error) {
    if (mode === "create" && isErrno(error, "EEXIST")) return undefined;
    throw error;
  }
}
