// Warnings that somebody has seen. What is warned of is read off the rest of the state, so a warning has no life of its own here: it has
// a name, and for a day after somebody has seen it nobody is told again (RN43).

import type { Step } from "../step.ts";
import type { State } from "../state.ts";

/** Somebody has seen a warning, or takes that back. */
export type WarningSeen = {
  readonly type: "warning.seen";
  readonly v: 1;
  readonly warning: string;
  readonly undone?: true;
};

/** Whatever is still so after this is news again. */
export const warningSeenMs = 86_400_000;
/** The oldest go first. */
const seenMax = 1000;

export function seeWarning(step: Step, { warning, undo }: { readonly warning: string; readonly undo: boolean }): void {
  if (isWarningSeen(step.state, warning, step.nowMs) === !undo) return;
  step.emit({ type: "warning.seen", v: 1, warning, ...(undo ? { undone: true } : {}) });
}

export function evolveWarnings({ seenWarnings }: State, { warning, undone }: WarningSeen, atMs: number): void {
  seenWarnings.delete(warning);
  if (undone === undefined) seenWarnings.set(warning, atMs);
  for (const [name, seenAtMs] of seenWarnings)
    if (seenAtMs <= atMs - warningSeenMs || seenWarnings.size > seenMax) seenWarnings.delete(name);
}

export function isWarningSeen({ seenWarnings }: State, warning: string, nowMs: number): boolean {
  const atMs = seenWarnings.get(warning);
  return atMs !== undefined && atMs > nowMs - warningSeenMs;
}
