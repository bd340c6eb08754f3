// When what stands in a stream was said: marks of an offset and a time, each true from its offset on until the next. In a file they
// stand one after another, all of one size, so that a place is found without reading what comes before it.

/** An offset, and when what begins there was said. */
export type TimeMark = readonly [offset: number, atMs: number];

export const markBytes = 16;

export function toMarkBytes(marks: readonly TimeMark[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(marks.length * markBytes));
  for (const [index, [offset, atMs]] of marks.entries()) {
    view.setFloat64(index * markBytes, offset, true);
    view.setFloat64(index * markBytes + 8, atMs, true);
  }
  return new Uint8Array(view.buffer);
}

export function toMark({ buffer, byteOffset }: Uint8Array, at = 0): TimeMark {
  const view = new DataView(buffer, byteOffset + at, markBytes);
  return [view.getFloat64(0, true), view.getFloat64(8, true)];
}

/** Of so many marks those that speak of the part from one offset until before another: the last one before it, and those in it. */
export function marksFor(count: number, markAt: (index: number) => TimeMark, from: number, to: number): TimeMark[] {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (markAt(middle)[0] <= from) low = middle + 1;
    else high = middle;
  }
  const found: TimeMark[] = [];
  for (let index = Math.max(0, low - 1); index < count; index++) {
    const mark = markAt(index);
    if (mark[0] >= to) break;
    found.push(mark);
  }
  return found;
}

/** Reads when something was said off marks in their order; asked with offsets that rise. Null before the first. */
export class TimeReader {
  readonly #marks: readonly TimeMark[];
  #next = 0;

  constructor(marks: readonly TimeMark[]) {
    this.#marks = marks;
  }

  at(offset: number): number | null {
    for (let mark = this.#marks[this.#next]; mark !== undefined && mark[0] <= offset; mark = this.#marks[this.#next])
      this.#next++;
    return this.#marks[this.#next - 1]?.[1] ?? null;
  }
}
