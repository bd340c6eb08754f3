// Blobs as files, in folders named after the first letters of their names. A blob is written aside, synced, and only
// then given its name, so that a name never stands for half of its bytes.

import { randomUUID } from "node:crypto";
import { access, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import { blobNameOf, isBlobName } from "./blob-name.ts";

export class FileBlobStore implements BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(bytes: Uint8Array): Promise<string> {
    const name = blobNameOf(bytes);
    const file = this.#fileOf(name);
    if (await exists(file)) return name;
    try {
      await this.#write(file, bytes);
    } catch (cause) {
      const message = `a blob could not be kept: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new Fault("store-unavailable", { retry: "later", message, cause });
    }
    return name;
  }

  async get(name: string): Promise<Uint8Array | null> {
    if (!isBlobName(name)) return null;
    let bytes: Uint8Array;
    try {
      bytes = await readFile(this.#fileOf(name));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw new Fault("store-unavailable", { retry: "later", message: `the blob ${name} could not be read`, cause });
    }
    if (blobNameOf(bytes) === name) return bytes;
    throw new Fault("blob-damaged", { retry: "never", message: `the blob ${name} is not what it was` });
  }

  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const folder = path.dirname(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const aside = `${file}.${randomUUID()}`;
    try {
      const handle = await open(aside, "wx", 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(aside, file);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    // The name is in the folder, and the folder's own name in the one above: both have to survive a power cut.
    await syncFolder(folder);
    await syncFolder(this.#folder);
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, name.slice(0, 2), name);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
