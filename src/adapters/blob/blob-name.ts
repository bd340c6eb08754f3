import { createHash } from "node:crypto";

export function blobNameOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Whether a text can be the name of a blob at all; anything else is never made into a path. */
export function isBlobName(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}
