// I03, LS29: what happens to a shared thing happens under a lease that its holder has at that moment; two processes never
// run under one unit (LS32, LS43).

import type { Ground } from "../world/ground.ts";
import { allows, conflict } from "../world/model-unit.ts";
import type { Checker } from "../world/watch.ts";

/** A place that is far hears only of grants: it cannot know that something was given back. */
export function staleActsRefused(ground: Ground, isFar: boolean): Checker {
  return {
    name: "I03 stale acts are refused at the resource",
    deed: (deed, { model, report, sometimes }) => {
      const project = model.projects.get(deed.project);
      const who = `${deed.family} (fence ${deed.fence})`;
      const what = deed.kind === "write" ? `wrote ${deed.unit.text}` : `started ${deed.unit.text}`;
      for (const lease of project?.leases ?? []) {
        if (lease.family === deed.family || !conflict(lease.unit, deed.unit)) continue;
        report("I03", `${who} ${what} while ${lease.family} holds ${lease.unit.text} (fence ${lease.fence})`);
      }
      const own = (project?.leases ?? []).filter((lease) => lease.family === deed.family && !lease.quarantined);
      if (!isFar && !own.some((lease) => allows(lease.unit, deed.unit)))
        report("LS12", `${who} ${what} without a lease on it`);
      if (deed.kind !== "process") return;
      const other = ground.running(deed);
      if (other !== undefined) report("LS32", `${who} ${what} while a process of ${other.family} runs under that name`);
      sometimes("process started");
    },
  };
}
