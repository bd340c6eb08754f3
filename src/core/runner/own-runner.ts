// Runners that a person has defined: an agent of the Agent Client Protocol by the command that starts it, and how its models
// are asked. It is called `acp:NAME` wherever a runner is named.

import { refuse, type Result } from "../../base/result.ts";
import type { Input, Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { isOver } from "../run/run-states.ts";
import type { Step } from "../step.ts";

/** How its program asks models, and so whose credential pays for them. */
export type ModelFormat = "anthropic" | "openai-responses" | "openai-chat" | "gemini";

export function makerOf(format: ModelFormat): "anthropic" | "openai" | "gemini" {
  return format === "anthropic" || format === "gemini" ? format : "openai";
}

export type OwnRunner = {
  /** With what stands before it: `acp:NAME`. */
  readonly name: string;
  /** Its program and arguments. */
  readonly command: readonly string[];
  readonly format: ModelFormat;
  /** The credential that pays for its models; null is the usual one of the format. */
  readonly credential: string | null;
  /** Where its models are; null is the usual place. */
  readonly baseUrl: string | null;
  /** The protocol's name of the way in which it wants to be let in; null where it does not ask. */
  readonly auth: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Files to lay out in its home. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
};

export type OwnRunnerEvent =
  | { readonly type: "runner.set"; readonly v: 1; readonly runner: OwnRunner }
  | { readonly type: "runner.removed"; readonly v: 1; readonly name: string };

export function setRunner(step: Step, { runner }: Extract<Input, { type: "runner.set" }>): Result<Later, Refusal> {
  step.emit({ type: "runner.set", v: 1, runner });
  return done();
}

/** One that a profile names, or a run works with, stays. */
export function removeRunner(step: Step, name: string): Result<Later, Refusal> {
  const { runners, profiles, runs } = step.state;
  if (!runners.has(name)) return refuse({ code: "not-found", kind: "runner", id: name });
  const inUse = (by: string): Result<Later, Refusal> => refuse({ code: "in-use", kind: "runner", id: name, by });
  for (const { name: profile, settings } of profiles.values())
    if (settings.runner === name || settings.fallbacks?.includes(name) === true) return inUse(`the profile ${profile}`);
  for (const run of runs.values()) if (run.runner === name && !isOver(run.state)) return inUse(run.id);
  step.emit({ type: "runner.removed", v: 1, name });
  return done();
}
