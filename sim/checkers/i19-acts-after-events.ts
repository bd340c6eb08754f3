// I19, I20: whatever is done in the world follows from an event that is durable; folding a log does nothing.

import type { Checker } from "../world/watch.ts";
import { hasEnded, isAtWork } from "../world/run-model.ts";

export function actsAfterEvents(): Checker {
  let isOpen = false;
  const terminals = new Set<string>();
  return {
    name: "I19 acts follow from durable events",
    born: () => {
      isOpen = false;
    },
    after: (event) => {
      if (event.type === "engine.opened") isOpen = true;
      if (event.type === "terminal.opened") terminals.add(event.terminal);
      if (event.type === "terminal.ended") terminals.delete(event.terminal);
    },
    act: (act, { model, report }) => {
      if (!isOpen) report("I20", `${act.id} was done while the log was folded`);
      if (act.type === "refresh") {
        if (model.claims.get(act.claim)?.states.at(-1)?.state !== "granted")
          report("I19", `${act.id} was asked for, and the log has no such grant`);
        return;
      }
      if (act.type === "terminal" || act.type === "hang-up") {
        if (!terminals.has(act.terminal)) report("I19", `${act.id} was asked for, and the log has no such terminal`);
        return;
      }
      if (!("run" in act)) return;
      const run = model.runs.get(act.run);
      if (run === undefined) return report("I19", `${act.id} was asked for, and the log has no such run`);
      const since = act.id.endsWith(`@${run.sinceSeq}`);
      const follows =
        act.type === "drive"
          ? run.started && run.family === act.family && !run.lost && !hasEnded(run)
          : act.type === "validate"
            ? run.state === "validating" && since
            : act.type === "land"
              ? run.state === "landing" && since
              : act.type === "rewind"
                ? run.rewinding !== null && act.id.endsWith(`@${run.rewinding}`)
                : hasEnded(run) && since && run.started;
      if (!follows)
        report(
          "I19",
          `${act.id} was asked for, and the log says that ${run.id} is ${run.state} since ${run.sinceSeq}${isAtWork(run) ? ", at work" : ""}`,
        );
    },
  };
}
