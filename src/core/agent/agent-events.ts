// What can happen to agents and their services.

import type { Work } from "../workspace/workspace-state.ts";
import type { AgentSpec, HookName, UseLimits } from "./agent-spec.ts";
import type { AgentChange, AgentFailure, Failing, FailureCause, Rung, ServiceEnd, Wish } from "./agent-state.ts";
import type { AgentState, ServiceState } from "./agent-states.ts";
import type { RoomKind } from "./room.ts";

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
  /** What was changed in it goes to the trash before its files go; false takes that back. */
  readonly aside?: boolean;
};

/** What was changed in the workspace of one that is removed is in the trash. */
export type AgentSetAside = {
  readonly type: "agent.set-aside";
  readonly v: 1;
  readonly agent: string;
  readonly works: readonly Work[];
  /** The trash items, in the order of works. */
  readonly ids: readonly string[];
  /** Left out where its agent was removed. */
  readonly why?: string;
  /** Why nothing could be kept. */
  readonly failed?: string;
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
  /** Only what ran in it: its place is there, and the terminals in it. */
  readonly session?: true;
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

/** It is given more than it had, or something else: what it had was not enough. */
export type AgentReallocated = {
  readonly type: "agent.reallocated";
  readonly v: 1;
  readonly agent: string;
  /** The service that it is for; null for the agent as a whole. */
  readonly service: string | null;
  readonly room: RoomKind;
  /** How much memory it may have from now on, where it is memory. */
  readonly memoryBytes: number | null;
};

/** It was well for so long that the ladder begins at its foot again. */
export type AgentRecovered = { readonly type: "agent.recovered"; readonly v: 1; readonly agent: string };

/** Left out of `recordings`: by those of long ago, with which they went. */
export type AgentRemoved = {
  readonly type: "agent.removed";
  readonly v: 1;
  readonly agent: string;
  readonly recordings?: "kept";
};

/** It is made of this from now on. */
export type AgentReloaded = {
  readonly type: "agent.reloaded";
  readonly v: 1;
  readonly agent: string;
  readonly spec: AgentSpec;
  /** All of them. */
  readonly ports: Readonly<Record<string, number>>;
  /** Services that are told of it where they run: what they may use is another, or their variables are. */
  readonly adapts?: readonly string[];
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

/** Its files were brought to this commit of mainline, and so many of them moved. */
export type AgentRefreshed = {
  readonly type: "agent.refreshed";
  readonly v: 1;
  readonly agent: string;
  readonly commit: string;
  readonly count: number;
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
  /** Where it is a matter of a renewal: it stands in for an old one, or stands by from now on. Left out where somebody asked for it. */
  readonly as?: "stand-in" | "spare";
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
  /** It is stopped because it fails; where it is delayed, the ladder is climbed for this when it is due. */
  readonly failing?: Failing;
};

/** A service has failed, and this is how everything was at that moment. */
export type ServiceFailed = {
  readonly type: "service.failed";
  readonly v: 1;
  readonly agent: string;
  readonly service: string;
  readonly life: number;
  readonly failure: AgentFailure;
  readonly found: FailureCause;
  readonly what: string;
  /** How its process ended; null where it goes on. */
  readonly end: ServiceEnd | null;
  /** What it might use, and what it used when somebody last looked; null where nothing is said or known. */
  readonly limits: UseLimits | null;
  readonly use: FailureUse | null;
  /** How those were that it needs. */
  readonly needs: readonly {
    readonly service: string;
    readonly state: ServiceState;
    readonly healthy: boolean | null;
  }[];
  /** What was done to its agent within the last hour, the oldest first. */
  readonly changes: readonly AgentChange[];
  /** How often it had failed in the same way before, and when it last did. */
  readonly before: { readonly count: number; readonly lastAtMs: number | null };
};

/** What a service used when somebody last looked before its end. */
export type FailureUse = {
  readonly memoryBytes: number;
  readonly memoryBytesPeak: number;
  readonly cpu: number | null;
  readonly files: number | null;
  readonly processes: number;
  /** How long before its end that was. */
  readonly agoMs: number;
  /** What was free on the disk that agents live on; null where that is not known. */
  readonly diskFreeBytes: number | null;
};

/** It is started again later than its rule says: too many others are. */
export type ServiceHeld = {
  readonly type: "service.held";
  readonly v: 1;
  readonly agent: string;
  readonly service: string;
  readonly dueAtMs: number;
  /** So many may be started again within the window, and the policy that says so. */
  readonly max: number;
  readonly windowMs: number;
  readonly policy: string;
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
  | AgentReallocated
  | AgentRecovered
  | AgentRemoved
  | AgentArchived
  | AgentRestored
  | AgentReloaded
  | AgentJoined
  | AgentParted
  | AgentRefreshed
  | AgentSetAside
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
  | ServiceFailed
  | ServiceHeld
  | ServiceJudged;
