// What is told of an act that the world will not let be done, however often it is tried.

import type { Act } from "../core/acts.ts";
import type { Input } from "../core/inputs.ts";
import type { State } from "../core/state.ts";
import { notRewound } from "./workspace/rewind-run.ts";

/** Undefined where nobody could be told: then it is tried again. */
export function givenUp(state: State, act: Act, message: string): Input | undefined {
  if ("agent" in act || act.type === "terminal") return undefined;
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
