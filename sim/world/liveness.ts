// What is still unfinished in a world that has healed. Undefined when everything has come to its end.

import { findUnfinishedAgent } from "./agent-model.ts";
import type { LogModel } from "./log-model.ts";
import { hasEnded } from "./run-model.ts";

export function findUnfinished(model: LogModel, nodes: readonly string[]): string | undefined {
  for (const project of model.projects.values()) {
    for (const claim of project.queue) {
      const units = claim.units.map((unit) => unit.text).join(", ");
      return `claim ${claim.id} of ${claim.family} still waits for ${units === "" ? "a slot" : units}`;
    }
  }
  for (const run of model.runs.values()) {
    if (!run.removed && hasEnded(run) && run.started && !run.stopped)
      return `run ${run.id} is ${run.state} and was never stopped`;
    if (!run.removed && !hasEnded(run))
      return `run ${run.id} is ${run.state}${run.lost ? ", lost" : ""} and does not go on`;
  }
  for (const project of model.projects.values()) {
    for (const lease of project.leases) {
      const family = model.family(lease.family);
      const node = model.runs.get(family.holder)?.node;
      if (lease.quarantined && family.kind === "run" && node !== undefined && nodes.includes(node)) {
        return `${lease.unit.text} stays closed after ${lease.family}, although node ${node} answers`;
      }
      if (family.life !== "over") return `${lease.family} is ${family.life} and keeps ${lease.unit.text}`;
    }
  }
  return findUnfinishedAgent(model.agents);
}
