// What a run needs a person for, and since when. It knows nothing of how people are told.

import type { Run } from "./run-state.ts";
import { isOver } from "./run-states.ts";

export type NeedKind = "question" | "permission" | "review" | "failure" | "stuck" | "delayed" | "budget";

export type Need = { readonly kind: NeedKind; readonly sinceMs: number };

/** In the order in which they are told. A failure that was tried again is nobody's concern any more. */
export function needsOf(run: Run, isRetried: boolean): Need[] {
  const { question, state, modelRefused, stuck, delay, sinceMs } = run;
  const needs: Need[] = [];
  if (question !== null) needs.push({ kind: question.leave === undefined ? "question" : "permission", sinceMs });
  if (state === "review") needs.push({ kind: "review", sinceMs });
  if (state === "failed" && !run.seen && !run.sub && !isRetried) needs.push({ kind: "failure", sinceMs });
  if (stuck !== null && !run.seen) needs.push({ kind: "stuck", sinceMs: stuck.atMs });
  if (delay !== null && !run.seen) needs.push({ kind: "delayed", sinceMs });
  if (modelRefused !== null && modelRefused.raised !== true && !isOver(state))
    needs.push({ kind: "budget", sinceMs: modelRefused.atMs });
  return needs;
}
