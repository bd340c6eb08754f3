// Runs move only along the arrows, from where they are; what they wait for ends with the wait (LS20, LS34, LS38, LS43).

import type { Checker } from "../world/watch.ts";
import { hasEnded } from "../world/run-model.ts";

const arrows: Readonly<Record<string, string>> = {
  queued: "starting paused",
  starting: "running paused parked",
  running: "blocked awaiting-input parked paused validating",
  blocked: "running parked paused",
  parked: "running paused",
  "awaiting-input": "parked paused",
  paused: "queued parked awaiting-input",
  validating: "parked running review landing",
  review: "parked landing",
  landing: "parked review done",
  done: "parked",
};

export function runsFollowTheArrows(): Checker {
  /** Runs that were done once: they may have been continued or removed since. */
  const finished = new Set<string>();
  return {
    name: "RN runs follow the arrows",
    before: (event, { model, report, sometimes }) => {
      if (event.type === "run.lost") sometimes("run lost");
      if (event.type === "run.revived") sometimes("run revived");
      if (event.type !== "run.moved") return;
      const run = model.runs.get(event.run);
      if (event.from === "queued" && event.to === "starting") {
        const other = run?.dependsOn.find((id) => !finished.has(id) && model.runs.get(id)?.state !== "done");
        if (other !== undefined) report("LS19", `run ${event.run} starts before ${other} is done`);
      }
      if (event.to === "done") finished.add(event.run);
      if (run?.state !== event.from) report("RN", `run ${event.run} moves from ${event.from}, and is ${run?.state}`);
      if (event.from === "validating" && event.to === "review" && run?.dirty.size === 0)
        report("RN14", `run ${event.run} has changed nothing, and somebody is asked about it`);
      const ends = ["failed", "rejected", "terminated"].includes(event.to) && run !== undefined && !hasEnded(run);
      if (!ends && !(arrows[event.from] ?? "").split(" ").includes(event.to))
        report("RN", `no run moves from ${event.from} to ${event.to}`);
    },
    batch: (_, { model, report }) => {
      for (const run of model.runs.values()) {
        if (run.sub || run.removed) continue;
        const family = model.families.get(run.family);
        if (hasEnded(run) && family !== undefined && family.life !== "over")
          report("LS43", `run ${run.id} is ${run.state} and its family is ${family.life}`);
        if (family === undefined || run.lost || hasEnded(run) || run.state === "queued") continue;
        const should =
          run.state === "review"
            ? "hold"
            : run.state === "landing"
              ? "landing"
              : run.state === "paused"
                ? "paused"
                : "live";
        // A run that was paused in the queue, continued or revived has a family that was never granted anything.
        const isNew = family.life === "new" && ["paused", "parked", "awaiting-input"].includes(run.state);
        if (family.life !== should && !isNew) {
          report("LS34", `run ${run.id} is ${run.state} and its leases are ${family.life}, not ${should}`);
        }
        if (should === "hold" && model.leasesOf(run.family).some((lease) => lease.unit.kind === "process")) {
          report("LS34", `run ${run.id} is in review and keeps a process unit`);
        }
      }
    },
  };
}
