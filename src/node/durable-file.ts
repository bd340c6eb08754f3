// Small files that have to be there after a power cut: marks and journals that are written before what they speak of.

import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { isErrno } from "./errno.ts";

/** Writes a file and everything on the way to it for good. With `create` it must be new: false when it is not. */
export async function writeDurably(
  path: string,
  text: string | Uint8Array,
  mode: "create" | "replace",
): Promise<boolean> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const file = await open(path, mode === "create" ? "wx" : "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
  // A file is durable only once its name is, and so is its folder.
  await syncFolder(folder);
  await syncFolder(dirname(folder));
  return true;
}

/** Writes a file anew whose name is durable already. After a power cut it may be torn: then it was never written. */
export async function rewriteDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Puts a file in the place of another: after a power cut there is the old one or the new one, whole. */
export async function swapDurably(path: string, text: string | Uint8Array): Promise<void> {
  const spare = `${path}.new`;
  await writeDurably(spare, text, "replace");
  await rename(spare, path);
  await syncFolder(dirname(path));
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
