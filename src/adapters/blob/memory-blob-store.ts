import type { BlobOrder, BlobStore, CollectedBlobs } from "../../ports/blob-store.ts";
import { blobNameOf, isBlobName } from "./blob-name.ts";

/** Keeps blobs as long as the process lives. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, { readonly bytes: Uint8Array; readonly atMs: number }>();

  put(bytes: Uint8Array): Promise<string> {
    const name = blobNameOf(bytes);
    this.#blobs.set(name, { bytes: Uint8Array.from(bytes), atMs: Date.now() });
    return Promise.resolve(name);
  }

  get(name: string): Promise<Uint8Array | null> {
    const found = isBlobName(name) ? this.#blobs.get(name) : undefined;
    return Promise.resolve(found === undefined ? null : Uint8Array.from(found.bytes));
  }

  collect({ kept, youngMs, dryRun }: BlobOrder): Promise<CollectedBlobs> {
    const beforeMs = Date.now() - youngMs;
    const old = [...this.#blobs].filter(([name, { atMs }]) => !kept.has(name) && atMs <= beforeMs);
    if (!dryRun) for (const [name] of old) this.#blobs.delete(name);
    return Promise.resolve({ objects: old.length, bytes: old.reduce((sum, [, { bytes }]) => sum + bytes.length, 0) });
  }
}
