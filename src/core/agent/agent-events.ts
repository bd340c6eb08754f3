// What can happen to agents and their services.

import type { AgentSpec, HookName } from "./agent-spec.ts";
import type { AgentFailure, Failing, Rung, ServiceEnd, Wish } from "./agent-state.ts";
import type { AgentState, ServiceState } from "./agent-states.ts";

export type AgentCreated = {
  readonly type: "agent.created";
  readonly v: 1;
  readonly agent: string;
  readonly name: string;
  readonly project: string;
  readonly node: string;
  readonly spec: AgentSpec;
  /** By `service.port`. */
  readonly ports: Readonly<Record<string, number>>;
};

export type AgentWished = {
  readonly type: "agent.wished";
  readonly v: 1;
  readonly agent: string;
  readonly wish: Wish;
  readonly force: boolean;
};

export type AgentMoved = {
  readonly type: "agent.moved";
  readonly v: 1;
  readonly agent: string;
  readonly from: AgentState;
  readonly to: AgentState;
  /** The life that it is in from now on. */
  readonly life: number;
  readonly because: string | null;
};

/** Its place is there: workspace, cage, ports. */
export type AgentMade = { readonly type: "agent.made"; readonly v: 1; readonly agent: string; readonly life: number };

/** Nothing of that life runs any more. */
export type AgentEnded = {
  readonly type: "agent.ended";
  readonly v: 1;
  readonly agent: string;
  readonly life: number;
  /** Its files are gone too. */
  readonly cleared?: true;
};

/** Its ports were not free on the machine. */
export type AgentRenumbered = {
  readonly type: "agent.renumbered";
  readonly v: 1;
  readonly agent: string;
  readonly ports: Readonly<Record<string, number>>;
};

/** Starting a service again did not help: the next rung of the ladder. */
export type AgentClimbed = {
  readonly type: "agent.climbed";
  readonly v: 1;
  readonly agent: string;
  readonly service: string | null;
  readonly rung: Rung;
  readonly failure: AgentFailure;
  readonly what: string;
};

/** It was well for so long that the ladder begins at its foot again. */
export type AgentRecovered = { readonly type: "agent.recovered"; readonly v: 1; readonly agent: string };

export type AgentRemoved = { readonly type: "agent.removed"; readonly v: 1; readonly agent: string };

/** It is made of this from now on. */
export type AgentReloaded = {
  readonly type: "agent.reloaded";
  readonly v: 1;
  readonly agent: string;
  readonly spec: AgentSpec;
  /** All of them. */
  readonly ports: Readonly<Record<string, number>>;
};

/** A command of the agent's own is to be run. */
export type HookBegun = {
  readonly type: "hook.begun";
  readonly v: 1;
  readonly agent: string;
  readonly hook: HookName;
  readonly number: number;
};

export type HookEnded = {
  readonly type: "hook.ended";
  readonly v: 1;
  readonly agent: string;
  readonly hook: HookName;
  readonly number: number;
  readonly ok: boolean;
  readonly end: ServiceEnd;
};

/** Two agents see each other's services. */
export type AgentJoined = {
  readonly type: "agent.joined";
  readonly v: 1;
  readonly agent: string;
  readonly with: string;
};

/** Two agents do not see each other's services any more. */
export type AgentParted = {
  readonly type: "agent.parted";
  readonly v: 1;
  readonly agent: string;
  readonly with: string;
};

/** Its assistant is to be begun, with this to do. */
export type AssistantCalled = {
  readonly type: "assistant.called";
  readonly v: 1;
  readonly agent: string;
  readonly number: number;
  readonly prompt: string;
};

/** Its assistant is a run in it. */
export type AssistantBegun = {
  readonly type: "assistant.begun";
  readonly v: 1;
  readonly agent: string;
  readonly number: number;
  readonly run: string;
};

/** Its assistant could not be begun. */
export type AssistantFailed = {
  readonly type: "assistant.failed";
  readonly v: 1;
  readonly agent: string;
  readonly number: number;
  readonly because: string;
};

/** It is put away: its files stay, its ports are free. */
export type AgentArchived = { readonly type: "agent.archived"; readonly v: 1; readonly agent: string };

/** It is brought back, with these ports, and wanted to run. */
export type AgentRestored = {
  readonly type: "agent.restored";
  readonly v: 1;
  readonly agent: string;
  readonly ports: Readonly<Record<string, number>>;
};

export type ServiceWished = {
  readonly type: "service.wished";
  readonly v: 1;
  readonly agent: string;
  readonly service: string;
  readonly up: boolean;
};

/** An instance is to be begun anew when that hurts nobody, or no more. */
export type ServiceOutdated = {
  readonly type: "service.outdated";
  readonly v: 1;
  readonly agent: string;
  readonly service: string;
  readonly outdated: boolean;
  readonly because: string | null;
};

/** When a service is started by its schedule. */
export type ServiceScheduled = {
  readonly type: "service.scheduled";
  readonly v: 1;
  readonly agent: string;
  readonly service: string;
  /** As a time of the day, like the clock on the wall. */
  readonly nextAtMs: number;
};

/** Files that it watches have changed. */
export type ServiceTouched = {
  readonly type: "service.touched";
  readonly v: 1;
  readonly agent: string;
  /** As its template calls it. */
  readonly service: string;
  /** The first of them, and how many there are. */
  readonly paths: readonly string[];
  readonly count: number;
};

/** Its time came while it still ran. */
export type ServiceSkipped = {
  readonly type: "service.skipped";
  readonly v: 1;
  readonly agent: string;
  readonly service: string;
  readonly plannedAtMs: number;
  readonly because: string;
};

export type ServiceMoved = {
  readonly type: "service.moved";
  readonly v: 1;
  readonly agent: string;
  readonly service: string;
  readonly from: ServiceState;
  readonly to: ServiceState;
  readonly life: number;
  readonly because: string | null;
  /** When it is started again, where it is delayed. */
  readonly dueAtMs?: number;
  /** How its process ended, where that is why. */
  readonly end?: ServiceEnd;
  /** It is stopped because it fails. */
  readonly failing?: Failing;
};

export type ServiceJudged = {
  readonly type: "service.judged";
  readonly v: 1;
  readonly agent: string;
  readonly service: string;
  readonly life: number;
  readonly healthy: boolean;
  readonly what: string;
};

export type AgentEvent =
  | AgentCreated
  | AgentWished
  | AgentMoved
  | AgentMade
  | AgentEnded
  | AgentRenumbered
  | AgentClimbed
  | AgentRecovered
  | AgentRemoved
  | AgentArchived
  | AgentRestored
  | AgentReloaded
  | AgentJoined
  | AgentParted
  | HookBegun
  | HookEnded
  | AssistantCalled
  | AssistantBegun
  | AssistantFailed
  | ServiceWished
  | ServiceOutdated
  | ServiceScheduled
  | ServiceSkipped
  | ServiceTouched
  | ServiceMoved
  | ServiceJudged;
