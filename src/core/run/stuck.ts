// Whether a run is stuck: it gives no sign of work, does the same again and again, or its assistant's turns or calls keep
// failing. It is said to people; what else is done about it, policies say (stuck-acts.ts).

import { builtIn, defaultRules, ruleFor, type PolicyRules, type StuckAct } from "../policy/policy.ts";
import { policiesOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { failRun } from "./failure.ts";
import { takesSlot } from "./run-states.ts";
import type { Heard } from "./heard.ts";
import type { Run } from "./run-state.ts";
import { actOnStuck, chooseAct, strengthOf } from "./stuck-acts.ts";

export type StuckWhy = "silent" | "loop" | "errors" | "tools";

export type Stuck = {
  readonly why: StuckWhy;
  readonly what: string;
  readonly policy: string;
  /** What was done about it. */
  readonly act: StuckAct;
  readonly atMs: number;
};

/** A sign of work: whoever was silent is not any more. */
export function noteActive(state: State, run: Run, atMs: number): void {
  run.activeAtMs = atMs;
  // One that a policy has paused for it does not work by that.
  if (run.stuck?.why !== "silent" || (run.stuck.act === "pause" && run.state === "paused")) return;
  run.stuck = null;
  watchSilence(state, run);
}

/** Asks to be told when the run has been silent for too long. Asked again where policies change. */
export function watchSilence(state: State, run: Run): void {
  if (run.state !== "running" || run.stuck?.why === "silent") return;
  const { value } = limitOf(state, run, "stuckAfterMs");
  if (value !== null) state.table.due.add(`stuck:${run.id}`, run.activeAtMs + value);
}

export function watchAll(state: State): void {
  for (const run of state.runs.values()) watchSilence(state, run);
}

/** It may have been silent for too long. */
export function checkSilence(step: Step, run: Run): void {
  const { value, policy } = limitOf(step.state, run, "stuckAfterMs");
  if (run.state !== "running" || run.stuck?.why === "silent" || value === null) return;
  if (run.activeAtMs + value > step.nowMs) return watchSilence(step.state, run);
  const { call } = run;
  const where = call === null ? "" : `, in step ${call.number} (${call.tool})`;
  const what = `no sign of work for ${Math.round((step.nowMs - run.activeAtMs) / 1000)} s${where}`;
  const { act } = chooseAct(step.state, run, "silent");
  // Taking it up again does more than telling or pausing it would, and less than a policy wants that gives it up.
  if (!isHung(step.state, run) || act === "stop") return sayStuck(step, run, "silent", what, policy);
  step.emit({ type: "run.stuck", v: 1, run: run.id, why: "silent", what, policy, act: "tell" });
  takeUpAgain(step, run, what);
}

function sayStuck(step: Step, run: Run, why: StuckWhy, what: string, policy: string): void {
  const chosen = chooseAct(step.state, run, why);
  step.emit({ type: "run.stuck", v: 1, run: run.id, why, what, policy, act: chosen.act });
  actOnStuck(step, run, why, what, chosen);
}

/** Whether its assistant owes a turn and waits for nothing that we know of: neither for its model nor for a call. */
function isHung({ spending }: State, run: Run): boolean {
  if (run.call !== null || (run.heard?.owes ?? 0) === 0) return false;
  for (const request of spending.requests.values()) if (request.run === run.id) return false;
  return true;
}

function takeUpAgain(step: Step, run: Run, what: string): void {
  const { id, runner, heard } = run;
  const failure = { class: "hung", runner, life: heard?.life ?? 0, retryAfterMs: null, said: "" } as const;
  failRun(step, run, failure, `${runner}: hung: ${what} (${id})`);
}

/** Counts calls that are the same as the one before. What has no fingerprint may come as often as it likes. */
export function noteCall(run: Run, print: string | undefined): void {
  const isSame = print !== undefined && run.repeats?.print === print;
  run.repeats = print === undefined ? null : { print, count: isSame ? (run.repeats?.count ?? 0) + 1 : 1 };
  if (!isSame && run.stuck?.why === "loop") run.stuck = null;
}

export function checkRepeats(step: Step, run: Run, tool: string): void {
  if (run.repeats === null || run.repeats.count < 2 || isKnown(step.state, run, "loop")) return;
  const { value, policy } = limitOf(step.state, run, "stuckAfterRepeats");
  if (run.repeats.count < value) return;
  const what = `the same ${tool}, with the same arguments, ${run.repeats.count} times in a row`;
  sayStuck(step, run, "loop", what, policy);
}

/** Whether it is said already, or something else about which no less was done: told in turn, two of them would be news with every call. */
function isKnown(state: State, run: Run, why: StuckWhy): boolean {
  if (run.stuck === null) return false;
  return run.stuck.why === why || strengthOf(chooseAct(state, run, why).act) <= strengthOf(run.stuck.act);
}

/** Counts turns that failed one after the other. One that somebody broke off says nothing. */
export function noteTurns(run: Run, items: readonly Heard[]): void {
  for (const item of items) {
    // Nor does one that its model's maker broke off: that is waited for.
    if (item.is !== "turn" || ["interrupted", "rate-limit", "outage"].includes(item.why)) continue;
    run.turnErrors = item.ok ? 0 : run.turnErrors + 1;
    if (item.ok && run.stuck?.why === "errors") run.stuck = null;
  }
}

export function checkTurns(step: Step, run: Run): void {
  if (run.turnErrors === 0 || isKnown(step.state, run, "errors")) return;
  const { value, policy } = limitOf(step.state, run, "stuckAfterErrors");
  if (run.turnErrors < value) return;
  const what = `${run.turnErrors} turns of its assistant failed one after the other`;
  sayStuck(step, run, "errors", what, policy);
}

/** Counts calls that failed or were refused one after the other. */
export function noteOutcome(run: Run, ok: boolean): void {
  run.toolErrors = ok ? 0 : run.toolErrors + 1;
  if (ok && run.stuck?.why === "tools") run.stuck = null;
}

export function checkOutcomes(step: Step, run: Run): void {
  if (run.toolErrors < 2) return;
  const { value, policy } = limitOf(step.state, run, "stuckAfterToolErrors");
  if (run.toolErrors < value) return;
  const what = `${run.toolErrors} calls in a row failed or were refused`;
  if (run.heard !== null && run.toolErrors >= stormFactor * value) return endStorm(step, run, what);
  if (isKnown(step.state, run, "tools")) return;
  sayStuck(step, run, "tools", what, policy);
}

/** So many times as much as makes a run stuck by its calls ends its assistant: people have had time to say something. */
const stormFactor = 2;

/** It would go on like that. Who has another conversation may do better. */
function endStorm(step: Step, run: Run, what: string): void {
  const { id, runner, heard } = run;
  const failure = { class: "tool-errors", runner, life: heard?.life ?? 0, retryAfterMs: null, said: "" } as const;
  if (takesSlot(run.state)) failRun(step, run, failure, `${runner}: tool-errors: ${what} (${id})`);
}

type Limit = "stuckAfterMs" | "stuckAfterRepeats" | "stuckAfterErrors" | "stuckAfterToolErrors";
type LimitValue<L extends Limit> = NonNullable<PolicyRules[L]> | (L extends "stuckAfterMs" ? null : never);

function limitOf<L extends Limit>(
  state: State,
  run: Run,
  limit: L,
): { readonly value: LimitValue<L>; readonly policy: string } {
  const stated = ruleFor(policiesOf(state, run), limit);
  const { value, policy } = stated ?? { value: defaultRules[limit], policy: builtIn };
  return { value: value as LimitValue<L>, policy };
}
