// Blobs as files, in folders named after the first letters of their names. A blob is written aside, synced, and only
// then given its name, so that a name never stands for half of its bytes.

import { randomUUID } from "node:crypto";
import { statSync, unlinkSync, utimesSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import type { BlobOrder, BlobStore, CollectedBlobs } from "../../ports/blob-store.ts";
import { swapDurably } from "../../os/durable-file.ts";
import { blobNameOf, isBlobName } from "./blob-name.ts";

export class FileBlobStore implements BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(bytes: Uint8Array): Promise<string> {
    const name = blobNameOf(bytes);
    const file = this.#fileOf(name);
    if (isTouched(file)) return name;
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

  async collect({ kept, youngMs, dryRun }: BlobOrder): Promise<CollectedBlobs> {
    const beforeMs = Date.now() - youngMs;
    let objects = 0;
    let bytes = 0;
    for (const name of (await namesIn(this.#folder)).filter((each) => !kept.has(each))) {
      const size = letGo(this.#fileOf(name), beforeMs, dryRun);
      if (size === undefined) continue;
      objects++;
      bytes += size;
    }
    return { objects, bytes };
  }

  async #write(file: string, bytes: Uint8Array): Promise<void> {
    // Two may keep the same at a time.
    await swapDurably(file, bytes, `${file}.${randomUUID()}`);
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, name.slice(0, 2), name);
  }
}

/** Whether it is there already; it is then as young as if it were written now. Nobody lets go of it in between. */
function isTouched(file: string): boolean {
  try {
    const now = new Date();
    utimesSync(file, now, now);
    return true;
  } catch {
    return false;
  }
}

/** How much was let go of; undefined where it is too young, or gone. In one turn, so that nobody puts it meanwhile. */
function letGo(file: string, beforeMs: number, dryRun: boolean): number | undefined {
  try {
    const { mtimeMs, size } = statSync(file);
    if (mtimeMs > beforeMs) return undefined;
    if (!dryRun) unlinkSync(file);
    return size;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Fault("store-unavailable", { retry: "later", message: `a blob could not be let go of: ${file}`, cause });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const prefixes = await readdir(folder).catch((): string[] => []);
  const names: string[] = [];
  for (const prefix of prefixes.filter((each) => /^[0-9a-f]{2}$/.test(each)))
    names.push(...(await readdir(path.join(folder, prefix))).filter(isBlobName));
  return names;
}
