// The life of a daemon inside a test: what it asks of the world after its end is never answered, and what it had asked for
// before is waited for, so that the next life does not meet it.

export class Life {
  readonly #pending = new Set<Promise<unknown>>();
  readonly #atEnd: (() => void)[] = [];
  readonly #afterwards: (() => Promise<void>)[] = [];
  #isOver = false;
  #ended: Promise<void> | undefined;

  /** Happens in the moment of the end. */
  atEnd(act: () => void): void {
    this.#atEnd.push(act);
  }

  /** Happens when nothing is under way any more. */
  afterwards(act: () => Promise<void>): void {
    this.#afterwards.push(act);
  }

  /** The same thing, as long as this life lasts. Only what answers with a promise is asked. */
  mortal<T extends object>(thing: T): T {
    return new Proxy(thing, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        // What is worked out at once goes nowhere.
        if (name === "nameOfBlob") return value.bind(target) as unknown;
        return (...given: unknown[]) => this.ask(() => Reflect.apply(value, target, given) as Promise<unknown>);
      },
    });
  }

  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    for (const act of this.#atEnd) act();
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
    for (const act of this.#afterwards) await act();
  }

  /** Asks for something. Whoever comes after waits for it, unless it may take for ever. */
  ask<T>(act: () => Promise<T>, isWaitedFor = true): Promise<T> {
    if (this.#isOver) return new Promise(() => undefined);
    const asked = act();
    if (isWaitedFor) this.#pending.add(asked);
    const forget = (): void => void this.#pending.delete(asked);
    asked.then(forget, forget);
    return asked.then(
      (value) => (this.#isOver ? new Promise(() => undefined) : value),
      (error: unknown) => (this.#isOver ? new Promise(() => undefined) : Promise.reject(toError(error))),
    );
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
