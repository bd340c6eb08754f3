// RN36: what waits for a person is escalated once, not before the policies' patience is over, and not later.

import type { Checker, Watch } from "../world/watch.ts";
import { hasEnded, type ModelRun } from "../world/run-model.ts";
import { ruleOf } from "./reference.ts";

const usualMs = 3_600_000;

export function escalatedInTime(): Checker {
  /** What was escalated: run, kind and since when. */
  const told = new Set<string>();
  /** Who should have been escalated, and since which moment, as the batch before left them. */
  let late = new Map<string, number>();
  const patienceMs = (run: ModelRun, { model }: Watch): number | null => {
    const stated = ruleOf(model, run, "escalateAfterMs");
    return stated === undefined ? usualMs : stated;
  };
  return {
    name: "RN36 escalated in time",
    before: (event, watch) => {
      if (event.type !== "run.escalated") return;
      const { run: id, kind, sinceMs, atMs } = event;
      const run = watch.model.runs.get(id);
      if (run === undefined) return watch.report("RN36", `run ${id} is escalated, and is not there`);
      watch.sometimes(`escalated: ${kind}`);
      const afterMs = patienceMs(run, watch);
      if (afterMs === null || atMs - sinceMs < afterMs)
        watch.report("RN36", `run ${id} (${kind}) is escalated after ${atMs - sinceMs} of ${afterMs} ms`);
      const key = `${id} ${kind} ${sinceMs}`;
      if (told.has(key)) watch.report("RN36", `run ${id} (${kind}) is escalated twice`);
      told.add(key);
      if (!needs(run).includes(kind)) watch.report("RN36", `run ${id} is ${run.state}, and escalated as ${kind}`);
    },
    batch: (_, watch) => {
      const { model, report } = watch;
      const now = new Map<string, number>();
      for (const run of model.runs.values()) {
        const kind = run.state === "review" ? "review" : run.state === "awaiting-input" ? "question" : undefined;
        const afterMs = patienceMs(run, watch);
        if (kind === undefined || hasEnded(run) || afterMs === null) continue;
        const key = `${run.id} ${kind} ${run.sinceMs}`;
        if (told.has(key) || model.atMs - run.sinceMs < afterMs) continue;
        // A policy that has just changed counts from the next moment on.
        const sinceMs = late.get(key) ?? model.atMs;
        if (sinceMs < model.atMs)
          report("RN36", `run ${run.id} waits (${kind}) since ${run.sinceMs}, and nobody is told`);
        now.set(key, sinceMs);
      }
      late = now;
    },
  };
}

/** What a run in this state may need somebody for. A question may stay open while its run is paused. */
function needs(run: ModelRun): string[] {
  const other = run.state === "review" ? ["review"] : run.state === "failed" ? ["failure"] : ["stuck", "budget"];
  return run.question ? [...other, "question"] : other;
}
