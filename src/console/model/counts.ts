// The five-second answer: how many runs need a person, are broken, wait, move and rest.

import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Totals } from "../live/live-state.ts";
import { isOver, signals, type Tone } from "./signals.ts";

export type Counts = Readonly<Record<Tone, number>> & { readonly paused: number; readonly queued: number };

/**
 * Active runs are counted here, because all of them are; those that are over are counted by the daemon. `totals` speak
 * of the same project as `runs`.
 */
export function countRuns(runs: Iterable<Run>, totals: Totals): Counts {
  const counts = { you: 0, stop: totals.failed, wait: 0, go: 0, rest: totals.rest, paused: 0, queued: 0 };
  for (const run of runs) {
    if (isOver(run.state)) continue;
    counts[signals[run.state].tone] += 1;
    if (run.state === "paused") counts.paused += 1;
    if (run.state === "queued") counts.queued += 1;
  }
  return counts;
}

/** Agents that have tried everything that they may, of one project or of all. */
export function countBroken(agents: Iterable<AgentView>, project: string | null): number {
  let count = 0;
  for (const agent of agents)
    if (agent.state === "error" && (project === null || agent.project === project)) count += 1;
  return count;
}
