// Small files that have to be there after a power cut: marks and journals that are written before what they speak of.

import { readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { isErrno } from "./errno.ts";

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

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(text);
    await Promise.all([file.sync(), besides?.()]);
  } finally {
    await file.close();
  }
}
