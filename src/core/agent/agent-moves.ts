// How an agent or a service comes from one state to another: along its arrows, and by an event.

import { assert } from "../../base/assert.ts";
import type { Step } from "../step.ts";
import type { Agent, Failing, Service, ServiceEnd } from "./agent-state.ts";
import { type AgentState, mayAgentMove, mayServiceMove, type ServiceState } from "./agent-states.ts";

export function moveAgent(step: Step, agent: Agent, to: AgentState, because: string | null): void {
  const { id, state: from, isMade } = agent;
  assert(mayAgentMove(from, to), () => `agent ${id} cannot go from ${from} to ${to}`);
  const life = to === "spawning" && !isMade ? agent.life + 1 : agent.life;
  step.emit({ type: "agent.moved", v: 1, agent: id, from, to, life, because });
}

type More = { readonly dueAtMs?: number; readonly end?: ServiceEnd; readonly failing?: Failing };

export function moveService(
  step: Step,
  agent: Agent,
  service: Service,
  to: ServiceState,
  because: string | null,
  more: More = {},
): void {
  const { state: from, spec } = service;
  assert(mayServiceMove(from, to), () => `service ${spec.name} of ${agent.id} cannot go from ${from} to ${to}`);
  const life = to === "starting" ? service.life + 1 : service.life;
  const base = { type: "service.moved", v: 1, agent: agent.id, service: spec.name } as const;
  step.emit({ ...base, from, to, life, because, ...more });
}
