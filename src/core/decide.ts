// The one entrance to the core: an input at an instant gives events and an answer. What is due comes first, then the
// input, then everything that follows. A refusal adds nothing to what was due anyway.

import { ok, type Result } from "../base/result.ts";
import { decideInput } from "./decide-input.ts";
import { runDue } from "./due.ts";
import type { Logged } from "./events.ts";
import type { Answer, Given, Refusal } from "./inputs.ts";
import { settle } from "./react.ts";
import type { State } from "./state.ts";
import { Step } from "./step.ts";

export type Decision = { readonly events: readonly Logged[]; readonly result: Result<Answer, Refusal> };

/** Decides, and moves the state on by the events it returns. */
export function decide(state: State, given: Given, nowMs: number): Decision {
  const step = new Step(state, nowMs, given.actor);
  // Whoever was silent while the engine was down gets a full period first (LS33).
  if (given.input.type !== "engine.open") runDue(step);
  settle(step, 0);
  const before = step.events.length;
  step.actor = given.actor;
  const result = decideInput(step, given.input);
  settle(step, before);
  return { events: step.events, result: result.ok ? ok(result.value()) : result };
}
