import type { BlobStore } from "../../ports/blob-store.ts";
import { blobNameOf, isBlobName } from "./blob-name.ts";

/** Keeps blobs as long as the process lives. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, Uint8Array>();

  put(bytes: Uint8Array): Promise<string> {
    const name = blobNameOf(bytes);
    this.#blobs.set(name, Uint8Array.from(bytes));
    return Promise.resolve(name);
  }

  get(name: string): Promise<Uint8Array | null> {
    const bytes = isBlobName(name) ? this.#blobs.get(name) : undefined;
    return Promise.resolve(bytes === undefined ? null : Uint8Array.from(bytes));
  }
}
