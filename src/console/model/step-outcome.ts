// How a step of a run ended, or why it has not: what is not over may be at work, stand still, or wait.

import type { RunState } from "../../protocol/wire/run.ts";
import type { RunStep } from "../../protocol/wire/story.ts";
import { isOver, type SignalIcon, type Tone } from "./signals.ts";

export type StepOutcome = { readonly word: string; readonly icon: SignalIcon; readonly tone: Tone };

/** Of a run that nobody knows any more, what its step says is all there is. */
export function outcomeOfStep(
  { ok, exit, startedMs }: Pick<RunStep, "ok" | "exit" | "startedMs">,
  state: RunState | undefined,
): StepOutcome {
  if (ok !== null)
    return {
      word: exit === null ? (ok ? "done" : "failed") : `exit ${exit}`,
      icon: ok ? "done" : "failed",
      tone: ok ? "rest" : "stop",
    };
  if (state !== undefined && isOver(state)) return { word: "broken off", icon: "terminated", tone: "rest" };
  if (state === "paused") return { word: "stands still: the run is paused", icon: "paused", tone: "rest" };
  if (startedMs === null) return { word: "waits at the door", icon: "blocked", tone: "wait" };
  return { word: "under way", icon: "running", tone: "go" };
}
