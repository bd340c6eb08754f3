// What a command said: the first part and the last part, however much it was; or, where somebody says so, the last files of a
// given size. Each file after the first is named by where it begins in the whole, so that the folder alone tells everything.

import { closeSync, fsyncSync, openSync, readdirSync, readSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TimeMark } from "../../base/time-marks.ts";
import { type OutputTimes, readTimes } from "./output-times.ts";

/** What a compiler or a test says fits by far; what says something for ever does not fill the disk. */
const headBytesMax = 64 * 1024 * 1024;
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

export class OutputFile {
  readonly #folder: string;
  #fd: number | undefined;
  #total = 0;
  #pieceFrom = 0;
  /** Where those that may go begin. */
  #pieces: number[] = [];
  readonly #rotation: Rotation | undefined;
  readonly #times: OutputTimes | undefined;
  #leftOut = 0;

  constructor(folder: string, rotation?: Rotation, times?: OutputTimes) {
    this.#folder = folder;
    this.#rotation = rotation;
    // What was said first is kept, unless it is one of many.
    if (rotation !== undefined) this.#pieces.push(0);
    this.#fd = openSync(join(folder, "output"), "wx", 0o600);
    this.#times = times;
    times?.begin(0);
  }

  get total(): number {
    return this.#total;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  write(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0;) {
      const room = this.#room();
      const part = rest.subarray(0, room);
      if (this.#fd !== undefined) writeAll(this.#fd, part);
      this.#times?.note(this.#total);
      this.#total += part.length;
      rest = rest.subarray(part.length);
    }
  }

  sync(): void {
    if (this.#fd !== undefined) fsyncSync(this.#fd);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#times?.close();
  }

  /** How much fits into the file that is open, after opening the next one where the last is full. */
  #room(): number {
    const max = this.#rotation?.bytes ?? (this.#pieceFrom === 0 ? headBytesMax : pieceBytesMax);
    const room = max - (this.#total - this.#pieceFrom);
    if (room > 0) return room;
    this.close();
    this.#pieceFrom = this.#total;
    this.#fd = openSync(join(this.#folder, pieceName(this.#pieceFrom)), "wx", 0o600);
    this.#times?.begin(this.#pieceFrom);
    this.#pieces.push(this.#pieceFrom);
    const [old = 0, next = 0] = this.#pieces;
    if (this.#pieces.length > (this.#rotation?.keep ?? 1) + 1) {
      this.#pieces.shift();
      unlinkSync(join(this.#folder, pieceName(old)));
      this.#times?.forget(old);
      this.#leftOut += next - old;
    }
    return this.#rotation?.bytes ?? pieceBytesMax;
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
