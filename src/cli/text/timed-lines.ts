// Lines of a stream that comes piece by piece, each with when it began to be said.

import { type TimeMark, TimeReader } from "../../base/time-marks.ts";

const newline = 0x0a;

export class TimedLines {
  /** The beginning of a line whose end has not come, and when that was said. */
  #rest = Buffer.alloc(0);
  #restMs: number | null = null;

  take(bytes: Buffer, offset: number, marks: readonly TimeMark[]): { atMs: number | null; text: string }[] {
    const times = new TimeReader(marks);
    const all = Buffer.concat([this.#rest, bytes]);
    const start = offset - this.#rest.length;
    const atMs = (from: number): number | null => (start + from < offset ? this.#restMs : times.at(start + from));
    const lines: { atMs: number | null; text: string }[] = [];
    let from = 0;
    for (let end = all.indexOf(newline); end !== -1; end = all.indexOf(newline, from)) {
      lines.push({ atMs: atMs(from), text: all.toString("utf8", from, end) });
      from = end + 1;
    }
    this.#restMs = from < all.length ? atMs(from) : null;
    this.#rest = all.subarray(from);
    return lines;
  }
}
