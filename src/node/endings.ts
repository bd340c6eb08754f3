// Acts by which something of ours goes for good, while they are under way.

export class Endings {
  readonly #whose = new Map<Promise<void>, string>();

  note(whose: string, done: Promise<void>): void {
    this.#whose.set(done, whose);
    void done.finally(() => this.#whose.delete(done));
  }

  /**
   * Resolves when everything that was being ended is gone: a keeper whose run is over would outlive us for nobody. Whoever has waited
   * so long hears whose ends are still under way: the world may be in the way of one for ever.
   */
  async settled(patienceMs: number): Promise<ReadonlySet<string>> {
    const awaited = [...this.#whose.keys()];
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => late.resolve(), patienceMs);
    await Promise.race([Promise.allSettled(awaited), late.promise]);
    clearTimeout(timer);
    return new Set(awaited.flatMap((done) => this.#whose.get(done) ?? []));
  }
}
