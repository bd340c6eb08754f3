// Gives a run more room than its profile gave it (PF21). It knows the limits that a profile states by name, and nothing of policies.

import { refuse, type Result } from "../../base/result.ts";
import type { Input, Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { limitOf } from "../profile/profile.ts";
import type { Step } from "../step.ts";
import type { RunRaised } from "./run-events.ts";
import type { Run } from "./run-state.ts";
import { isOver } from "./run-states.ts";

/** The limits of a profile that can be raised for a run. */
export type RaisedLimit = "maxCostMicros" | "maxTurns";

export type RaiseRefusal =
  /** Its profile gave it no such limit. */
  | { readonly code: "no-limit"; readonly run: string; readonly limit: RaisedLimit }
  | {
      readonly code: "not-higher";
      readonly run: string;
      readonly limit: RaisedLimit;
      readonly value: number;
      readonly now: number;
    };

export function raiseRun(
  step: Step,
  run: Run,
  { limit, value }: Extract<Input, { type: "run.raise" }>,
): Result<Later, Refusal> {
  if (!step.actor.startsWith("person:")) return refuse({ code: "forbidden", what: "raising a limit of a run" });
  if (isOver(run.state)) return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "not over" });
  const now = run.settings?.[limit];
  if (now === undefined) return refuse({ code: "no-limit", run: run.id, limit });
  // Upwards only: what is spent is spent, and of two who raise it at once neither takes back what the other gave.
  if (value <= now) return refuse({ code: "not-higher", run: run.id, limit, value, now });
  step.emit({ type: "run.raised", v: 1, run: run.id, limit, was: now, value });
  return done();
}

/** What kept it from its model, where that was this limit, does so no more. It is kept in mind until a request is let through. */
export function noteRaised(run: Run, { limit, value }: RunRaised): void {
  run.settings = { ...run.settings, [limit]: value };
  const { modelRefused } = run;
  if (modelRefused?.policy !== limitOf(run.profile) || codes[limit] !== modelRefused.code) return;
  run.modelRefused = { ...modelRefused, raised: true };
}

const codes = { maxCostMicros: "budget-spent", maxTurns: "turns-spent" } as const satisfies Record<RaisedLimit, string>;
