// The list of agents: which of them are meant, and in which order. What is broken comes first.

import type { AgentView } from "../../protocol/wire/agent.ts";
import { type AgentState, agentSignals, isBroken } from "./agent-signals.ts";

export type AgentFilter = {
  readonly project: string | null;
  readonly state: AgentState | null;
  readonly find: string;
};

const order: readonly AgentState[] = Object.keys(agentSignals) as AgentState[];

export function toAgentRows(agents: Iterable<AgentView>, filter: AgentFilter): AgentView[] {
  const wanted = filter.find.trim().toLowerCase();
  const rows: AgentView[] = [];
  for (const agent of agents) {
    if (filter.project !== null && agent.project !== filter.project) continue;
    if (filter.state !== null && agent.state !== filter.state) continue;
    if (wanted === "" || textsOf(agent).some((text) => text.toLowerCase().includes(wanted))) rows.push(agent);
  }
  return rows.toSorted((a, b) => rankOf(a) - rankOf(b) || byName(a, b));
}

/** How many there are in each state, of those that the project has. */
export function countStates(agents: Iterable<AgentView>, project: string | null): ReadonlyMap<AgentState, number> {
  const counts = new Map<AgentState, number>(order.map((state) => [state, 0]));
  for (const agent of agents)
    if (project === null || agent.project === project) counts.set(agent.state, (counts.get(agent.state) ?? 0) + 1);
  return counts;
}

/** By id or by name: an address may have either. */
export function findAgent(agents: ReadonlyMap<string, AgentView>, ref: string): AgentView | undefined {
  return agents.get(ref) ?? [...agents.values()].find(({ name }) => name === ref);
}

function rankOf(agent: AgentView): number {
  const isTroubled = agent.state === "running" && agent.services.some(isBroken);
  return isTroubled ? 0.5 : order.indexOf(agent.state);
}

const collator = new Intl.Collator("en", { numeric: true });

function byName(a: AgentView, b: AgentView): number {
  return collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}

function textsOf({ id, name, template, projectName, services }: AgentView): readonly string[] {
  const ports = services.flatMap((service) => service.ports.map(({ port }) => String(port)));
  return [id, name, template, projectName, ...services.map((service) => service.name), ...ports];
}
