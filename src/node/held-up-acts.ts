// Acts that the world is in the way of. Each is tried again until it can be done; meanwhile people are told what it waits for (EN33).

import type { Act } from "../core/acts.ts";
import type { State } from "../core/state.ts";

export type HeldUpAct = {
  readonly run: string;
  readonly act: keyof typeof words;
  /** What is to be done, as one would say it of the run. */
  readonly doing: string;
  readonly why: string;
  readonly sinceMs: number;
};

const words = {
  refresh: "bringing its workspace in step with mainline",
  drive: "taking it up",
  validate: "trying its result",
  land: "landing it",
  rewind: "taking its workspace back to a step",
  stop: "ending it",
} as const;

/** What failed once may do the next time, and nobody need have known. */
const triesMin = 2;

export class HeldUpActs {
  readonly #acts = new Map<string, HeldUpAct>();

  /** An act has failed so often, and is tried again. */
  note(state: State, act: Act, { tries, error, nowMs }: { tries: number; error: unknown; nowMs: number }): void {
    // Living agents and their terminals have their own ways of saying what they wait for.
    if (tries < triesMin || "agent" in act || "terminal" in act) return;
    const run = act.type === "refresh" ? state.runOfFamily.get(act.family) : act.run;
    if (run === undefined) return;
    const why = error instanceof Error ? error.message : String(error);
    const sinceMs = this.#acts.get(act.id)?.sinceMs ?? nowMs;
    this.#acts.set(act.id, { run, act: act.type, doing: words[act.type], why, sinceMs });
  }

  /** It is done, or nobody wants it any more. */
  over(act: string): void {
    this.#acts.delete(act);
  }

  list(): HeldUpAct[] {
    return [...this.#acts.values()];
  }
}
