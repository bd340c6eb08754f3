// Services as they run. One of which there are several, or that is replaced beside itself, is a group of instances: `web.1`,
// `web.2`. Each is a service of its own, with its own process, health and ports; the port of the whole is shared out among them.

import type { AgentSpec, ServiceSpec } from "./agent-spec.ts";
import { type Agent, isSoFar, portKey, type Service } from "./agent-state.ts";

type Sized = Pick<ServiceSpec, "instances" | "overlap">;

export function countOf({ instances = 1 }: Sized): number {
  return instances;
}

/** Whether instances of it stand behind its port, which they share. */
export function isGrouped({ instances = 1, overlap }: Sized): boolean {
  return instances > 1 || overlap === true;
}

/** What runs of a service: itself, or its instances. There is one more than there are to run, where a new one stands beside an old one. */
export function instancesOf(spec: ServiceSpec): readonly ServiceSpec[] {
  if (!isGrouped(spec)) return [spec];
  const count = countOf(spec) + (spec.overlap === true ? 1 : 0);
  return Array.from({ length: count }, (_, at) => ({ ...spec, name: `${spec.name}.${at + 1}` }));
}

/** Everything that gets a port: each service, and each instance where there are several. */
export function portKeysOf({ services }: AgentSpec): string[] {
  return services.flatMap((service) => {
    const names = isGrouped(service) ? [service.name, ...instancesOf(service).map(({ name }) => name)] : [service.name];
    return names.flatMap((name) => service.ports.map((port) => portKey(name, port)));
  });
}

/** A service by its name, or all instances of it; none of those that its template does not have any more. */
export function membersOf(agent: Agent, name: string): readonly Service[] {
  const one = agent.services.get(name);
  if (one !== undefined && !one.isDropped) return [one];
  return [...agent.services.values()].filter((each) => each.group === name && !each.isDropped);
}

/** Whether somebody starts only when it has completed. */
export function isAwaited(agent: Agent, service: Service): boolean {
  const name = nameOf(service);
  const waits = [...agent.services.values()].flatMap(({ spec, isDropped }) => (isDropped ? [] : spec.needs));
  return waits.some((need) => need.until === "completed" && need.service === name);
}

/** By what others know it. */
export function nameOf({ group, spec }: Service): string {
  return group ?? spec.name;
}

/** Whether a service is as far as whoever needs it wants it to be: every instance of it that is wanted. */
export function areSoFar(members: readonly Service[], until: "started" | "healthy" | "completed"): boolean {
  const wanted = members.filter((each) => each.wanted || members.length === 1);
  return wanted.length > 0 && wanted.every((each) => isSoFar(each, until));
}

/** The instances that callers of a service are brought to. */
export function sharersOf(agent: Agent, name: string): readonly Service[] {
  const members = membersOf(agent, name);
  const isReady = (each: Service): boolean => isSoFar(each, each.spec.health === null ? "started" : "healthy");
  return members.filter((each) => each.group !== null && each.state === "up" && isReady(each));
}
