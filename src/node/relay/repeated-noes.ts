// How often a maker of models has refused one and the same request. A program that asks again and again, some for minutes, has its run's
// slot meanwhile: once it has tried often enough, its turn is to end, and its run waits without it (RN32).

/** As often as a program has to ask that gets by a hiccup of its model's maker; a longer wait is its run's. */
export const tellingNoes = 3;
/** So many requests of one run are told apart, the newest. */
const requestsMax = 64;

/** After that it may be asked again, by whoever does not wait for its run. */
const memoryMs = 60_000;

type Noes = { readonly count: number; readonly atMs: number };

export class RepeatedNoes {
  readonly #nowMs: () => number;
  /** By run, then by what tells a request from others. */
  readonly #runs = new Map<string, Map<string, Noes>>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether a request has been refused so often that it is not asked once more. */
  areEnough(run: string, same: string | undefined): boolean {
    const noes = same === undefined ? undefined : this.#runs.get(run)?.get(same);
    return noes !== undefined && noes.count >= tellingNoes && this.#nowMs() - noes.atMs < memoryMs;
  }

  /** What its maker answered, null where it was not reached. */
  note(run: string, same: string | undefined, status: number | null): void {
    if (status !== null && status < 400) return this.forget(run);
    const passesByItself = status === null || status === 429 || status >= 500;
    if (same === undefined || !passesByItself) return undefined;
    const noes = this.#runs.get(run) ?? new Map<string, Noes>();
    this.#runs.set(run, noes);
    const count = (noes.get(same)?.count ?? 0) + 1;
    noes.delete(same);
    noes.set(same, { count, atMs: this.#nowMs() });
    const [oldest] = noes.keys();
    if (noes.size > requestsMax && oldest !== undefined) noes.delete(oldest);
    return undefined;
  }

  /** Whatever it asks next is asked. */
  forget(run: string): void {
    this.#runs.delete(run);
  }
}
