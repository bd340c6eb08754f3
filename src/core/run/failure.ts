// What follows when an assistant ends badly: the same one is tried again later, another one takes over, or the run fails. It
// knows nothing of programs or makers; which kind of failure it was, whoever drives the run says.

import { unreachable } from "../../base/assert.ts";
import { refusedWords } from "../budget/refused-words.ts";
import { familyOf } from "../lease/lease-state.ts";
import { applicable, builtIn, checkRunner, defaultRules, ruleFor } from "../policy/policy.ts";
import { policiesOf, subjectOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { endWaits, goOn, moveRun } from "./run-flow.ts";
import type { Run } from "./run-state.ts";
import { takesSlot } from "./run-states.ts";

export const failureClasses = [
  "rate-limit",
  "outage",
  "hung",
  "auth",
  "context",
  "crashed",
  "tool-errors",
  "missing",
  "refused",
  "max-turns",
  "budget",
  "error",
] as const;

export type FailureClass = (typeof failureClasses)[number];

/** How an assistant failed its run. */
export type Failure = {
  readonly class: FailureClass;
  /** Who failed, and in which life of its program: the same again is no news. */
  readonly runner: string;
  readonly life: number;
  /** When its model's maker wants to be asked again, where that is known. */
  readonly retryAfterMs: number | null;
  /** The last that it said of its work. */
  readonly said: string;
};

/** A run that waits to be tried again. */
export type Delay = {
  readonly failure: FailureClass;
  readonly what: string;
  /** Which try the next one is, of how many there may be, and who said so. One after a limit was raised counts as none. */
  readonly attempt: number;
  readonly attemptsMax: number;
  readonly policy: string;
  readonly untilMs: number;
};

/** A run whose assistant another one took over from. */
export type Handed = {
  readonly from: string;
  readonly failure: FailureClass;
  readonly said: string;
  /** Lives of programs that were not its own. */
  readonly lives: number;
};

const waitMsMin = 1000;
const backOffMsMax = 15 * 60_000;
const waitMsMax = 24 * 3_600_000;
/** Longer than this nobody waits whose work another could do. */
const longWaitMs = 3_600_000;

/** An assistant has failed its run, which is at work. */
export function failRun(step: Step, run: Run, failure: Failure, said: string): void {
  // What somebody else was told of already, or what an earlier one says late.
  if (failure.runner !== run.runner || failure.life <= run.failedLife) return;
  // A limit of ours speaks through whatever its assistant makes of it.
  const { kind, what, isRaised = false } = limitIn(run) ?? { kind: failure.class, what: said };
  const next = mayHandOver(kind) ? nextRunner(step.state, run) : undefined;
  // Whoever raised it wants the run to go on; its assistant had given up by then, and has no reason to any more (PF21).
  const retryAfterMs = isRaised ? 0 : failure.retryAfterMs;
  const again = { ...failure, class: kind, retryAfterMs };
  const isTried = isRaised || mayRetry(kind);
  const delay = isTried ? delayOf(step, run, again, { what, hasNext: next !== undefined, isRaised }) : undefined;
  if (delay !== undefined) {
    // Whoever waits to go on would do so with the next grant, before its time; it asks anew when that has come.
    if (run.state === "parked") endWaits(step, run, "paused");
    step.emit({ type: "run.delayed", v: 1, run: run.id, ...delay, life: failure.life });
    return leaveWork(step, run, what, delay.policy);
  }
  if (next === undefined) return moveRun(step, run, "failed", what, null, { failure: kind });
  const { runner: from } = failure;
  leaveWork(step, run, what, null);
  step.emit({ type: "run.handed", v: 1, run: run.id, from, to: next, failure: kind, what, said: failure.said });
  if (run.state === "parked") goOn(step, run, `${next} takes over`);
}

/** The limit that keeps it from its model, in words, and whether it does no more. */
function limitIn({ modelRefused, runner }: Run): { kind: FailureClass; what: string; isRaised: boolean } | undefined {
  if (modelRefused === null) return undefined;
  const { code, policy, raised: isRaised = false } = modelRefused;
  const since = isRaised ? ", which was raised since" : "";
  if (code === "turns-spent") {
    const why = `it asked its model as often as its ${policy} lets it${since}`;
    return { kind: "max-turns", what: `${runner}: max-turns: ${why}`, isRaised };
  }
  return { kind: "budget", what: `${runner}: budget: ${refusedWords(modelRefused)}${since}`, isRaised };
}

/** Returns its slot. Whoever has none, paused or asking, stays what it is. */
function leaveWork(step: Step, run: Run, because: string, policy: string | null): void {
  if (takesSlot(run.state)) moveRun(step, run, "parked", because, policy);
}

/** The time has come: it goes on as soon as there is room for it. */
export function tryAgain(step: Step, run: Run): void {
  // Whoever lost its leases, meanwhile or in this very moment, goes on when its node is back.
  const isLost = run.lost || familyOf(step.state.table, run.family).life === "over";
  if (run.delay === null || run.state !== "parked" || isLost) return;
  if (run.delay.untilMs > step.nowMs) return watchDelay(step.state, run);
  goOn(step, run, "it is tried again");
}

export function watchDelay(state: State, run: Run): void {
  if (run.delay !== null) state.table.due.add(`retry:${run.id}`, run.delay.untilMs);
}

/** Whether the same could go well later, without anybody doing anything about it. */
function mayRetry(kind: FailureClass): boolean {
  return kind === "rate-limit" || kind === "outage" || kind === "hung";
}

/**
 * Whether another assistant could do what this one could not. A refusal is no such thing: who asks around until somebody
 * agrees goes around it, and that is for a person. Nor is a limit that people have set.
 */
function mayHandOver(kind: FailureClass): boolean {
  switch (kind) {
    case "rate-limit":
    case "outage":
    case "hung":
    case "auth":
    case "context":
    case "crashed":
    case "tool-errors":
    case "missing":
      return true;
    case "refused":
    case "max-turns":
    case "budget":
    case "error":
      return false;
    default:
      return unreachable(kind);
  }
}

type About = { readonly what: string; readonly hasNext: boolean; readonly isRaised: boolean };

/** How long it waits for its next try; undefined where there is none. */
function delayOf(step: Step, run: Run, failure: Failure, { what, hasNext, isRaised }: About): Delay | undefined {
  const policies = policiesOf(step.state, run);
  const stated = ruleFor(policies, "maxRetries");
  const attemptsMax = stated?.value ?? defaultRules.maxRetries;
  // Whoever got something done since the last time begins to count anew.
  const tried = run.callsDone > run.retriedAt ? 0 : run.retries;
  // Nothing has failed where a limit was raised in time: that is none of the tries, and needs none to be left.
  const attempt = isRaised ? Math.min(tried, attemptsMax) : tried + 1;
  if (attempt > attemptsMax) return undefined;
  const firstMs = ruleFor(policies, "retryWaitMs")?.value ?? defaultRules.retryWaitMs;
  const backOffMs = Math.min(firstMs * 2 ** (attempt - 1), Math.max(firstMs, backOffMsMax));
  const waitMs = Math.min(Math.max(failure.retryAfterMs ?? backOffMs, waitMsMin), waitMsMax);
  if (waitMs > longWaitMs && hasNext) return undefined;
  const policy = stated?.policy ?? builtIn;
  return { failure: failure.class, what, attempt, attemptsMax, policy, untilMs: step.nowMs + waitMs };
}

/** The next of its profile's runners that may work for it. Scripts and commands need what this run has not. */
function nextRunner(state: State, run: Run): string | undefined {
  const { runner, fallbacks = [] } = run.settings ?? {};
  const at = run.runner === runner ? 0 : fallbacks.indexOf(run.runner) + 1;
  if (run.sub || (at === 0 && run.runner !== runner)) return undefined;
  return fallbacks.slice(at).find((name) => {
    if (name === "script" || name === "command") return false;
    const policies = applicable(state.policies, { ...subjectOf(run), runner: name }, run.settings?.policy);
    return checkRunner(policies, name) === undefined;
  });
}
