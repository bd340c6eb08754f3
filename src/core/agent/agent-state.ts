// What is remembered of agents and their services.

import { mustGet } from "../../base/assert.ts";
import type { Reached } from "../egress/egress-events.ts";
import type { State } from "../state.ts";
import type { AgentSpec, HookName, ServiceSpec } from "./agent-spec.ts";
import type { AgentState, ServiceState } from "./agent-states.ts";
import type { Room } from "./room.ts";

/** From the least to the most. */
export const rungs = ["recreate", "reallocate", "respawn", "ask"] as const;
/** What is tried when starting a service again did not help. */
export type Rung = (typeof rungs)[number];

export const agentFailures = ["service", "resources", "network", "configuration", "lost"] as const;
/** Why a service failed, as far as that can be told from outside. */
export type AgentFailure = (typeof agentFailures)[number];

/** What it is within its class. */
export type FailureCause =
  | "ended"
  | "unhealthy"
  | "timed-out"
  | "lost"
  | "memory"
  | "disk"
  | "files"
  | "processes"
  | "port-taken"
  | "unreachable"
  | "not-found"
  | "not-permitted"
  | "not-started";

export type Wish = "run" | "stop" | "archive" | "remove";

/** How a service's process ended. */
export type ServiceEnd = {
  readonly exit: number | "unknown";
  readonly why: string;
  readonly said: string;
  /** Left out where none ended it. */
  readonly signal?: string;
};

export type Failing = {
  readonly class: AgentFailure;
  readonly what: string;
  /** Left out in what was written before there were any. */
  readonly cause?: FailureCause;
};

/** What somebody did to an agent that a failure may come from. */
export type AgentChange = {
  readonly kind: "template" | "files" | "commit" | "room" | "restored" | "policy" | "join" | "secret" | "command";
  readonly what: string;
  readonly atMs: number;
};

/** How often a service failed in the same way, and when it last did. */
export type Failed = { readonly count: number; readonly lastAtMs: number };

export type Service = {
  readonly spec: ServiceSpec;
  /** The service that it is an instance of; null for one that has none. */
  readonly group: string | null;
  state: ServiceState;
  sinceMs: number;
  sinceSeq: number;
  because: string | null;
  /** Its starts are counted, and each is called its life. */
  life: number;
  /** Whether somebody wants it to run while its agent does. */
  wanted: boolean;
  /** Whether somebody stopped it: it comes up again only when somebody asks for it. */
  stopped: boolean;
  /** Whether it was started to stand in for an instance that is begun anew. */
  standsIn: boolean;
  /** Null where nothing is known yet, or there is no check. */
  healthy: boolean | null;
  /** Whether it is to be begun anew, when that hurts nobody; and why. */
  outdated: boolean;
  renewal: string | null;
  /** Why it is being stopped, or waits for the ladder, where that is for its own failure. */
  failing: Failing | null;
  /** When it is started again. */
  dueAtMs: number | null;
  /** Whether it is started again later than its rule says: too many others are. */
  isHeld: boolean;
  /** When it is started by its schedule, as a time of the day. */
  nextAtMs: number | null;
  /** When it was started again, within the window of its rule or an hour. */
  restarts: readonly number[];
  /** Since when it has not been well, while somebody wants it to run. */
  unwellSinceMs: number | null;
  end: ServiceEnd | null;
  /** Whether it was well since its agent's place was made, or its template became another: so long as its window where it has no check. */
  wasWell: boolean;
  /** How it failed since then, and whether it always did so in the same way. */
  endsAlike: { readonly how: string; readonly always: boolean } | null;
  /** Its failures, by what they were. */
  failures: Readonly<Partial<Record<FailureCause, Failed>>>;
  /** Its template does not have it any more: it goes down, and is gone then. */
  readonly isDropped: boolean;
};

export type Agent = {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly node: string;
  spec: AgentSpec;
  /** Who made it, and when. */
  readonly by: string;
  readonly madeAtMs: number;
  state: AgentState;
  sinceMs: number;
  sinceSeq: number;
  because: string | null;
  wish: Wish;
  /** Leaves its processes no time to tidy up. */
  force: boolean;
  /** Whether what was changed in it is kept in the trash when it is removed. */
  aside?: true;
  /** How often it was made. What is reported of an earlier life is no news. */
  life: number;
  /** Whether its place is there: workspace, cage, ports. */
  isMade: boolean;
  /** Whether nothing of it is left on its machine, its files among it. */
  isCleared: boolean;
  /** By `service.port`. */
  readonly ports: Map<string, number>;
  /** The highest rung that was tried since it was last well. */
  rung: Rung | null;
  /** How often each was, and for what the last one was. */
  climbs: Readonly<Partial<Record<Rung, number>>>;
  climbed: { readonly what: string; readonly atMs: number } | null;
  readonly services: Map<string, Service>;
  /** The run that is in it: from its start until nothing of it runs any more. */
  run: string | null;
  /** Hosts that it has reached or tried to reach, the first ones first. */
  readonly reached: Map<string, Reached>;
  /** Whether its setup is done, which it is once. */
  isSetUp: boolean;
  /** The hook that is under way. */
  hook: HookName | null;
  /** How often one was begun. */
  hooks: number;
  /** How each went last; nothing of those that are still to come. */
  hookEnds: Readonly<Partial<Record<HookName, HookEnd>>>;
  /** Other agents by their ids: joined by a person's word, or parted by one. */
  readonly joins: Map<string, boolean>;
  /** Whether it was ever joined, or its template has ever named somebody: then its keeper may know of a join. */
  mayBeJoined: boolean;
  /** How its assistant was last begun; null where it never was. */
  assistant: Assistance | null;
  /** Whether it was begun since the agent last came up, or is still at work from before. */
  isAssisted: boolean;
  /** Put away: it has its files and no ports. The ports are those that it had. */
  isArchived: boolean;
  /** What it was given beyond what it was made with. */
  room: Room;
  /** What was done to it last, the newest at the end. */
  changes: readonly AgentChange[];
};

export type Assistance = {
  readonly number: number;
  /** What it was given to do. */
  readonly prompt: string;
  readonly state: "called" | "begun" | "failed";
  readonly run: string | null;
  readonly because: string | null;
};

export type HookEnd = { readonly number: number; readonly ok: boolean; readonly end: ServiceEnd };

export function agentOf(state: State, id: string): Agent {
  return mustGet(state.agents, id, "agent");
}

export function serviceOf(agent: Agent, name: string): Service {
  return mustGet(agent.services, name, "service");
}

/** Whether a service is as far as whoever needs it wants it to be. */
export function isSoFar({ state, healthy }: Service, until: "started" | "healthy" | "completed"): boolean {
  if (state === "completed") return true;
  if (state !== "up") return false;
  return until === "started" || (until === "healthy" && healthy === true);
}

/** Whether it runs, and its check has failed. */
export function isIll({ state, healthy }: Service): boolean {
  return state === "up" && healthy === false;
}

/** Whether there is nothing more to wait for. */
export function isWell(service: Service): boolean {
  // Nobody waits for what comes and goes.
  return (
    !service.wanted ||
    service.spec.schedule !== undefined ||
    isSoFar(service, service.spec.health === null ? "started" : "healthy")
  );
}

export function unhealthyText(what: string): string {
  return `it is not healthy: ${what}`;
}

/** How a port of an agent is named. */
export function portKey(service: string, port: string): string {
  return `${service}.${port}`;
}
