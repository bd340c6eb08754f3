/** Acts that must not come between one another run in the order in which they were asked for. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(act: () => Promise<T>): Promise<T> {
    const next = this.#last.then(act);
    this.#last = next.catch(() => undefined);
    return next;
  }
}
