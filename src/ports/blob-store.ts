export type BlobOrder = {
  readonly kept: ReadonlySet<string>;
  readonly youngMs: number;
  readonly dryRun: boolean;
};

export type CollectedBlobs = { readonly objects: number; readonly bytes: number };

/**
 * Bytes under the name of their content: what events only refer to, such as scripts and output. The same bytes have the
 * same name, so putting them twice is putting them once.
 */
export interface BlobStore {
  /** Keeps the bytes and answers their name, the SHA-256 in hex, once they are durable. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes of a name, or null when nobody put them. Throws a Fault with code `blob-damaged` when they have changed. */
  get(name: string): Promise<Uint8Array | null>;
  /** Lets go of whatever nobody names and nobody has put within `youngMs`; or only says how much that would be. */
  collect(order: BlobOrder): Promise<CollectedBlobs>;
}
