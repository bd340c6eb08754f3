// When a command said what stands in its output: a file of marks beside each file of output, which goes with it.

import { closeSync, existsSync, fstatSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { markBytes, marksFor, type TimeMark, toMark, toMarkBytes } from "../../base/time-marks.ts";

/** Marks take no more room than what they are about: … */
const markEveryBytes = 32;
/** … but for somebody who says very little, and so rarely that it does not matter. */
const markEveryMs = 200;

export class OutputTimes {
  readonly #folder: string;
  readonly #nowMs: () => number;
  #fd: number | undefined;
  #last: TimeMark | undefined;

  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder;
    this.#nowMs = nowMs;
  }

  /** What comes from this offset on goes into another file. */
  begin(from: number): void {
    this.close();
    this.#last = undefined;
    quietly(() => (this.#fd = openSync(join(this.#folder, nameOf(from)), "wx", 0o600)));
  }

  /** What begins at this offset is said now. */
  note(offset: number): void {
    const atMs = this.#nowMs();
    if (this.#fd === undefined || !this.#isWorthIt(offset, atMs)) return;
    const [fd, mark] = [this.#fd, [offset, atMs] as const];
    this.#last = mark;
    // Half a mark would put all that follow in the wrong place.
    quietly(() => writeSync(fd, toMarkBytes([mark])) === markBytes || this.close());
  }

  forget(from: number): void {
    quietly(() => unlinkSync(join(this.#folder, nameOf(from))));
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) closeSync(fd);
  }

  #isWorthIt(offset: number, atMs: number): boolean {
    if (this.#last === undefined) return true;
    const [lastOffset, lastMs] = this.#last;
    return atMs !== lastMs && (offset - lastOffset >= markEveryBytes || Math.abs(atMs - lastMs) >= markEveryMs);
  }
}

/** When what stands in a part of a file of output was said; undefined where nobody has noted that. */
export function readTimes(folder: string, pieceFrom: number, from: number, to: number): TimeMark[] | undefined {
  const path = join(folder, nameOf(pieceFrom));
  if (!existsSync(path)) return undefined;
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(markBytes);
    const markAt = (index: number): TimeMark => {
      readSync(fd, bytes, 0, markBytes, index * markBytes);
      return toMark(bytes);
    };
    return marksFor(Math.floor(fstatSync(fd).size / markBytes), markAt, from, to);
  } finally {
    closeSync(fd);
  }
}

function nameOf(from: number): string {
  return `times-${from}`;
}

/** A full disk takes what was said, and when is the least of it. */
function quietly(act: () => unknown): void {
  try {
    act();
  } catch {
    // Whoever asks is told that nobody knows.
  }
}
