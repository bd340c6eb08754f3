// Everything that a terminal said, with when it said it: first into files, then to anybody. It is cut into pieces, so that
// the oldest can go when there are too many; each begins with the screen that it continues, so that a player may begin
// with any of them.

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  type RecordingHead,
  recordingHeadName,
  recordingPieceName,
  recordingPieces,
  type RecordingTime,
} from "../../protocol/keeper/terminal-wire.ts";
import { toMessage } from "../os/errno.ts";
import { say } from "../os/say.ts";

export type RecordingSize = { readonly pieceBytesMax: number; readonly piecesMax: number };

const usualSize: RecordingSize = { pieceBytesMax: 4 * 1024 * 1024, piecesMax: 64 };
/** What comes so soon after something belongs to it: nobody who looks sees a difference … */
const soonMs = 8;
/** … nor later than that, as long as it is so little. Else whoever says one letter at a time has times that take more room than all that is said. */
const [fewMs, fewBytes] = [50, 32];
/** All lines about bytes are of one length, so that the last can be written anew where it stands, also on a full disk. */
const lineChars = 32;

export class Recording {
  readonly #folder: string;
  readonly #size: RecordingSize;
  readonly #nowMs: () => number;
  readonly #beganMs: number;
  #pieces: number[] = [0];
  #bytes: number;
  #times: number;
  #total = 0;
  /** How much of the file of times counts: what was begun on a full disk is written again in the same place. */
  #timesAt = 0;
  /** What the last line says and where it stands, if it is about bytes, and from where on these are. */
  #last: { readonly atMs: number; readonly from: number; readonly lineAt: number } | undefined;

  constructor(folder: string, head: RecordingHead, size = usualSize, nowMs: () => number = () => performance.now()) {
    this.#folder = folder;
    this.#size = size;
    this.#nowMs = nowMs;
    this.#beganMs = nowMs();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, recordingHeadName), JSON.stringify(head), { mode: 0o600 });
    [this.#bytes, this.#times] = this.#open(0);
  }

  get total(): number {
    return this.#total;
  }

  /** Whether the next bytes should go into a piece of their own. */
  get isPieceFull(): boolean {
    return this.#total - (this.#pieces.at(-1) ?? 0) >= this.#size.pieceBytesMax;
  }

  /** All of it, or it throws, and the same bytes may be written again: nothing of them counts before. */
  write(bytes: Uint8Array): void {
    const total = this.#total + bytes.length;
    writeAll(this.#bytes, bytes, this.#total - (this.#pieces.at(-1) ?? 0));
    this.#noteSaid(total);
    this.#total = total;
  }

  resize(cols: number, rows: number): void {
    this.#note([this.#atMs(), this.#total, cols, rows], this.#timesAt);
    this.#last = undefined;
  }

  /** Begins the next piece; `screen` is what the terminal shows where it begins, and up to where it was read for that. */
  cut(screen: string): void {
    const from = this.#total;
    writeFileSync(join(this.#folder, recordingPieceName("screen", from)), screen, { mode: 0o600 });
    const opened = this.#open(from);
    for (const fd of [this.#bytes, this.#times]) closeSync(fd);
    [this.#bytes, this.#times] = opened;
    this.#timesAt = 0;
    this.#last = undefined;
    this.#pieces.push(from);
    while (this.#pieces.length > this.#size.piecesMax) this.#letGo(this.#pieces.shift() ?? 0);
  }

  /** What the disk has taken is kept, also where it does not say so. */
  close(): void {
    for (const fd of [this.#bytes, this.#times]) {
      try {
        fsyncSync(fd);
      } catch (error) {
        say(`the end of a recording may not be on the disk: ${toMessage(error)}`);
      }
      closeSync(fd);
    }
  }

  #noteSaid(total: number): void {
    const [atMs, last] = [this.#atMs(), this.#last];
    const sinceMs = last === undefined ? Infinity : atMs - last.atMs;
    if (last !== undefined && (sinceMs < soonMs || (sinceMs < fewMs && total - last.from < fewBytes))) {
      this.#note([last.atMs, total], last.lineAt);
      return;
    }
    const lineAt = this.#timesAt;
    this.#note([atMs, total], lineAt);
    this.#last = { atMs, from: this.#total, lineAt };
  }

  #note(time: RecordingTime, at: number): void {
    const width = time.length === 2 ? lineChars - 2 : 0;
    const line = Buffer.from(`${JSON.stringify(time).slice(0, -1).padEnd(width)}]\n`);
    writeAll(this.#times, line, at);
    this.#timesAt = at + line.length;
  }

  #atMs(): number {
    return Math.round(this.#nowMs() - this.#beganMs);
  }

  /** Both files of a piece, or none. */
  #open(from: number): readonly [bytes: number, times: number] {
    const open = (kind: "bytes" | "times"): number =>
      openSync(join(this.#folder, recordingPieceName(kind, from)), "wx", 0o600);
    const times = open("times");
    try {
      return [open("bytes"), times];
    } catch (error) {
      closeSync(times);
      rmSync(join(this.#folder, recordingPieceName("times", from)), { force: true });
      throw error;
    }
  }

  #letGo(from: number): void {
    for (const kind of ["bytes", "times", "screen"] as const)
      rmSync(join(this.#folder, recordingPieceName(kind, from)), { force: true });
  }
}

export type RecordedPart = { readonly bytes: Buffer; readonly offset: number; readonly total: number };

/** A part of what was said, from the offset or from the first byte after it that is still there. */
export function readRecording(folder: string, offset: number, limit: number): RecordedPart {
  const pieces = recordingPieces(readdirSync(folder));
  const last = pieces.at(-1) ?? 0;
  const total = last + sizeOf(folder, last);
  const index = pieces.findLastIndex((from) => from <= offset);
  const from = pieces[Math.max(0, index)] ?? 0;
  const at = Math.max(offset, from);
  const end = from === last ? total : (pieces[Math.max(0, index) + 1] ?? total);
  if (at >= end) return { bytes: Buffer.alloc(0), offset: Math.min(at, total), total };
  const bytes = Buffer.alloc(Math.min(limit, end - at));
  const fd = openSync(join(folder, recordingPieceName("bytes", from)), "r");
  try {
    const count = readSync(fd, bytes, 0, bytes.length, at - from);
    return { bytes: bytes.subarray(0, count), offset: at, total };
  } finally {
    closeSync(fd);
  }
}

function sizeOf(folder: string, from: number): number {
  return statSync(join(folder, recordingPieceName("bytes", from)), { throwIfNoEntry: false })?.size ?? 0;
}

function writeAll(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}
