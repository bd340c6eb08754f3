// What looks at the use of agents: now, whenever somebody asks; and over time, as long as the daemon is there.

import { heldByPolicies, usableBy } from "../core/agent/agent-limits.ts";
import type { State } from "../core/state.ts";
import type { Logged } from "../core/events.ts";
import type { Clock } from "../ports/clock.ts";
import { placeLimitsOf } from "../node/agents/bound-agent.ts";
import { type GroundDisk, placesOnDisk } from "../node/disk/ground-disk.ts";
import type { Machine } from "../node/disk/machine.ts";
import { AgentUsage, type AgentUsageOptions } from "../node/usage/agent-usage.ts";
import { dataOnDisk } from "../node/usage/service-data.ts";
import { UsageMeter } from "../node/usage/usage-meter.ts";
import type { UseHistory } from "../node/usage/use-history.ts";
import { StartWatch } from "../node/usage/start-watch.ts";
import { UseSampler } from "../node/usage/use-sampler.ts";
import { type UsualLimits, wholeLimitsFor } from "../node/workspace/usual-limits.ts";

type Watching = {
  readonly clock: Clock;
  readonly engine: { readonly state: State; subscribe(hear: (events: readonly Logged[]) => void): unknown };
  readonly processesOf: AgentUsageOptions["processesOf"];
  readonly disk: GroundDisk;
  /** Where the places of agents are. */
  readonly folder: string;
  readonly seen: UseHistory;
  /** What holds an agent where nobody says anything. */
  readonly usual: UsualLimits;
  readonly machine: () => Promise<Machine>;
  readonly onDefect: (error: unknown) => void;
};

export function watchUse(watching: Watching): { readonly usage: AgentUsage; close(): Promise<void> } {
  const { clock, engine, processesOf, disk, folder, seen, usual, machine, onDefect } = watching;
  const diskOf: AgentUsageOptions["diskOf"] = (agents) => placesOnDisk(disk, agents, folder);
  const dataOf: AgentUsageOptions["dataOf"] = (agents) => dataOnDisk(disk, agents, folder);
  const limitsOf: AgentUsageOptions["limitsOf"] = (agent) => ({
    limits: usableBy(engine.state, agent),
    heldBy: heldByPolicies(engine.state, agent),
  });
  const freeBytes = async (): Promise<number> => (await disk.space()).freeBytes;
  const usage = new AgentUsage({
    ...{ meter: new UsageMeter(clock), processesOf, diskOf, dataOf, limitsOf, freeBytes },
    memoryOf: (agent) => wholeLimitsFor(placeLimitsOf(engine.state, agent), usual).memoryBytes,
  });
  const starts = new StartWatch((agent, start) => seen.noteStart(agent, start));
  engine.subscribe((events) => {
    for (const event of events) {
      if (event.type === "service.failed") seen.noteFailure(event.agent, event.service);
      starts.hear(event);
    }
  });
  const sampler = new UseSampler({
    ...{ clock, usage, history: seen, onDefect },
    agents: () => [...engine.state.agents.values()],
    freeBytes,
    memory: async () => (await machine()).memory,
  });
  sampler.begin();
  return { usage, close: () => sampler.close() };
}
