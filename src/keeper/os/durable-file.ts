// Small files that have to be there after a power cut: marks and journals that are written before what they speak of. Only the
// disk is waited for: what merely goes to memory is done in one breath, for going round by a thread takes longer.

import { closeSync, fsync, openSync, readFileSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isErrno } from "./errno.ts";

const fsyncAsync = promisify(fsync);

/** Writes a new file for good. False when there is one already. */
export async function createDurably(path: string, text: string): Promise<boolean> {
  try {
    // Together: its name is in the folder before its bytes are written.
    await writeSynced(path, text, "wx", () => syncFolder(dirname(path)));
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * Writes a file for good where one that was cut short counts as none: nothing has to be put in its place then, and its bytes
 * and its name become durable together.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  await writeSynced(path, text, "w", () => syncFolder(dirname(path)));
}

/** Replaces a file for good: after a power cut there is the old one or the new one. */
export async function replaceDurably(path: string, text: string): Promise<void> {
  await writeSynced(`${path}.new`, text, "w");
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
}

/** The names in it. */
export function syncFolder(folder: string): Promise<void> {
  return syncFile(folder);
}

export async function syncFile(path: string): Promise<void> {
  const fd = openSync(path, "r");
  try {
    await fsyncAsync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Syncs what is open, all of it at once: the disk takes about as long for a few as for one. */
export async function syncTogether(fds: readonly number[], ...besides: readonly Promise<void>[]): Promise<void> {
  const done = await Promise.allSettled([...fds.map((fd) => fsyncAsync(fd)), ...besides]);
  // Only now: whoever closes a file while it is being synced may have another one synced in its place.
  for (const each of done) if (each.status === "rejected") throw each.reason;
}

/** The text of a file, undefined when there is none. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/** A file of ours as JSON; undefined when it is not there, or was cut short by a power cut. */
export function readJson(path: string): unknown {
  const text = readText(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function writeSynced(
  path: string,
  text: string,
  flags: "w" | "wx",
  besides?: () => Promise<void>,
): Promise<void> {
  const fd = openSync(path, flags, 0o600);
  try {
    writeFileSync(fd, text);
    await syncTogether([fd], ...(besides === undefined ? [] : [besides()]));
  } finally {
    closeSync(fd);
  }
}
