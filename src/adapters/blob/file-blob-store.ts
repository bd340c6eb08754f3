// Blobs as files, in folders named after the first letters of their names. A blob is written aside, synced, and only
// then given its name, so that a name never stands for half of its bytes.

import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import { sync, writeWhole } from "../durable.ts";
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
    await writeWhole(file, bytes);
    // The folder's own name is in the one above, and has to survive a power cut, too.
    await sync(this.#folder);
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, name.slice(0, 2), name);
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
