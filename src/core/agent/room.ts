// What an agent may have beyond what it was made with, when that was not enough: more memory, up to what its template allows;
// other ports; a disk without its temporary files. What was given stays given until its template is read anew.

import type { UseLimits } from "./agent-spec.ts";
import type { Agent, Service } from "./agent-state.ts";

/** What may be given anew. */
export const roomKinds = ["memory", "ports", "disk"] as const;
export type RoomKind = (typeof roomKinds)[number];

export type Room = {
  /** Limits of memory that were raised, by service; of the agent as a whole under the empty name. */
  readonly memory: Readonly<Record<string, number>>;
  /** What is given when nothing of it runs any more. */
  readonly next: { readonly kind: "ports" | "disk"; readonly service: string | null } | null;
};

export const noRoom: Room = { memory: {}, next: null };

/** What a service may use now, or with null its agent as a whole. */
export function limitsOf(agent: Pick<Agent, "spec" | "room">, service: Service | null): UseLimits | undefined {
  const said = service === null ? agent.spec.limits : service.spec.limits;
  const given = agent.room.memory[roomName(service)];
  return said === undefined || given === undefined ? said : { ...said, memoryBytes: given };
}

/** Twice as much, up to what the template and policies allow; null where there is no more to give. */
export function moreMemory(agent: Agent, service: Service | null, allowedBytes: number): number | null {
  const { memoryBytes = null, memoryBytesMax = null } = limitsOf(agent, service) ?? {};
  if (memoryBytes === null || memoryBytesMax === null) return null;
  const most = Math.min(memoryBytesMax, allowedBytes);
  return memoryBytes >= most ? null : Math.min(memoryBytes * 2, most);
}

export function roomName(service: Service | null): string {
  return service?.spec.name ?? "";
}
