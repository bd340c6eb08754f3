// PF21: a run is raised by a person, upwards, of a limit that it has from its profile, and while it is not over.

import { hasEnded } from "../world/run-model.ts";
import type { Checker } from "../world/watch.ts";

export function raisedByRule(): Checker {
  return {
    name: "PF21 raised by rule",
    before: (event, { model, report, sometimes }) => {
      if (event.type !== "run.raised") return;
      const { run: id, limit, was, value, actor } = event;
      sometimes("limit raised");
      const run = model.runs.get(id);
      if (run === undefined || hasEnded(run)) return report("PF21", `run ${id} is over, and is raised`);
      const now = run.limits.get(limit);
      if (now !== was) report("PF21", `run ${id} is raised from ${was}, and its ${limit} is ${now}`);
      if (value <= was) report("PF21", `run ${id} is raised from ${was} to ${value}`);
      if (!actor.startsWith("person:")) report("PF21", `run ${id} is raised by ${actor}`);
    },
  };
}
