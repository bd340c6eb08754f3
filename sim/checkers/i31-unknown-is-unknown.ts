// I31: an exit that nobody saw is unknown, never zero; what was not landed or not tried is not done.

import type { Checker } from "../world/watch.ts";

export type Truth = {
  readonly sawExit: (run: string, call: number) => boolean;
  readonly landings: ReadonlyMap<string, boolean>;
  readonly validations: ReadonlyMap<string, boolean>;
  readonly proofs: ReadonlySet<string>;
};

export function unknownIsUnknown(truth: Truth): Checker {
  return {
    name: "I31 unknown is never success",
    before: (event, { model, report, sometimes }) => {
      if (event.type === "call.finished") {
        if (event.exit === "unknown") sometimes("exit unknown");
        if (event.exit === 0 && !truth.sawExit(event.run, event.call)) {
          report("I31", `call ${event.call} of ${event.run} is said to have ended with 0, which nobody saw`);
        }
      }
      const run = "run" in event && typeof event.run === "string" ? model.runs.get(event.run) : undefined;
      if (run === undefined) return;
      if (event.type === "run.stopped" && !truth.proofs.has(`stop:${run.id}@${run.sinceSeq}`)) {
        report("I31", `run ${run.id} is said to be stopped, which nobody proved`);
      }
      if (event.type === "run.landed" && truth.landings.get(`land:${run.id}@${run.sinceSeq}`) !== true) {
        report("I31", `run ${run.id} is said to have landed, and mainline has nothing of it`);
      }
      if (event.type !== "run.moved") return;
      if (event.from === "landing" && event.to === "done" && run.approved !== null) {
        report("I31", `run ${run.id} is done, and its result was not brought home`);
      }
      const tested = (model.acceptances.get(run.task) ?? null) !== null && !run.sub;
      const passes = event.to === "review" || event.to === "landing";
      if (
        event.from === "validating" &&
        passes &&
        tested &&
        truth.validations.get(`validate:${run.id}@${run.sinceSeq}`) !== true
      ) {
        report("I31", `run ${run.id} is accepted, and its result was not tried`);
      }
    },
  };
}
