// What will be so if it goes on like this, for everybody who shows it: the inbox, the state and the history of an agent.

import {
  capacityFor,
  diskFullIn,
  memoryFullIn,
  moreFailures,
  quotaFullIn,
  type Capacity,
  type Need,
} from "../core/agent/trend.ts";
import { findFullLimit } from "../core/agent/agent-limit.ts";
import type { Agent, Service } from "../core/agent/agent-state.ts";
import { diskLimitOf } from "../core/agent/disk-limit.ts";
import { mayTake } from "../core/agent/machine-fit.ts";
import { agentLimitsOf } from "../core/agent/agent-limits.ts";
import { limitsOf } from "../core/agent/room.ts";
import type { State } from "../core/state.ts";
import type { Machine } from "../node/disk/machine.ts";
import type { UseHistory } from "../node/usage/use-history.ts";
import type { Warning } from "../protocol/wire/health-history.ts";
import type { DaemonParts } from "./parts.ts";
import type { Besides } from "./views/inbox-view.ts";

type Seen = Pick<UseHistory, "read" | "free" | "failed">;

/** Looking further than this is not worth the time. */
const roomMax = 1000;

/** What the inbox has besides what is in the log. */
export function besidesOf(
  { seen, heldUp, kept, diskWatch }: Pick<DaemonParts, "seen" | "heldUp" | "kept" | "diskWatch">,
  state: State,
  nowMs: number,
): Besides {
  const word = diskWatch?.word ?? null;
  const warnings = warningsOf(state, seen, nowMs);
  // There is one word of the disk: what is so comes before what will be.
  const others = word === null ? warnings : warnings.filter(({ kind, agent }) => kind !== "disk" || agent !== null);
  const now: Warning[] = word === null ? [] : [{ kind: "disk", agent: null, service: null, what: word, inMs: 0 }];
  return { warnings: [...now, ...others], heldUp: heldUp.list(), kept: kept.list() };
}

/** Of the machine, and of every agent that runs. */
export function warningsOf(state: State, seen: Seen, nowMs: number): Warning[] {
  const agents = [...state.agents.values()].filter(({ isMade, isArchived }) => isMade && !isArchived);
  const disk = diskFullIn(seen.free);
  const own = agents.flatMap((agent) => [
    ...diskOf(state, agent, seen),
    ...memoryOf(state, agent, null, seen),
    ...[...agent.services.values()].flatMap((service) => [
      ...memoryOf(state, agent, service, seen),
      ...failuresOf(agent, service, seen, nowMs),
    ]),
  ]);
  if (disk === null) return own;
  const what = `the disk that agents live on is full in ${spanOf(disk)}, if it goes on like this`;
  return [{ kind: "disk", agent: null, service: null, what, inMs: disk }, ...own];
}

function memoryOf(state: State, agent: Agent, service: Service | null, seen: Seen): Warning[] {
  const name = service?.spec.name ?? null;
  const points = seen.read(agent.id, name ?? "").fine;
  // What was used by an earlier process says nothing of this one.
  const since = service?.sinceMs ?? agent.sinceMs;
  const samples = points.filter(({ atMs }) => atMs > since).map(({ atMs, memoryBytes: value }) => ({ atMs, value }));
  const inMs = memoryFullIn(samples, mostMemoryOf(state, agent, service));
  if (inMs === null) return [];
  const what = `${name ?? agent.name} has all the memory that it may have in ${spanOf(inMs)}, if it goes on like this`;
  return [{ kind: "memory", agent: agent.id, service: name, what, inMs }];
}

function mostMemoryOf(state: State, agent: Agent, service: Service | null): number | null {
  if (service === null) return agentLimitsOf(state, agent).memoryBytes?.value ?? null;
  return limitsOf(agent, service)?.memoryBytes ?? null;
}

/** Its files are there also while nothing of it runs: what was seen before counts. */
function diskOf(state: State, agent: Agent, seen: Seen): Warning[] {
  const { fine, coarse } = seen.read(agent.id);
  const newest = coarse.at(-1)?.atMs ?? -Infinity;
  const points = [...coarse, ...fine.filter(({ atMs }) => atMs > newest)];
  const samples = points.flatMap(({ atMs, diskBytes: value }) => (value === null ? [] : [{ atMs, value }]));
  const inMs = quotaFullIn(samples, diskLimitOf(state, agent)?.bytes ?? null);
  if (inMs === null) return [];
  const what = `${agent.name} takes all of the disk that it may in ${spanOf(inMs)}, if it goes on like this`;
  return [{ kind: "disk", agent: agent.id, service: null, what, inMs }];
}

function failuresOf(agent: Agent, { spec: { name } }: Service, seen: Seen, nowMs: number): Warning[] {
  // Whoever has asked for a person says more than this already.
  const count = agent.state === "error" ? null : moreFailures(seen.failed(agent.id, name), nowMs, agent.madeAtMs);
  if (count === null) return [];
  const what = `${name} failed ${count} times in the last hour, much more often than before`;
  return [{ kind: "restarts", agent: agent.id, service: name, what, inMs: null }];
}

export type Room = Pick<Machine, "memory"> & { readonly diskFreeBytes: number };

/** The most that one of the agents of a template was seen to take. */
export function takenBy(state: State, template: string, seen: Pick<Seen, "read">): Need {
  const alike = [...state.agents.values()].filter(({ spec, isMade }) => isMade && spec.template === template);
  const most = (of: (point: { memoryBytes: number; diskBytes: number | null }) => number | null): number | null => {
    const values = alike.flatMap(({ id }) => seen.read(id).fine.flatMap((point) => of(point) ?? []));
    return values.length === 0 ? null : values.reduce((largest, each) => Math.max(largest, each));
  };
  return { memoryBytes: most(({ memoryBytes }) => memoryBytes), diskBytes: most(({ diskBytes }) => diskBytes) };
}

/** How many more agents like this one there is room for, also if each takes all the memory that it may. */
export function capacityOf(state: State, agent: Agent, seen: Seen, { memory, diskFreeBytes }: Room): Capacity {
  let agents = 0;
  while (agents < roomMax && findFullLimit(state, agent, agents + 1) === undefined) agents++;
  const { memoryBytes: taken, diskBytes } = takenBy(state, agent.spec.template, seen);
  const limit = mostMemoryOf(state, agent, null) ?? mayTake(agent.spec);
  const need = { memoryBytes: limit === null ? taken : Math.max(limit, taken ?? 0), diskBytes };
  return capacityFor(need, { memoryBytes: memory.availableBytes, diskBytes: diskFreeBytes, agents });
}

function spanOf(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 90) return `${minutes} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}
