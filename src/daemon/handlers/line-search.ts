// Lines that have something in them, in bytes that come piece by piece. Only so many are kept, the newest, and a line that does
// not end counts as several: whatever somebody says, looking through it takes a bounded amount of memory.

export type FoundLine = { readonly life: number; readonly offset: number; readonly line: string };

const usualCharsMax = 2000;
const lineBytesMax = 65_536;
const newline = 0x0a;
const nothing = Buffer.alloc(0);

export type LineBounds = {
  /** After so much a line is cut. */
  readonly lineCharsMax?: number;
  /** So much is kept of all lines together, and at least one of them. */
  readonly charsMax?: number;
  /** Whether a line that begins there counts. Asked in their order. */
  readonly accepts?: (offset: number) => boolean;
};

export class LineSearch {
  readonly #wanted: Buffer;
  readonly #bounds: LineBounds;
  #chars = 0;
  readonly #limit: number;
  readonly #found: FoundLine[] = [];
  #more = false;
  #life = 0;
  /** The beginning of a line whose end has not come, and where it stands. */
  #rest: Buffer = nothing;
  #restAt = 0;

  constructor(text: string, limit: number, bounds: LineBounds = {}) {
    this.#bounds = bounds;
    this.#wanted = Buffer.from(text);
    this.#limit = limit;
  }

  get found(): readonly FoundLine[] {
    return this.#found;
  }

  /** Whether earlier ones were left out. */
  get more(): boolean {
    return this.#more;
  }

  begin(life: number): void {
    this.#life = life;
  }

  push(bytes: Buffer, offset: number): void {
    // Where something in between was let go, half a line is not put together with another half.
    if (offset !== this.#restAt + this.#rest.length) this.end();
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const start = offset - this.#rest.length;
    let from = 0;
    for (;;) {
      const end = all.indexOf(newline, from);
      if (end === -1 && all.length - from < lineBytesMax) break;
      const to = end === -1 ? all.length : end;
      for (; from < to; from += lineBytesMax)
        this.#look(all.subarray(from, Math.min(to, from + lineBytesMax)), start + from);
      from = end === -1 ? all.length : end + 1;
    }
    this.#rest = all.subarray(from);
    this.#restAt = start + from;
  }

  /** What came last is a line also without an end. */
  end(): void {
    if (this.#rest.length > 0) this.#look(this.#rest, this.#restAt);
    this.#rest = nothing;
    this.#restAt = 0;
  }

  #look(line: Buffer, offset: number): void {
    const { lineCharsMax = usualCharsMax, charsMax = Infinity, accepts } = this.#bounds;
    if (!line.includes(this.#wanted) || accepts?.(offset) === false) return;
    const text = line.toString("utf8").replace(/\r$/, "").slice(0, lineCharsMax);
    this.#found.push({ life: this.#life, offset, line: text });
    this.#chars += text.length;
    while (this.#found.length > this.#limit || (this.#chars > charsMax && this.#found.length > 1)) {
      this.#chars -= this.#found.shift()?.line.length ?? 0;
      this.#more = true;
    }
  }
}
