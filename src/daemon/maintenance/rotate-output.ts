// What a daemon in the background says goes to one file for as long as it lives. When that has grown large, its end moves to
// a file beside it, and it begins anew.

import { closeSync, openSync, readSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";

export const outputBytesMax = 16 * 1024 * 1024;
export const outputBytesKept = 4 * 1024 * 1024;

/** Answers how many bytes of it went, or with `dryRun` would. */
export async function rotateOutput(path: string, dryRun: boolean): Promise<number> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size <= outputBytesMax) return 0;
  if (!dryRun) moveEnd(path, size);
  return size - outputBytesKept;
}

/** At once, while nobody here says anything. The file is written at its end, wherever that is, so it may be cut. */
function moveEnd(path: string, size: number): void {
  const bytes = Buffer.alloc(outputBytesKept);
  const fd = openSync(path, "r");
  try {
    const count = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    writeFileSync(`${path}.1.new`, bytes.subarray(0, count), { mode: 0o600 });
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.1.new`, `${path}.1`);
  truncateSync(path);
}
