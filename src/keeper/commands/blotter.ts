// Blots values out of a stream of bytes before anything of it is written, however they are spelled: byte for byte, so that everything
// else stays where it is. The beginning of a value at the end of what has come waits for what comes next.

import { SpelledFinder } from "../../base/spellings/spelled-finder.ts";
import { SpelledStream } from "../../base/spellings/spelled-stream.ts";

export class Blotter {
  /** Looked at each time: more values may be told while a command runs. */
  readonly #values: ReadonlySet<string>;
  readonly #stream = new SpelledStream(() => this.#finderNow());
  #finder = new SpelledFinder([]);
  #known = 0;

  constructor(values: ReadonlySet<string>) {
    this.#values = values;
  }

  /** What may be written of it now. */
  pass(bytes: Buffer): Buffer {
    return this.#values.size === 0 ? bytes : toBuffer(this.#stream.push(bytes));
  }

  /** What waited, when nothing more will come. */
  rest(): Buffer {
    return toBuffer(this.#stream.end());
  }

  #finderNow(): SpelledFinder {
    if (this.#known === this.#values.size) return this.#finder;
    this.#known = this.#values.size;
    this.#finder = new SpelledFinder([...this.#values].map((value) => Buffer.from(value)));
    return this.#finder;
  }
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
