// Things in the order of time, as many of them as can be told apart where they are drawn. While there are few each stands alone.
// Of many, neighbours are joined: never beyond a slice of the time in which something happened, and slices are at least as fine
// as the bound. It takes in one at a time, so that a run of any length needs no more room than a short one.

type Kept<T> = { readonly at: number; value: T };

export class Slices<T> {
  readonly #max: number;
  readonly #join: (before: T, after: T) => T;
  #kept: Kept<T>[] = [];
  /** 0 while nothing is joined. */
  #width = 0;

  constructor(max: number, join: (before: T, after: T) => T) {
    this.#max = max;
    this.#join = join;
  }

  get values(): T[] {
    return this.#kept.map(({ value }) => value);
  }

  /** `at` is how much time something had happened in until then, and never runs back. */
  add(at: number, value: T): void {
    const last = this.#kept.at(-1);
    if (last !== undefined && this.#width > 0 && this.#slotOf(last.at) === this.#slotOf(at))
      last.value = this.#join(last.value, value);
    else this.#kept.push({ at, value });
    while (this.#kept.length > this.#max) this.#widen(at);
  }

  #widen(at: number): void {
    this.#width = this.#width === 0 ? Math.max(1, (2 * at) / this.#max) : 2 * this.#width;
    const kept: Kept<T>[] = [];
    for (const each of this.#kept) {
      const last = kept.at(-1);
      if (last !== undefined && this.#slotOf(last.at) === this.#slotOf(each.at))
        last.value = this.#join(last.value, each.value);
      else kept.push({ ...each });
    }
    this.#kept = kept;
  }

  #slotOf(at: number): number {
    return Math.floor(at / this.#width);
  }
}
