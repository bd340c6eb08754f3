// What needs a person, and in which order: first what frees others, then the oldest.

import type { Run } from "../../protocol/wire/run.ts";
import { reasonOf } from "./reason.ts";

export type Need = {
  readonly run: Run;
  readonly kind: "question" | "review";
  /** Runs that go on once this is answered. */
  readonly frees: number;
};

export function toNeeds(runs: Iterable<Run>, waiters: ReadonlyMap<string, number>): Need[] {
  const needs: Need[] = [];
  for (const run of runs) {
    if (run.state !== "awaiting-input" && run.state !== "review") continue;
    const kind = run.state === "review" ? "review" : "question";
    needs.push({ run, kind, frees: waiters.get(run.id) ?? 0 });
  }
  return needs.toSorted((a, b) => b.frees - a.frees || a.run.sinceMs - b.run.sinceMs);
}

/** What reviews are usually for; anything else is worth a line. */
const usualReason = "a policy asks for approval";

/** Why a run is in review, where that says more than that a person should look. */
export function reviewReasonOf(run: Run): string | null {
  return run.because === usualReason ? null : reasonOf(run);
}
