// RN31–RN33: an assistant that failed its run is tried again, or another one takes over, only where the rules say so: by the
// kind of failure, once for each, not before its time, and by whoever is next of those that policies allow.

import type { LogModel } from "../world/log-model.ts";
import type { ModelRun } from "../world/run-model.ts";
import type { Checker } from "../world/watch.ts";
import { deniesRunner } from "./reference.ts";

const again = ["rate-limit", "outage", "hung"];
const elsewhere = [...again, "auth", "context", "crashed", "tool-errors", "missing"];
const [secondMs, hourMs, dayMs] = [1000, 3_600_000, 86_400_000];

export function handedOver(): Checker {
  /** The life that each run's present assistant failed in last, and until when the run waits. */
  const lives = new Map<string, number>();
  const waits = new Map<string, number>();
  return {
    name: "RN33 tried again and handed over",
    before: (event, { model, report, sometimes }) => {
      const run = "run" in event ? model.runs.get(event.run) : undefined;
      if (run === undefined) return;
      switch (event.type) {
        case "run.delayed": {
          const waitMs = event.untilMs - event.atMs;
          if (!again.includes(event.failure)) report("RN31", `${run.id} is tried again after ${event.failure}`);
          if (event.life <= (lives.get(run.id) ?? -1)) report("RN31", `${run.id} fails twice in life ${event.life}`);
          if (waitMs < secondMs || waitMs > dayMs) report("RN32", `${run.id} waits ${waitMs} ms for its next try`);
          if (waitMs > hourMs && nextOf(model, run) !== undefined)
            report("RN32", `${run.id} waits ${waitMs} ms although another could take over`);
          if (event.attempt > event.attemptsMax)
            report("RN32", `${run.id} is tried for the ${event.attempt}th time of ${event.attemptsMax}`);
          lives.set(run.id, event.life);
          waits.set(run.id, event.untilMs);
          return;
        }
        case "run.handed":
          sometimes("handed over");
          if (!elsewhere.includes(event.failure)) report("RN31", `${run.id} is handed over after ${event.failure}`);
          if (event.from !== run.runner) report("RN33", `${event.from} hands ${run.id} over, which ${run.runner} has`);
          if (event.to !== nextOf(model, run))
            report("RN33", `${event.to} takes ${run.id} over, and not ${nextOf(model, run) ?? "nobody"}`);
          if (model.families.get(run.family)?.life === "over")
            report("RN33", `${run.id} is handed over without its leases`);
          lives.delete(run.id);
          waits.delete(run.id);
          return;
        case "run.moved": {
          const untilMs = waits.get(run.id);
          if (event.from === "parked" && event.to === "running" && untilMs !== undefined && event.atMs < untilMs)
            report("RN32", `${run.id} goes on ${untilMs - event.atMs} ms before its time`);
          // A person who resumes it, or answers it, has it tried at once.
          if (event.to !== "parked" || ["paused", "awaiting-input"].includes(event.from)) waits.delete(run.id);
          const next = nextOf(model, run);
          if (event.to === "failed" && elsewhere.includes(event.failure ?? "") && next !== undefined)
            report("RN33", `${run.id} fails by ${event.failure} although ${next} could take over`);
          return;
        }
        case "run.lost":
        case "run.revived":
          // It goes on when its node is back.
          waits.delete(run.id);
          return;
        default:
          return;
      }
    },
  };
}

/** Who takes over from the one that has the run now. */
function nextOf(model: LogModel, run: ModelRun): string | undefined {
  const at = run.team.indexOf(run.runner);
  if (run.sub || at === -1) return undefined;
  return run.team.slice(at + 1).find((name) => !deniesRunner(model, { ...run, runner: name }));
}
