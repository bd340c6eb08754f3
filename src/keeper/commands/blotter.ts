// Blots values out of a stream of bytes before anything of it is written: byte for byte, so that everything else stays where
// it is. The beginning of a value at the end of what has come waits for what comes next.

const star = "*".charCodeAt(0);
const nothing = Buffer.alloc(0);

export class Blotter {
  /** Looked at each time: more values may be told while a command runs. */
  readonly #values: ReadonlySet<string>;
  /** What waits, as it was said and as it will be written: values may overlap. */
  #said = nothing;
  #clean = nothing;

  constructor(values: ReadonlySet<string>) {
    this.#values = values;
  }

  /** What may be written of it now. */
  pass(bytes: Buffer): Buffer {
    if (this.#values.size === 0 && this.#said.length === 0) return bytes;
    const values = [...this.#values].map((value) => Buffer.from(value));
    const said = Buffer.concat([this.#said, bytes]);
    const clean = Buffer.concat([this.#clean, bytes]);
    for (const value of values) {
      for (let at = said.indexOf(value); at >= 0; at = said.indexOf(value, at + 1))
        clean.fill(star, at, at + value.length);
    }
    const from = said.length - Math.max(0, ...values.map((value) => beginningAtEnd(said, value)));
    this.#said = said.subarray(from);
    this.#clean = clean.subarray(from);
    return clean.subarray(0, from);
  }

  /** What waited, when nothing more will come. */
  rest(): Buffer {
    const clean = this.#clean;
    this.#said = nothing;
    this.#clean = nothing;
    return clean;
  }
}

/** How many of the last bytes are how the value begins. */
function beginningAtEnd(bytes: Buffer, value: Buffer): number {
  for (let count = Math.min(value.length - 1, bytes.length); count > 0; count--)
    if (bytes.subarray(bytes.length - count).equals(value.subarray(0, count))) return count;
  return 0;
}
