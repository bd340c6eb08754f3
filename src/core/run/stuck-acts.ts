// What follows when a run is found to get nowhere, beside that people are told: policies say so, for each reason apart. How it
// is found stands in stuck.ts.

import { builtIn, defaultRules, ruleFor, type StuckAct } from "../policy/policy.ts";
import { policiesOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { moveRun } from "./run-flow.ts";
import { pauseRun } from "./run-pause.ts";
import type { Run } from "./run-state.ts";
import { isDriven, mayMove } from "./run-states.ts";
import type { StuckWhy } from "./stuck.ts";

const rules = { silent: "onSilent", loop: "onLoop", errors: "onErrors", tools: "onToolErrors" } as const;

/** From the weakest on. */
const acts: readonly StuckAct[] = ["tell", "nudge", "pause", "stop"];

/** A stronger one takes the place of a weaker one (RN35). */
export function strengthOf(act: StuckAct): number {
  return acts.indexOf(act);
}

export type Chosen = { readonly act: StuckAct; readonly policy: string };

/** What policies want done. What cannot be done to this run as it is now is no more than told. */
export function chooseAct(state: State, run: Run, why: StuckWhy): Chosen {
  const stated = ruleFor(policiesOf(state, run), rules[why]);
  const { value, policy } = stated ?? { value: defaultRules[rules[why]], policy: builtIn };
  const act = value ?? "tell";
  return { act: canBeDone(run, act) ? act : "tell", policy };
}

/** Only an assistant can be told something: a script does not listen, and a command would be run once more for it (RN28). */
function canBeDone(run: Run, act: StuckAct): boolean {
  if (act === "nudge") return run.heard !== null && isDriven(run.state);
  return act === "pause" ? mayMove(run.state, "paused") : true;
}

export function actOnStuck(step: Step, run: Run, why: StuckWhy, what: string, { act, policy }: Chosen): void {
  if (act === "nudge") return nudge(step, run, why, what);
  if (act === "pause") pauseRun(step, run, `stuck: ${what}`);
  if (act === "stop") moveRun(step, run, "failed", `stuck: ${what}`, policy);
}

/** Its own assistant is told what others see. It is nothing new to do, so its turns are counted on. */
function nudge(step: Step, run: Run, why: StuckWhy, what: string): void {
  const text = `${what[0]?.toUpperCase() ?? ""}${what.slice(1)}. ${advice[why]}`;
  step.emit({
    ...{ type: "run.messaged", v: 1, run: run.id, text, nudge: true },
    // Whoever says nothing reads nothing before its turn ends.
    ...(why === "silent" ? { interrupts: true } : {}),
  });
}

const orElse = "If there is no other way, ask a person, or finish and say what is in the way.";
const advice: Readonly<Record<StuckWhy, string>> = {
  silent: `Go on with the task, in smaller steps. ${orElse}`,
  loop: `The answer will stay the same: read it again and try something else. ${orElse}`,
  errors: `Go on with the task in another way. ${orElse}`,
  tools: `Each answer says what to do instead: read the last one and do that. ${orElse}`,
};
