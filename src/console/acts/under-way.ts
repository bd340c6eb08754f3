/** What was asked for and has no answer yet. Asked for once more, by a second press or a second click, it is not done twice. */
export class UnderWay {
  readonly #names = new Set<string>();

  /** Answers what the act answered, and no where it is under way already. */
  async once(name: string, act: () => Promise<boolean>): Promise<boolean> {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    try {
      return await act();
    } finally {
      this.#names.delete(name);
    }
  }
}
