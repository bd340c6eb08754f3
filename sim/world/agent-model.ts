// Agents as the log tells of them, worked out a second time.

import type { ServiceSpec } from "../../src/core/agent/agent-spec.ts";
import type { Logged } from "../../src/core/events.ts";

export type ModelService = {
  readonly name: string;
  /** Whether it has a limit of memory that is its own. */
  readonly isBounded: boolean;
  readonly needs: readonly { readonly service: string; readonly until: string }[];
  state: string;
  life: number;
  healthy: boolean | null;
  wanted: boolean;
  /** Why its last process ended. */
  endedBy: string | null;
};

export type ModelAgent = {
  readonly id: string;
  readonly name: string;
  readonly node: string;
  readonly project: string;
  state: string;
  wish: string;
  force: boolean;
  life: number;
  sinceSeq: number;
  isMade: boolean;
  ports: Readonly<Record<string, number>>;
  readonly services: Map<string, ModelService>;
  /** The run that is in it. */
  run: string | null;
};

export function evolveModelAgents(agents: Map<string, ModelAgent>, event: Logged): void {
  if (event.type === "agent.created") {
    const { agent: id, name, node, ports, spec, project } = event;
    const services = spec.services.map((service): [string, ModelService] => [service.name, toModelService(service)]);
    const fresh = {
      state: "stopped",
      wish: "run",
      force: false,
      life: 0,
      sinceSeq: event.seq,
      isMade: false,
      run: null,
    };
    agents.set(id, { id, name, node, project, ports, services: new Map(services), ...fresh });
    return;
  }
  if (!("agent" in event) || typeof event.agent !== "string") return;
  const agent = agents.get(event.agent);
  if (agent === undefined) return;
  const service =
    "service" in event && typeof event.service === "string" ? agent.services.get(event.service) : undefined;
  switch (event.type) {
    case "agent.wished":
      agent.wish = event.wish;
      // What was begun by force may be over when somebody has long asked for less.
      agent.force = event.force || (agent.force && agent.state === "stopping");
      return;
    case "agent.moved":
      agent.state = event.to;
      agent.life = event.life;
      agent.sinceSeq = event.seq;
      return;
    case "agent.made":
      agent.isMade = true;
      return;
    case "agent.ended":
      agent.isMade = false;
      return;
    case "agent.renumbered":
      agent.ports = { ...agent.ports, ...event.ports };
      return;
    case "agent.removed":
      agents.delete(agent.id);
      return;
    case "service.moved":
      if (service !== undefined) Object.assign(service, { state: event.to, life: event.life });
      if (service !== undefined && event.end !== undefined) service.endedBy = event.end.why;
      if (service !== undefined && event.to !== "up" && event.to !== "stopping") service.healthy = null;
      return;
    case "service.judged":
      if (service !== undefined) service.healthy = event.healthy;
      return;
    case "service.wished":
      if (service !== undefined) service.wanted = event.up;
      return;
    default:
      return;
  }
}

function toModelService({ name, needs, limits }: ServiceSpec): ModelService {
  const isBounded = (limits?.memoryBytes ?? null) !== null;
  return { name, needs, isBounded, state: "down", life: 0, healthy: null, wanted: true, endedBy: null };
}

/** What is still unfinished of the agents in a world that has healed. */
export function findUnfinishedAgent(agents: ReadonlyMap<string, ModelAgent>): string | undefined {
  for (const { name, state, wish, services } of agents.values()) {
    if (wish === "remove") return `agent ${name} is ${state} and is never removed`;
    if (wish === "stop" && state !== "stopped") return `agent ${name} is ${state} and never stops`;
    if (wish !== "run" || state === "error") continue;
    const late = [...services.values()].find((each) => each.wanted && !["up", "completed"].includes(each.state));
    if (state !== "running") return `agent ${name} is ${state} and never runs`;
    if (late !== undefined) return `service ${late.name} of ${name} is ${late.state} and does not go on`;
  }
  return undefined;
}
