// Lines of a stream that comes piece by piece, each with when it began to be said.

import { type TimeMark, TimeReader } from "../base/time-marks.ts";

export type TimedLine = { readonly atMs: number | null; readonly text: string };

const newline = 0x0a;
/** What a program says first may look like the mark of a byte order: it is shown as it is. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class TimedLines {
  /** The beginning of a line whose end has not come, and when that was said. */
  #rest = new Uint8Array();
  #restMs: number | null = null;

  take(bytes: Uint8Array, offset: number, marks: readonly TimeMark[]): TimedLine[] {
    const times = new TimeReader(marks);
    const all = join(this.#rest, bytes);
    const start = offset - this.#rest.length;
    const atMs = (from: number): number | null => (start + from < offset ? this.#restMs : times.at(start + from));
    const lines: TimedLine[] = [];
    let from = 0;
    for (let end = all.indexOf(newline); end !== -1; end = all.indexOf(newline, from)) {
      lines.push({ atMs: atMs(from), text: decoder.decode(all.subarray(from, end)) });
      from = end + 1;
    }
    this.#restMs = from < all.length ? atMs(from) : null;
    this.#rest = all.slice(from);
    return lines;
  }

  /** No more comes: what was begun and not ended is a line, too. */
  end(): TimedLine[] {
    const [rest, atMs] = [this.#rest, this.#restMs];
    this.#rest = new Uint8Array();
    return rest.length === 0 ? [] : [{ atMs, text: decoder.decode(rest) }];
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
