// What will be so if it goes on like this, for everybody who shows it: the inbox, the state and the history of an agent.

import { capacityFor, diskFullIn, memoryFullIn, moreFailures, type Capacity } from "../core/agent/trend.ts";
import { findFullLimit } from "../core/agent/agent-limit.ts";
import type { Agent, Service } from "../core/agent/agent-state.ts";
import { limitsOf } from "../core/agent/room.ts";
import type { State } from "../core/state.ts";
import type { Machine } from "../node/disk/machine.ts";
import type { UseHistory } from "../node/usage/use-history.ts";
import type { Warning } from "../protocol/wire/health-history.ts";

type Seen = Pick<UseHistory, "read" | "free" | "failed">;

/** Looking further than this is not worth the time. */
const roomMax = 1000;

/** Of the machine, and of every agent that runs. */
export function warningsOf(state: State, seen: Seen, nowMs: number): Warning[] {
  const agents = [...state.agents.values()].filter(({ isMade, isArchived }) => isMade && !isArchived);
  const disk = diskFullIn(seen.free);
  const own = agents.flatMap((agent) => [
    ...memoryOf(agent, null, seen),
    ...[...agent.services.values()].flatMap((service) => [
      ...memoryOf(agent, service, seen),
      ...failuresOf(agent, service, seen, nowMs),
    ]),
  ]);
  if (disk === null) return own;
  const what = `the disk that agents live on is full in ${spanOf(disk)}, if it goes on like this`;
  return [{ kind: "disk", agent: null, service: null, what, inMs: disk }, ...own];
}

function memoryOf(agent: Agent, service: Service | null, seen: Seen): Warning[] {
  const name = service?.spec.name ?? null;
  const points = seen.read(agent.id, name ?? "").fine;
  // What was used by an earlier process says nothing of this one.
  const since = service?.sinceMs ?? agent.sinceMs;
  const samples = points.filter(({ atMs }) => atMs > since).map(({ atMs, memoryBytes: value }) => ({ atMs, value }));
  const inMs = memoryFullIn(samples, limitsOf(agent, service)?.memoryBytes ?? null);
  if (inMs === null) return [];
  const what = `${name ?? agent.name} has all the memory that it may have in ${spanOf(inMs)}, if it goes on like this`;
  return [{ kind: "memory", agent: agent.id, service: name, what, inMs }];
}

function failuresOf(agent: Agent, { spec: { name } }: Service, seen: Seen, nowMs: number): Warning[] {
  // Whoever has asked for a person says more than this already.
  const count = agent.state === "error" ? null : moreFailures(seen.failed(agent.id, name), nowMs, agent.madeAtMs);
  if (count === null) return [];
  const what = `${name} failed ${count} times in the last hour, much more often than before`;
  return [{ kind: "restarts", agent: agent.id, service: name, what, inMs: null }];
}

export type Room = Pick<Machine, "memory"> & { readonly diskFreeBytes: number };

/** How many more agents like this one there is room for. */
export function capacityOf(state: State, agent: Agent, seen: Seen, { memory, diskFreeBytes }: Room): Capacity {
  const alike = [...state.agents.values()].filter(
    ({ spec, isMade }) => isMade && spec.template === agent.spec.template,
  );
  const most = (of: (point: { memoryBytes: number; diskBytes: number | null }) => number | null): number | null => {
    const values = alike.flatMap(({ id }) => seen.read(id).fine.flatMap((point) => of(point) ?? []));
    return values.length === 0 ? null : values.reduce((largest, each) => Math.max(largest, each));
  };
  let agents = 0;
  while (agents < roomMax && findFullLimit(state, agent, agents + 1) === undefined) agents++;
  const need = { memoryBytes: most(({ memoryBytes }) => memoryBytes), diskBytes: most(({ diskBytes }) => diskBytes) };
  return capacityFor(need, { memoryBytes: memory.availableBytes, diskBytes: diskFreeBytes, agents });
}

function spanOf(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 90) return `${minutes} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}
