import { open } from "node:fs/promises";

/**
 * Writes a new file that another user may read, in a folder that is theirs. By its handle alone: what has its name a moment
 * later may be a link of theirs to something of ours.
 */
export async function lendFile(file: string, bytes: string | Uint8Array): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.chmod(0o644);
  } finally {
    await handle.close();
  }
}
