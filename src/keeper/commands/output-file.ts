// What a command said: all of it up to a bound, and beyond that its last part; or, where somebody says so, the last files of a
// given size. Each file after the first is named by where it begins in the whole, so that the folder alone tells everything.

import { closeSync, ftruncateSync, openSync, readdirSync, readSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TimeMark } from "../../base/time-marks.ts";
import { syncFile } from "../os/durable-file.ts";
import { isErrno } from "../os/errno.ts";
import { type OutputTimes, readTimes } from "./output-times.ts";

/** What a compiler or a test says fits by far; whether there is room for more is asked … */
const headBytesMin = 64 * 1024 * 1024;
/** … again and again. */
const headStepBytes = 16 * 1024 * 1024;
const pieceBytesMax = 2 * 1024 * 1024;
const tailTextBytes = 4000;

export type OutputPart = {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly total: number;
  /** When it was said, where that was noted. */
  readonly times?: readonly TimeMark[];
};

/** So many full files of this size are kept beside the one that is written. */
export type Rotation = { readonly bytes: number; readonly keep: number };

/** How much of what is said first is kept: as much as it may be, while there is room for so many bytes. */
export type Head = { readonly bytesMax: number; readonly hasRoom: (bytes: number) => boolean };

export type OutputFileOptions = {
  readonly rotation?: Rotation | undefined;
  readonly times?: OutputTimes | undefined;
  readonly head?: Head | undefined;
};

export class OutputFile {
  readonly #folder: string;
  #fd: number | undefined;
  #total = 0;
  #pieceFrom = 0;
  /** Those that may go. */
  readonly #pieces: { readonly from: number; readonly bytes: number }[] = [];
  readonly #rotation: Rotation | undefined;
  readonly #times: OutputTimes | undefined;
  readonly #head: Head | undefined;
  #headBytes = headBytesMin;
  #leftOut = 0;
  /** What the disk has not taken since it took something last. */
  #lost = 0;

  constructor(folder: string, { rotation, times, head }: OutputFileOptions = {}) {
    this.#folder = folder;
    this.#rotation = rotation;
    this.#head = head;
    this.#fd = openSync(join(folder, "output"), "wx", 0o600);
    this.#times = times;
    times?.begin(0);
  }

  /** Up to where somebody can read. */
  get total(): number {
    return this.#total;
  }

  get saidBytes(): number {
    return this.#total + this.#lost;
  }

  get leftOut(): number {
    return this.#leftOut + this.#lost;
  }

  /** Throws where the disk does not take it: that is left out, and what is said later stands where it stood in the whole. */
  write(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0;) {
      try {
        const part = rest.subarray(0, this.#room());
        if (this.#fd !== undefined) writeAll(this.#fd, part);
        this.#times?.note(this.#total);
        this.#total += part.length;
        rest = rest.subarray(part.length);
      } catch (error) {
        this.#lost += rest.length;
        // The half of something would move all that follows.
        if (this.#fd !== undefined) ftruncateSync(this.#fd, this.#total - this.#pieceFrom);
        throw error;
      }
    }
  }

  async sync(): Promise<void> {
    for (const { path } of piecesIn(this.#folder)) {
      await syncFile(path).catch((error: unknown) => {
        // Of what goes on being said the oldest goes meanwhile.
        if (!isErrno(error, "ENOENT")) throw error;
      });
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#times?.close();
  }

  /** How much fits into the file that is open, after opening the next one where the last is full, or has a gap at its end. */
  #room(): number {
    const room = this.#bytesMax() - (this.#total - this.#pieceFrom);
    if (this.#lost === 0 && room > 0) return room;
    this.#begin(this.#total + this.#lost);
    return this.#bytesMax();
  }

  #bytesMax(): number {
    if (this.#rotation !== undefined) return this.#rotation.bytes;
    if (this.#pieceFrom > 0) return pieceBytesMax;
    const next = Math.min(this.#headBytes + headStepBytes, this.#head?.bytesMax ?? 0);
    const isFull = this.#total >= this.#headBytes;
    if (isFull && next > this.#headBytes && this.#head?.hasRoom(next) === true) this.#headBytes = next;
    return this.#headBytes;
  }

  #begin(from: number): void {
    const fd = openSync(join(this.#folder, pieceName(from)), "wx", 0o600);
    this.close();
    this.#fd = fd;
    this.#times?.begin(from);
    const last = { from: this.#pieceFrom, bytes: this.#total - this.#pieceFrom };
    this.#leftOut += this.#lost;
    this.#lost = 0;
    this.#pieceFrom = from;
    this.#total = from;
    // What was said first is kept, unless it is one of many.
    if (last.from === 0 && this.#rotation === undefined) return;
    // A disk that is full took nothing of it: it is in nobody's place.
    if (last.bytes === 0) return this.#drop(last);
    this.#pieces.push(last);
    const [old] = this.#pieces;
    if (old === undefined || this.#pieces.length <= (this.#rotation?.keep ?? 1)) return;
    this.#pieces.shift();
    this.#drop(old);
  }

  #drop({ from, bytes }: { readonly from: number; readonly bytes: number }): void {
    unlinkSync(join(this.#folder, pieceName(from)));
    this.#times?.forget(from);
    this.#leftOut += bytes;
  }
}

/** A part of the output, from the offset or from the first byte after it that was kept. */
export function readOutput(folder: string, offset: number, limit: number): OutputPart {
  const files = piecesIn(folder);
  const total = Math.max(0, ...files.map(({ from, size }) => from + size));
  const file = files.find(({ from, size }) => from + size > offset);
  if (file === undefined) return { bytes: Buffer.alloc(0), offset: Math.min(offset, total), total };
  const start = Math.max(offset, file.from);
  const bytes = Buffer.alloc(Math.min(limit, file.from + file.size - start));
  const fd = openSync(file.path, "r");
  try {
    const count = readSync(fd, bytes, 0, bytes.length, start - file.from);
    const times = readTimes(folder, file.from, start, start + count);
    return { bytes: bytes.subarray(0, count), offset: start, total, ...(times === undefined ? {} : { times }) };
  } finally {
    closeSync(fd);
  }
}

/** The end of the output, as text. */
export function readTail(folder: string): { text: string; total: number } {
  const files = piecesIn(folder);
  const total = Math.max(0, ...files.map(({ from, size }) => from + size));
  let text = Buffer.alloc(0);
  for (let at = Math.max(0, total - tailTextBytes); at < total;) {
    const { bytes, offset } = readOutput(folder, at, total - at);
    if (bytes.length === 0) break;
    text = Buffer.concat([text, bytes]);
    at = offset + bytes.length;
  }
  return { text: text.toString("utf8"), total };
}

function piecesIn(folder: string): { path: string; from: number; size: number }[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const from = name === "output" ? 0 : Number(/^output-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(from)) return [];
      const path = join(folder, name);
      return [{ path, from, size: statSync(path).size }];
    })
    .toSorted((a, b) => a.from - b.from);
}

function pieceName(from: number): string {
  return from === 0 ? "output" : `output-${from}`;
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}
