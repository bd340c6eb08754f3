// What stands at a path, as git would name it: a mode and the name of the blob. Folders, pipes and devices are nothing. Large
// files are read in pieces, so that neither their size nor whoever writes to them meanwhile matters.

import { createHash, type Hash } from "node:crypto";
import { closeSync, fstatSync, read, readSync, type BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { Fault } from "../../base/fault.ts";
import type { WireEntry } from "../../protocol/keeper/keeper-wire.ts";
import { type Standing, unavailable } from "./tree.ts";

export type HashKind = "sha1" | "sha256";

export type Found = { readonly entry: WireEntry; readonly size: number; readonly bytes: Buffer | undefined };

export type StandingFile = Extract<Standing, { kind: "file" }>;

/** Where a file's bytes go, piece by piece; `start` says how many, and comes again where they have to be read anew. */
type Sink = {
  readonly start: (size: number) => Promise<void>;
  readonly take: (piece: Buffer) => Promise<void>;
};

type Copied = { readonly entry: string; readonly size: number };

/** A file has grown beyond what may be copied of it, while somebody was about to. */
export class GrownTooLarge extends Error {
  readonly bytes: number;
  constructor(bytes: number) {
    super(`a file has ${bytes} bytes`);
    this.bytes = bytes;
  }
}

const readAsync = promisify(read);
/** Up to here a file is read in one go; beyond, other requests get their turn in between. */
export const wholeBytesMax = 4 * 1024 * 1024;
const pieceBytes = 1024 * 1024;
const triesMax = 20;

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

/** Whether what stands there has more bytes than can land: then it is not looked into (LD57). */
export function isOversized(standing: Standing, bytesMax: number): standing is StandingFile {
  return standing.kind === "file" && Number(standing.stat.size) > bytesMax;
}

export function tooLarge(path: string, size: number, bytesMax: number): Fault {
  const message = `${path} has ${size} bytes, and with more than ${bytesMax} it is scratch: only commands can use it, and it never lands`;
  return new Fault("too-large", { retry: "never", message });
}

export function modeOf(stat: BigIntStats): string {
  return (stat.mode & 0o100n) === 0n ? "100644" : "100755";
}

/** Copies an open file into another one that is new, or has a copy that was cut short. */
export function copyTo(fd: number, kind: HashKind, file: FileHandle, bytesMax: number): Promise<Copied> {
  let at = 0;
  return copyInPieces(fd, kind, {
    start: async (bytes) => {
      // It may have grown since it was looked at.
      if (bytes > bytesMax) throw new GrownTooLarge(bytes);
      await file.truncate(0);
      at = 0;
    },
    take: async (piece) => {
      for (let done = 0; done < piece.length;) {
        const { bytesWritten } = await file.write(piece, done, piece.length - done, at);
        done += bytesWritten;
        at += bytesWritten;
      }
    },
  });
}

/**
 * Hands the bytes of an open file on, with what git would call exactly these. What is added at its end meanwhile is left for the
 * next look; where it was cut short, it is read anew.
 */
async function copyInPieces(fd: number, kind: HashKind, { start, take }: Sink): Promise<Copied> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let tries = 0; tries < triesMax; tries++) {
    const stat = fstatSync(fd, { bigint: true });
    const size = Number(stat.size);
    const hash = blobHash(kind, size);
    await start(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await readAsync(fd, piece, 0, Math.min(pieceBytes, size - filled), filled);
      if (bytesRead === 0) break;
      hash.update(piece.subarray(0, bytesRead));
      await take(piece.subarray(0, bytesRead));
      filled += bytesRead;
    }
    // Where it was cut short meanwhile, once more: the name of a blob begins with its length.
    if (filled === size) return { entry: `${modeOf(stat)}:${hash.digest("hex")}`, size };
  }
  throw unavailable(new Error("a file changes faster than it can be read"));
}

function readWhole(fd: number, kind: HashKind, bytesMax: number): Found {
  for (let tries = 0; tries < triesMax; tries++) {
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
    if (filled === size) return { entry: `${modeOf(stat)}:${hash.digest("hex")}`, size, bytes: kept };
  }
  throw unavailable(new Error("a file changes faster than it can be read"));
}

async function readInPieces(fd: number, kind: HashKind, bytesMax: number): Promise<Found> {
  let kept: Buffer | undefined;
  let filled = 0;
  const { entry, size } = await copyInPieces(fd, kind, {
    start: (bytes) => {
      kept = bytes <= bytesMax ? Buffer.allocUnsafe(bytes) : undefined;
      filled = 0;
      return Promise.resolve();
    },
    take: (piece) => {
      if (kept !== undefined) piece.copy(kept, filled);
      filled += piece.length;
      return Promise.resolve();
    },
  });
  return { entry, size, bytes: kept };
}

function blobHash(kind: HashKind, size: number): Hash {
  return createHash(kind).update(`blob ${size}\0`);
}
