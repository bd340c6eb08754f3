// What is told of an act that the world will not let be done, however often it is tried.

import { Fault } from "../base/fault.ts";
import type { Act } from "../core/acts.ts";
import type { Input } from "../core/inputs.ts";
import type { State } from "../core/state.ts";
import { isOfCage, isOfTheWorld } from "./is-of-the-world.ts";
import { notRewound } from "./workspace/rewind-run.ts";

/** How often the beginning of a run is tried: what lasts longer, a person has to mend (EN46). */
const beginTriesMax = 3;

/** Whether an act that failed so often need not be tried once more. A run that has done nothing yet loses nothing by that. */
export function isEnough(
  state: State,
  act: Act,
  { tries, error }: { readonly tries: number; readonly error: unknown },
): boolean {
  if (error instanceof Fault && error.retry === "never") return true;
  // Room comes back without anybody's doing anything about this run (MT8).
  if (error instanceof Fault && error.code === "disk-low") return false;
  const isBeginning = act.type === "drive" && !("agent" in act) && state.runs.get(act.run)?.state === "starting";
  return isBeginning && isOfTheWorld(error) && tries >= beginTriesMax;
}

/** Undefined where nobody could be told: then it is tried again. */
export function givenUp(state: State, act: Act, error: unknown): Input | undefined {
  const hint = isOfCage(error) ? " (signalbox doctor tries each part of a cage)" : "";
  const message = (error instanceof Error ? error.message : String(error)) + hint;
  if ("agent" in act || "terminal" in act) return undefined;
  const run = state.runs.get(act.type === "refresh" ? (state.runOfFamily.get(act.family) ?? "") : act.run);
  if (run === undefined) return undefined;
  switch (act.type) {
    case "drive":
    case "refresh":
      return { type: "run.finish", run: run.id, family: run.family, ok: false, message };
    case "validate":
      return { type: "run.validated", run: run.id, ok: false, message, act: act.id };
    case "land":
      return { type: "run.landed", run: run.id, how: "back", message, act: act.id };
    case "rewind":
      return notRewound(act, message);
    default:
      return undefined;
  }
}
