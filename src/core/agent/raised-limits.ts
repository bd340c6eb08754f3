// Where a template would let an agent, or a service that it has, use more than it may now. That is for people to say (SV8).

import type { AgentSpec, UseLimits } from "./agent-spec.ts";

/** The places of such limits, as in `services.web.limits.memory`. */
export function raisedLimits(agent: AgentSpec, template: AgentSpec): string[] {
  const before = new Map(agent.services.map((service) => [service.name, service]));
  const ofServices = template.services.flatMap(({ name, limits }) => {
    const had = before.get(name);
    return had === undefined ? [] : raisedIn(`services.${name}.limits`, had.limits, limits);
  });
  return [...raisedIn("limits", agent.limits, template.limits), ...ofServices];
}

function raisedIn(path: string, had: UseLimits | undefined, has: UseLimits | undefined): string[] {
  const [before, after] = [mostOf(had), mostOf(has)];
  const raised = kinds.filter((kind) => after[kind] > before[kind]);
  // It has become more with the memory itself, and nobody has said so.
  const said = has?.memoryBytesMax === undefined ? raised.filter((kind) => kind !== "memory_max") : raised;
  return said.map((kind) => `${path}.${kind}`);
}

/** As templates call them. */
const kinds = ["memory", "memory_max", "cpu", "processes", "files", "disk"] as const;

/** What is not said has no bound; and memory that is not enough becomes no more by itself unless that is said. */
function mostOf(limits: UseLimits | undefined): Record<(typeof kinds)[number], number> {
  const memory = limits?.memoryBytes ?? Infinity;
  return {
    memory,
    memory_max: limits?.memoryBytesMax ?? memory,
    cpu: limits?.cpu ?? Infinity,
    processes: limits?.processes ?? Infinity,
    files: limits?.files ?? Infinity,
    disk: limits?.diskBytes ?? Infinity,
  };
}
