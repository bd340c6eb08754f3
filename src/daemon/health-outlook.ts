// What will be so if it goes on like this, for everybody who shows it: the inbox, the state and the history of an agent.

import {
  capacityFor,
  diskFullIn,
  machineFullIn,
  memoryFullIn,
  moreFailures,
  quotaFullIn,
  type Capacity,
  type Need,
  type Sample,
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

export type Seen = Pick<UseHistory, "read" | "free" | "memory" | "shares" | "failed">;

/** Looking further than this is not worth the time. */
const roomMax = 1000;
/** Room for so few more of the same is told, where there are as many of them as somebody makes who needs more than one. */
const [fewMore, severalMin] = [1, 2];
/** What could be had at most within this time counts: a build that takes it for a minute is nothing to tell. */
const roomMs = 600_000;

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

/** Of the machine, of every agent that runs, and of templates that have several. */
export function warningsOf(state: State, seen: Seen, nowMs: number): Warning[] {
  const agents = [...state.agents.values()].filter(({ isMade, isArchived }) => isMade && !isArchived);
  const own = agents.flatMap((agent) => [
    ...diskOf(state, agent, seen),
    ...memoryOf(state, agent, null, seen),
    ...[...agent.services.values()].flatMap((service) => [
      ...memoryOf(state, agent, service, seen),
      ...failuresOf(agent, service, seen, nowMs),
    ]),
  ]);
  return [...machineOf(seen), ...own, ...roomOf(state, agents, seen, nowMs)];
}

function machineOf({ free, memory }: Seen): Warning[] {
  const of = (kind: "disk" | "memory", whose: string, inMs: number | null): Warning[] => {
    if (inMs === null) return [];
    const what = `${whose} is full in ${spanOf(inMs)}, if it goes on like this`;
    return [{ kind, agent: null, service: null, what, inMs }];
  };
  return [
    ...of("disk", "the disk that agents live on", diskFullIn(free)),
    ...of("memory", "the memory of this machine", machineFullIn(memory.samples, memory.totalBytes)),
  ];
}

/**
 * Templates of which there are several, and of which there is room for one more at most: whoever makes another one, or the one
 * after it, is refused (AG92). How many there may be by a policy is somebody's own word, and nothing to warn of.
 */
function roomOf(state: State, agents: readonly Agent[], seen: Seen, nowMs: number): Warning[] {
  const most = (samples: readonly Sample[]): number => {
    const newest = samples.filter(({ atMs }) => atMs > nowMs - roomMs).map(({ value }) => value);
    return newest.length === 0 ? Infinity : Math.max(...newest);
  };
  const left = { memoryBytes: most(seen.memory.samples), diskBytes: most(seen.free), agents: Infinity };
  const byTemplate = Map.groupBy(agents, ({ spec }) => spec.template);
  return [...byTemplate].flatMap(([template, alike]): Warning[] => {
    const isWanted = alike.length >= severalMin && alike.some((agent) => agent.state === "running");
    const { more, boundBy } = capacityFor(takenBy(state, template, seen), left);
    if (!isWanted || more > fewMore || boundBy === "agents") return [];
    const scarce = boundBy === "memory" ? "of memory" : "on the disk";
    const what = `there is room ${scarce} for ${more === 0 ? "no" : "one"} more agent of ${template} as large as those that there are`;
    return [{ kind: "room", agent: null, service: null, template, what, inMs: null }];
  });
}

function memoryOf(state: State, agent: Agent, service: Service | null, seen: Seen): Warning[] {
  const name = service?.spec.name ?? null;
  const points = seen.read(agent.id, name ?? "").fine;
  // What was used by an earlier process says nothing of this one.
  const since = service?.sinceMs ?? agent.sinceMs;
  const samples = points.filter(({ atMs }) => atMs > since).map(({ atMs, memoryBytes: value }) => ({ atMs, value }));
  const inMs = memoryFullIn(samples, mostMemoryOf(state, agent, service, seen));
  if (inMs === null) return [];
  const what = `${name ?? agent.name} has all the memory that it may have in ${spanOf(inMs)}, if it goes on like this`;
  return [{ kind: "memory", agent: agent.id, service: name, what, inMs }];
}

function mostMemoryOf(state: State, agent: Agent, service: Service | null, seen: Pick<Seen, "shares">): number | null {
  return service === null ? memoryMaxOf(state, agent, seen) : (limitsOf(agent, service)?.memoryBytes ?? null);
}

/** What it may use of memory as a whole: what is said, or its share of the machine where that is less or nothing is said. */
export function memoryMaxOf(state: State, agent: Agent, seen: Pick<Seen, "shares">): number | null {
  return least(saidMemoryOf(state, agent), seen.shares(agent.id).memoryBytes);
}

function saidMemoryOf(state: State, agent: Agent): number | null {
  return agentLimitsOf(state, agent).memoryBytes?.value ?? null;
}

function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** Its files are there also while nothing of it runs: what was seen before counts. */
function diskOf(state: State, agent: Agent, seen: Seen): Warning[] {
  const { fine, coarse } = seen.read(agent.id);
  const newest = coarse.at(-1)?.atMs ?? -Infinity;
  const points = [...coarse, ...fine.filter(({ atMs }) => atMs > newest)];
  const samples = points.flatMap(({ atMs, diskBytes: value }) => (value === null ? [] : [{ atMs, value }]));
  const inMs = quotaFullIn(samples, diskLimitOf(state, agent)?.bytes ?? seen.shares(agent.id).diskBytes);
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
export function capacityOf(
  state: State,
  agent: Agent,
  seen: Pick<Seen, "read">,
  { memory, diskFreeBytes }: Room,
): Capacity {
  let agents = 0;
  while (agents < roomMax && findFullLimit(state, agent, agents + 1) === undefined) agents++;
  const { memoryBytes: taken, diskBytes } = takenBy(state, agent.spec.template, seen);
  // A share of the machine is what one is stopped at, not what it is going to take.
  const limit = saidMemoryOf(state, agent) ?? mayTake(agent.spec);
  const need = { memoryBytes: limit === null ? taken : Math.max(limit, taken ?? 0), diskBytes };
  return capacityFor(need, { memoryBytes: memory.availableBytes, diskBytes: diskFreeBytes, agents });
}

function spanOf(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 90) return `${minutes} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}
