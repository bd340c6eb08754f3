// Agents that are put away and brought back. One that is put away has its files, its history and its name, and nothing that
// somebody else might want: no process, and no port.

import { refuse, type Result } from "../../base/result.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import { findFullLimit } from "./agent-limit.ts";
import type { Agent } from "./agent-state.ts";

/** Brings back one that is put away: with its ports where nobody else has them now, else with others (AW10). */
export function restore(step: Step, agent: Agent, offered: readonly number[]): Result<Later, Refusal> {
  const full = findFullLimit(step.state, agent);
  if (full !== undefined) return refuse(full);
  const kept = unreserved(step.state, [...agent.ports.values()]);
  const wanted = agent.ports.size - kept.length;
  const others = unreserved(step.state, offered).filter((port) => !kept.includes(port));
  if (others.length < wanted) return refuse({ code: "no-ports", wanted, free: others.length });
  const ports = [...agent.ports].map(
    ([key, port]) => [key, kept.includes(port) ? port : (others.shift() ?? 0)] as const,
  );
  step.emit({ type: "agent.restored", v: 1, agent: agent.id, ports: Object.fromEntries(ports) });
  return done();
}

/** Those of the ports that no agent has. What is put away has none. */
export function unreserved(state: State, ports: readonly number[]): number[] {
  const living = [...state.agents.values()].filter(({ isArchived }) => !isArchived);
  const reserved = new Set(living.flatMap((agent) => [...agent.ports.values()]));
  return [...new Set(ports)].filter((port) => !reserved.has(port));
}
