// How often the program of a run may die before its run fails: soon where it says nothing, and later where it says something each
// time and gets nowhere, for each life costs what its model costs (RN31).

import type { Clock } from "../../ports/clock.ts";

/** How often it may die without having said anything. */
const wordlessMax = 3;
/** How often it may die in the middle of what it does, within so long. */
const [oftenMax, oftenMs] = [10, 3_600_000];

export class Deaths {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #wordless = 0;
  #atMs: number[] = [];

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** It has said something. */
  noteWord(): void {
    this.#wordless = 0;
  }

  /** It has died. Answers what to say of how often, where that is too often; else null. */
  note({ owes }: { readonly owes: boolean }): string | null {
    const nowMs = this.#clock.monotonicMs();
    // One that has nothing left to do may go.
    if (owes) this.#atMs = [...this.#atMs.filter((atMs) => nowMs - atMs < oftenMs), nowMs];
    if (++this.#wordless >= wordlessMax) return "";
    return this.#atMs.length >= oftenMax ? `, ${oftenMax} times within an hour` : null;
  }
}
