// What assistants are just saying, on its way to those who want to know: gathered for a moment, and for whoever has not taken the last
// of it later, or never. It is always all that grows, so nothing is missed by what is left out.

import type { EventFilter } from "../event-filter.ts";
import type { DaemonParts } from "../parts.ts";
import type { StreamReader } from "./stream-reader.ts";
import { makeTextFrame } from "./text-frame.ts";

/** Often enough to be read along. */
const everyMs = 100;

export class WordsOut {
  readonly #parts: Pick<DaemonParts, "clock" | "words">;
  readonly #isWanted: (filter: EventFilter, run: string) => boolean;
  /** Those who do not know the newest of some run. */
  readonly #due = new Set<StreamReader>();
  #cancel: (() => void) | undefined;

  constructor(parts: Pick<DaemonParts, "clock" | "words">, isWanted: (filter: EventFilter, run: string) => boolean) {
    this.#parts = parts;
    this.#isWanted = isWanted;
  }

  /** A run has something else to show than these know of. */
  note(run: string, readers: Iterable<StreamReader>): void {
    for (const reader of readers) {
      if (!reader.wantsWords || !this.#isWanted(reader.filter, run)) continue;
      reader.wordsDue.add(run);
      this.#due.add(reader);
    }
    this.#soon();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#due.clear();
  }

  #soon(): void {
    if (this.#due.size > 0) this.#cancel ??= this.#parts.clock.setTimer(everyMs, () => this.#flush());
  }

  #flush(): void {
    this.#cancel = undefined;
    const frames = new Map<string, Buffer>();
    for (const reader of this.#due) {
      // Who has not taken what came before gets none of this, and the newest of it when that is done.
      if (reader.hasUnsent && reader.wordsDue.size > 0) continue;
      for (const run of reader.wordsDue) {
        const frame =
          frames.get(run) ??
          makeTextFrame(JSON.stringify({ saying: { run, words: this.#parts.words?.of(run) ?? [] } }));
        frames.set(run, frame);
        reader.send(frame, reader.at);
      }
      reader.wordsDue.clear();
      this.#due.delete(reader);
    }
    this.#soon();
  }
}
