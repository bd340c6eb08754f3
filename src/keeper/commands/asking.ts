// Who is asked to go, of the processes that are to: those that are there, each once, and not what they start because they were
// asked. Whoever tidies up before it goes starts programs for that, and a signal would end these in the middle of it.

import { constants } from "node:os";
import type { SignalName } from "../cage/holder.ts";
import { handles, nowTicks, type SeenProcess } from "../os/processes.ts";

export class Asking {
  readonly #signals: readonly number[];
  /** When each was asked, by the kernel's clock; nothing of those that are left alone. */
  readonly #known = new Map<string, number | null>();
  #firstTicks: number | undefined;
  #mayStartMore = false;

  constructor(names: readonly SignalName[]) {
    this.#signals = names.map((name) => constants.signals[`SIG${name}`]);
  }

  /** Those of the found that are to be asked now. Whoever has found them asks them at once. */
  choose(found: readonly SeenProcess[]): SeenProcess[] {
    const atTicks = nowTicks();
    const fresh = found.filter((each) => !this.#known.has(keyOf(each)));
    const answers = this.#mayStartMore ? this.#answersAmong(fresh, found) : new Set<SeenProcess>();
    const chosen = fresh.filter((each) => !answers.has(each));
    for (const each of fresh) this.#known.set(keyOf(each), answers.has(each) ? null : atTicks);
    this.#firstTicks ??= atTicks;
    // Whoever does nothing about a signal but end by it starts nothing because of it.
    this.#mayStartMore ||= chosen.some(({ pid }) => this.#signals.some((number) => handles(pid, number)));
    return chosen;
  }

  /** Those that somebody started after they had been asked, and whoever comes from these. */
  #answersAmong(fresh: readonly SeenProcess[], found: readonly SeenProcess[]): Set<SeenProcess> {
    const byPid = new Map(found.map((each) => [each.pid, each]));
    const answers = new Set<SeenProcess>();
    const isAnswer = (each: SeenProcess): boolean => {
      const parent = byPid.get(each.parent);
      // Who started an orphan is not known any more; it was nobody who was asked before the first.
      const askedTicks = parent === undefined ? this.#firstTicks : this.#known.get(keyOf(parent));
      if (askedTicks === null || (parent !== undefined && answers.has(parent))) return true;
      // One whose parent was not asked either is asked with it.
      return askedTicks !== undefined && Number(each.startTicks) >= askedTicks;
    };
    for (let before = -1; before < answers.size;) {
      before = answers.size;
      for (const each of fresh) if (isAnswer(each)) answers.add(each);
    }
    return answers;
  }
}

function keyOf({ pid, startTicks }: SeenProcess): string {
  return `${pid} ${startTicks}`;
}
