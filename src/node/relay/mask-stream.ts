// Passes bytes on as they come, and covers what must not pass, however it is spelled.

import type { SpelledFinder } from "../../base/spellings/spelled-finder.ts";
import { SpelledStream } from "../../base/spellings/spelled-stream.ts";

export class MaskStream {
  readonly #stream: SpelledStream;

  constructor(finder: SpelledFinder) {
    this.#stream = new SpelledStream(() => finder);
  }

  /** The bytes that may pass now. */
  push(chunk: Buffer): Buffer {
    return toBuffer(this.#stream.push(chunk));
  }

  /** What was held back, at the end. */
  end(): Buffer {
    return toBuffer(this.#stream.end());
  }
}

/** Covers a header's value. */
export function maskText(text: string, finder: SpelledFinder): string {
  const mask = new MaskStream(finder);
  return Buffer.concat([mask.push(Buffer.from(text, "latin1")), mask.end()]).toString("latin1");
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
