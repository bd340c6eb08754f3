// Who has waited for a person for too long. It is said once for each thing that is waited for, so that whoever wants to be
// told of it elsewhere can listen for the event.

import { builtIn, defaultRules, ruleFor } from "../policy/policy.ts";
import { policiesOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { needsOf, type Need } from "./needs.ts";
import type { Run } from "./run-state.ts";

/** After how long somebody has waited for too long, and who says so; null is never. */
export function patienceFor(state: State, run: Run): { readonly afterMs: number | null; readonly policy: string } {
  const stated = ruleFor(policiesOf(state, run), "escalateAfterMs");
  return stated === undefined
    ? { afterMs: defaultRules.escalateAfterMs, policy: builtIn }
    : { afterMs: stated.value, policy: stated.policy };
}

/** Asks to be told when the run has waited for too long. Asked again where policies change. */
export function watchNeeds(state: State, run: Run): void {
  const needs = untold(state, run);
  if (needs.length === 0) return;
  const { afterMs } = patienceFor(state, run);
  if (afterMs === null) return;
  for (const { sinceMs } of needs) state.table.due.add(`needs:${run.id}`, sinceMs + afterMs);
}

export function watchAllNeeds(state: State): void {
  for (const run of state.runs.values()) watchNeeds(state, run);
}

/** It may have waited for too long. */
export function checkNeeds(step: Step, run: Run): void {
  const { afterMs, policy } = patienceFor(step.state, run);
  if (afterMs === null) return;
  for (const { kind, sinceMs } of untold(step.state, run)) {
    if (sinceMs + afterMs <= step.nowMs) step.emit({ type: "run.escalated", v: 1, run: run.id, kind, sinceMs, policy });
  }
  watchNeeds(step.state, run);
}

/** What it needs a person for that was not said yet. Whoever waits for its model waits for nobody. */
function untold(state: State, run: Run): Need[] {
  const needs = needsOf(run, isRetried(state, run));
  return needs.filter(({ kind, sinceMs }) => kind !== "delayed" && run.escalated[kind] !== sinceMs);
}

function isRetried(state: State, run: Run): boolean {
  return (state.tasks.get(run.task)?.runs ?? []).some((id) => state.runs.get(id)?.retryOf === run.id);
}
