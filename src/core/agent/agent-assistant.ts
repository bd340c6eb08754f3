// The assistant of an agent's template: a run in the agent that begins by itself, once everything is up. Each beginning has a
// number. What is decided of it afterwards is decided of any run in an agent.

import { isOver } from "../run/run-states.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Agent } from "./agent-state.ts";

/** Whether its assistant is still to be begun, as its template says (AW18). */
export function awaitsAssistant({ spec, state, wish, hook, assistant, isAssisted }: Agent): boolean {
  if (state !== "running" || wish !== "run" || hook !== null) return false;
  if (spec.assistant?.start === "once") return assistant === null;
  return spec.assistant?.start === "each" && !isAssisted;
}

/** Whether it is being begun, or its run is not over: then it goes on, and no other is begun beside it. */
export function isAssistantThere(state: State, { assistant }: Agent): boolean {
  if (assistant === null) return false;
  const run = state.runs.get(assistant.run ?? "");
  return assistant.state === "called" || (run !== undefined && !isOver(run.state));
}

export function callAssistant(step: Step, { id: agent, spec, assistant }: Agent, prompt: string | null): void {
  const number = (assistant?.number ?? 0) + 1;
  step.emit({ type: "assistant.called", v: 1, agent, number, prompt: prompt ?? spec.assistant?.prompt ?? "" });
}
