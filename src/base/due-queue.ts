/**
 * What falls due when, earliest first; equal times in order of name. Entries are never removed from the middle: whoever
 * takes one asks whether it still holds, and puts it back with its new time if it moved. Renewing a thousand leases
 * therefore costs nothing here.
 */
export class DueQueue {
  readonly #heap: { atMs: number; name: string }[] = [];
  readonly #soonest = new Map<string, number>();

  get size(): number {
    return this.#heap.length;
  }

  /** Asks to be told of `name` at `atMs`. An earlier wish for the same name stays and will be asked first. */
  add(name: string, atMs: number): void {
    const known = this.#soonest.get(name);
    if (known !== undefined && known <= atMs) return;
    this.#soonest.set(name, atMs);
    this.#heap.push({ atMs, name });
    this.#up(this.#heap.length - 1);
  }

  /** When the next entry may fall due. It may turn out to have moved. */
  peekMs(): number | undefined {
    return this.#heap[0]?.atMs;
  }

  /** Takes the next entry that is due, if there is one. */
  take(nowMs: number): string | undefined {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.atMs > nowMs) return undefined;
      this.#drop();
      if (this.#soonest.get(first.name) !== first.atMs) continue;
      this.#soonest.delete(first.name);
      return first.name;
    }
  }

  #drop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#down(0);
  }

  #up(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(from: number): void {
    let at = from;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && this.#before(child, least)) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #before(i: number, j: number): boolean {
    const a = this.#heap[i];
    const b = this.#heap[j];
    if (a === undefined || b === undefined) return false;
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.name < b.name);
  }

  #swap(i: number, j: number): void {
    const a = this.#heap[i];
    const b = this.#heap[j];
    if (a === undefined || b === undefined) return;
    this.#heap[i] = b;
    this.#heap[j] = a;
  }
}
