// What assistants are just saying: published, and in no log. The last of each run is kept here for as long as it grows.

import type { Growing, GrowingWords } from "../../ports/growing-words.ts";

export class PublishedWords implements GrowingWords {
  readonly secrets: () => Promise<readonly string[]>;
  readonly #growing = new Map<string, readonly Growing[]>();
  #listener: (run: string) => void = () => undefined;

  constructor(secrets: () => Promise<readonly string[]>) {
    this.secrets = secrets;
  }

  /** Tells whoever publishes it which run has something else to show. */
  listen(listener: (run: string) => void): void {
    this.#listener = listener;
  }

  tell(run: string, words: readonly Growing[]): void {
    if (words.length === 0 && !this.#growing.has(run)) return;
    if (words.length === 0) this.#growing.delete(run);
    else this.#growing.set(run, words);
    this.#listener(run);
  }

  of(run: string): readonly Growing[] {
    return this.#growing.get(run) ?? [];
  }

  runs(): readonly string[] {
    return [...this.#growing.keys()];
  }
}
