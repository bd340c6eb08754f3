// LD38: every word that was written is in a workspace, the trash or mainline's history, until its own family wrote over it
// or somebody purged it.

import type { Entry } from "../../src/core/landing/entry.ts";
import type { Depot } from "../world/depot.ts";
import { hasEnded } from "../world/run-model.ts";
import type { Checker, Watch } from "../world/watch.ts";
import { wordsOf } from "../world/words.ts";

export function nothingLost(depot: Depot): Checker {
  const look = ({ model, report }: Watch): void => {
    const found = new Set<string>();
    const note = (entry: Entry): void => wordsOf(entry).forEach((word) => found.add(word));
    for (const repo of depot.repos()) for (const { tree } of repo.all()) for (const entry of tree.values()) note(entry);
    for (const [, workspace] of depot.workspaces()) for (const entry of workspace.contents()) note(entry);
    // What a workspace had before it went back was brought home with the report of it; the trash has it with the outcome.
    for (const run of model.runs.values())
      if (run.rewinding !== null) for (const { work } of run.dirty.values()) note(work);
    for (const { base, work } of [...model.trash.values(), ...model.purged]) {
      note(base);
      note(work);
    }
    for (const word of depot.authors.words()) {
      if (!found.has(word) && !depot.authors.isRewritten(word))
        return report("LD38", `${word} was written, and is nowhere`);
    }
  };
  return {
    name: "LD38 nothing is lost",
    after: (event, { model, report }) => {
      if (event.type === "agent.removed") return depot.dropAgent(event.agent);
      // A run is gone with its workspace: whatever was in there has to be somewhere else by now.
      if (event.type !== "run.removed") return;
      const run = model.runs.get(event.run);
      if (run?.sub !== false || run.agent !== null) return;
      for (const { path, work } of run.started ? depot.workspaceOf(run.id).dirty() : [])
        report("LD38", `${run.id} is removed, and ${work} at ${path} of its workspace with it`);
      depot.drop(run.id);
    },
    batch: (_, { model, report }) => {
      for (const run of model.runs.values()) {
        if (!hasEnded(run) || run.removed || run.dirty.size === 0) continue;
        report("LD38", `${run.id} is ${run.state}, and ${[...run.dirty.keys()].join(", ")} was not set aside`);
      }
    },
    sample: (_, watch) => look(watch),
    phase: (_, watch) => look(watch),
  };
}
