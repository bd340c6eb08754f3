// What stands at a path, as git would name it: a mode and the name of the blob. Folders, pipes and devices are nothing.

import { createHash, type Hash } from "node:crypto";
import { closeSync, fstatSync, read, readSync, type BigIntStats } from "node:fs";
import { promisify } from "node:util";
import type { WireEntry } from "../../protocol/keeper/keeper-wire.ts";
import { type Standing, unavailable } from "./tree.ts";

export type HashKind = "sha1" | "sha256";

export type Found = { readonly entry: WireEntry; readonly size: number; readonly bytes: Buffer | undefined };

const readAsync = promisify(read);
/** Up to here a file is read in one go; beyond, other requests get their turn in between. */
const wholeBytesMax = 4 * 1024 * 1024;
const pieceBytes = 1024 * 1024;

export const nothing: Found = { entry: null, size: 0, bytes: undefined };

export function blobName(kind: HashKind, bytes: Uint8Array): string {
  return blobHash(kind, bytes.length).update(bytes).digest("hex");
}

/** Reads what stands there, and closes it. The bytes come along up to a size. */
export async function readStanding(standing: Standing, kind: HashKind, bytesMax: number): Promise<Found> {
  if (standing.kind === "link") {
    const { target } = standing;
    return { entry: `120000:${blobName(kind, target)}`, size: target.length, bytes: target };
  }
  if (standing.kind !== "file") return nothing;
  try {
    const size = Number(standing.stat.size);
    if (size <= wholeBytesMax) return readWhole(standing.fd, kind, bytesMax);
    return await readInPieces(standing.fd, kind, bytesMax);
  } finally {
    closeSync(standing.fd);
  }
}

/** As `readStanding`, for what must not let go of its turn. */
export function entryNow(standing: Standing, kind: HashKind): WireEntry {
  if (standing.kind === "link") return `120000:${blobName(kind, standing.target)}`;
  if (standing.kind !== "file") return null;
  try {
    return readWhole(standing.fd, kind, 0).entry;
  } finally {
    closeSync(standing.fd);
  }
}

export function modeOf(stat: BigIntStats): string {
  return (stat.mode & 0o100n) === 0n ? "100644" : "100755";
}

function readWhole(fd: number, kind: HashKind, bytesMax: number): Found {
  for (let tries = 0; tries < 20; tries++) {
    const stat = fstatSync(fd, { bigint: true });
    const size = Number(stat.size);
    const hash = blobHash(kind, size);
    const kept = size <= bytesMax ? Buffer.allocUnsafe(size) : undefined;
    const piece = kept ?? Buffer.allocUnsafe(Math.min(size, pieceBytes));
    let filled = 0;
    while (filled < size) {
      const at = kept === undefined ? 0 : filled;
      const count = readSync(fd, piece, at, Math.min(piece.length - at, size - filled), filled);
      if (count === 0) break;
      hash.update(piece.subarray(at, at + count));
      filled += count;
    }
    // Where it was cut short meanwhile, once more: the name of a blob begins with its length.
    if (filled === size) return { entry: `${modeOf(stat)}:${hash.digest("hex")}`, size, bytes: kept };
  }
  throw unavailable(new Error("a file changes faster than it can be read"));
}

async function readInPieces(fd: number, kind: HashKind, bytesMax: number): Promise<Found> {
  for (let tries = 0; tries < 20; tries++) {
    const stat = fstatSync(fd, { bigint: true });
    const size = Number(stat.size);
    const hash = blobHash(kind, size);
    const kept = size <= bytesMax ? Buffer.allocUnsafe(size) : undefined;
    const piece = Buffer.allocUnsafe(pieceBytes);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await readAsync(fd, piece, 0, Math.min(pieceBytes, size - filled), filled);
      if (bytesRead === 0) break;
      hash.update(piece.subarray(0, bytesRead));
      if (kept !== undefined) piece.copy(kept, filled, 0, bytesRead);
      filled += bytesRead;
    }
    if (filled === size) return { entry: `${modeOf(stat)}:${hash.digest("hex")}`, size, bytes: kept };
  }
  throw unavailable(new Error("a file changes faster than it can be read"));
}

function blobHash(kind: HashKind, size: number): Hash {
  return createHash(kind).update(`blob ${size}\0`);
}
