// Something takes longer than a second: says what, on standard error, so that nobody wonders.

import type { Output } from "./output.ts";
import { toSafeLine } from "./text/safe-text.ts";
import { showDuration } from "./text/duration.ts";
import { cutEnd } from "./text/text-width.ts";

const quietMs = 1000;
const clearLine = "\r\u001b[2K";

export class Progress {
  readonly #out: Output;
  readonly #startedAtMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #text: string;
  #told = "";
  #drawn = false;

  constructor(out: Output, text: string) {
    this.#out = out;
    this.#text = text;
    this.#timer = setInterval(() => this.#show(), quietMs);
    this.#timer.unref();
  }

  set(text: string): void {
    this.#text = text;
  }

  /** Makes room for other output, and ends it. */
  stop(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  /** Takes the line away until the next tick, so that other output does not stand beside it. */
  clear(): void {
    if (this.#drawn) this.#out.draw(clearLine);
    this.#drawn = false;
  }

  #show(): void {
    const text = toSafeLine(this.#text);
    if (this.#out.notesAreOnScreen) {
      const line = `… ${text} (${showDuration(performance.now() - this.#startedAtMs)})`;
      this.#out.draw(`${clearLine}${this.#out.noteColors.dim(cutEnd(line, this.#out.width - 1))}`);
      this.#drawn = true;
    } else if (this.#told !== text) {
      // A file does not need to be told every second.
      this.#told = text;
      this.#out.note(`… ${text}`);
    }
  }
}

/** Does something, with a word about it when it takes long. */
export async function withProgress<T>(out: Output, text: string, work: Promise<T>): Promise<T> {
  const progress = new Progress(out, text);
  try {
    return await work;
  } finally {
    progress.stop();
  }
}
