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
      // A file is durable only once its name is, and so is its folder. Together: the names are there already.
      await Promise.all([file.sync(), syncFolder(folder), syncFolder(dirname(folder))]);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
  return true;
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
