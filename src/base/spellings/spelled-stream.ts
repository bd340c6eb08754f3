// Passes bytes on as they come, and covers values in them, one star for each byte, so that lengths stay as they were. Only bytes that
// may be the beginning of one are held back, until it is clear.

import type { SpelledFinder } from "./spelled-finder.ts";

const star = 0x2a;
const nothing = new Uint8Array();

export class SpelledStream {
  readonly #finder: () => SpelledFinder;
  /** What waits, as it came, and how much of its beginning is covered already: values may overlap. */
  #held: Uint8Array = nothing;
  #covered = 0;

  /** It is asked anew each time: there may be more values than before. */
  constructor(finder: () => SpelledFinder) {
    this.#finder = finder;
  }

  /** The bytes that may pass now. */
  push(chunk: Uint8Array): Uint8Array {
    return this.#pass(this.#held.length === 0 ? chunk : join(this.#held, chunk), false);
  }

  /** What was held back, at the end. */
  end(): Uint8Array {
    return this.#pass(this.#held, true);
  }

  #pass(bytes: Uint8Array, isEnd: boolean): Uint8Array {
    const { spans, open } = this.#finder().find(bytes, isEnd);
    const clean = spans.length === 0 && this.#covered === 0 ? bytes : new Uint8Array(bytes);
    clean.fill(star, 0, this.#covered);
    let covered = this.#covered;
    for (const { from, to } of spans) {
      clean.fill(star, from, to);
      covered = Math.max(covered, to);
    }
    // What is kept is a copy: whoever gave it may use its memory again.
    this.#held = new Uint8Array(bytes.subarray(open));
    this.#covered = Math.max(0, covered - open);
    return clean.subarray(0, open);
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
