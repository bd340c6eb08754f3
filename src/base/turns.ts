/** Lets things that share a key happen one after the other, in the order in which they were asked for. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether anything of a key is under way. */
  has(key: string): boolean {
    return this.#last.has(key);
  }

  /** The keys of which something is under way. */
  keys(): Iterable<string> {
    return this.#last.keys();
  }

  take<T>(key: string, act: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(act);
    const over: Promise<unknown> = turn
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === over) this.#last.delete(key);
      });
    this.#last.set(key, over);
    return turn;
  }
}
