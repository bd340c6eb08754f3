// Commands of a template that belong to the agent and not to a service: one that makes its workspace ready, once; one for each
// time that it has come up; one before it is put away. One is under way at a time, and each beginning has a number.

import type { Step } from "../step.ts";
import type { HookName } from "./agent-spec.ts";
import type { Agent } from "./agent-state.ts";

/** Whether an agent waits for its setup: then nothing else of it starts (AW6). */
export function awaitsSetup({ spec, isSetUp }: Agent): boolean {
  return spec.hooks?.setup !== undefined && !isSetUp;
}

/** Whether what it does when it has come up is still to be done (AW7). */
export function awaitsReady({ spec, state, hookEnds }: Agent): boolean {
  return state === "running" && spec.hooks?.ready !== undefined && hookEnds.ready === undefined;
}

/** Whether it would be put away without what it does before that: it has no place for it, or goes down already (AW8). */
export function missesArchiving({ spec, isMade, state, wish, isArchived }: Agent, force: boolean): boolean {
  if (spec.hooks?.archive === undefined || force || isArchived || wish === "archive") return false;
  return !isMade || state === "stopping";
}

/** Whether it does something before it is put away. By force it does not (AW8). */
export function awaitsArchiving({ spec, isMade, force, hookEnds }: Agent): boolean {
  return spec.hooks?.archive !== undefined && isMade && !force && hookEnds.archive === undefined;
}

export function beginHook(step: Step, agent: Agent, hook: HookName): void {
  if (agent.hook !== null) return;
  step.emit({ type: "hook.begun", v: 1, agent: agent.id, hook, number: agent.hooks + 1 });
}
