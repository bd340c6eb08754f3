// Group commit in front of anything that stores a batch: what comes in while one batch is on its way makes up the next.
// It gathers like the engine does, so that both sides of a row have batches of the same size.

export class GroupCommit {
  readonly #store: (bodies: readonly string[]) => void | Promise<void>;
  #waiting: { readonly body: string; readonly done: () => void }[] = [];
  #busy = false;

  constructor(store: (bodies: readonly string[]) => void | Promise<void>) {
    this.#store = store;
  }

  append(body: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ body, done: resolve });
      this.#flushSoon();
    });
  }

  #flushSoon(): void {
    if (this.#busy) return;
    this.#busy = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    await this.#store(batch.map(({ body }) => body));
    for (const { done } of batch) done();
    this.#busy = false;
    if (this.#waiting.length > 0) this.#flushSoon();
  }
}
