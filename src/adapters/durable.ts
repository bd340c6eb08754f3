// What has to be there after a power cut is synced, and so is the folder that has its name.

import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Of a file its bytes, of a folder its names. */
export async function sync(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new file and syncs it. Its name is durable once its folder is. */
export async function writeSynced(file: string, bytes: string | Uint8Array, mode: number): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * After a power cut there is the old file or the new one, whole, and its owner alone reads it. `above` are folders whose names
 * have to be durable with it.
 */
export async function writeWhole(file: string, bytes: string | Uint8Array, ...above: string[]): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = `${file}.${randomUUID()}`;
  try {
    await writeSynced(aside, bytes, 0o600);
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await Promise.all([folder, ...above].map(sync));
}

export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}
