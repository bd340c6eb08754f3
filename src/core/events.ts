// Everything that can have happened. The log is a sequence of these; the state is their fold. Other programs read them:
// docs/reference/events.md is their contract.

import type { AgentEvent } from "./agent/agent-events.ts";
import type { EgressEvent } from "./egress/egress-events.ts";
import type { BudgetEvent } from "./budget/budget-events.ts";
import type { LeaseEvent } from "./lease/lease-events.ts";
import type { Policy } from "./policy/policy.ts";
import type { Profile } from "./profile/profile.ts";
import type { ProjectEvent } from "./project/project.ts";
import type { OwnRunnerEvent } from "./runner/own-runner.ts";
import type { PresetSet } from "./runner/presets.ts";
import type { RunEvent } from "./run/run-events.ts";
import type { TaskEvent } from "./task/task-events.ts";
import type { TerminalEvent } from "./terminal/terminal-events.ts";
import type { RoomMade } from "./disk/room-made.ts";
import type { WarningSeen } from "./warning/seen-warnings.ts";
import type { WorkspaceEvent } from "./workspace/workspace-events.ts";

/** The engine began to work on this log. Until the next one, wall time is engine time plus a constant. */
export type EngineOpened = {
  readonly type: "engine.opened";
  readonly v: 1;
  readonly version: string;
  readonly wallMs: number;
};

export type PolicySet = { readonly type: "policy.set"; readonly v: 1; readonly policy: Policy };
export type PolicyRemoved = { readonly type: "policy.removed"; readonly v: 1; readonly name: string };

export type ProfileSet = { readonly type: "profile.set"; readonly v: 1; readonly profile: Profile };
export type ProfileRemoved = { readonly type: "profile.removed"; readonly v: 1; readonly name: string };

export type Event =
  | EngineOpened
  | PolicySet
  | PolicyRemoved
  | ProfileSet
  | ProfileRemoved
  | OwnRunnerEvent
  | PresetSet
  | ProjectEvent
  | TaskEvent
  | RunEvent
  | LeaseEvent
  | WorkspaceEvent
  | EgressEvent
  | TerminalEvent
  | BudgetEvent
  | AgentEvent
  | WarningSeen
  | RoomMade;

export type EventType = Event["type"];

/** An event in the log. `cause` is the event that led to it, null when somebody's input did. */
export type Logged<E extends Event = Event> = E & {
  readonly seq: number;
  /** Engine time. */
  readonly atMs: number;
  readonly cause: number | null;
  /** Who: `person:NAME`, `agent:RUN` or `system`. */
  readonly actor: string;
};

/** Every event type with its newest version: the catalogue that documents and upgrades are checked against. */
export const eventVersions = {
  "engine.opened": 1,
  "project.added": 1,
  "project.changed": 1,
  "project.removed": 1,
  "policy.set": 1,
  "policy.removed": 1,
  "profile.set": 1,
  "profile.removed": 1,
  "runner.set": 1,
  "runner.removed": 1,
  "preset.set": 1,
  "task.added": 1,
  "task.changed": 1,
  "task.attached": 1,
  "task.detached": 1,
  "task.cancelled": 1,
  "task.removed": 1,
  "run.submitted": 1,
  "run.moved": 1,
  "run.claimed": 1,
  "run.limited": 1,
  "run.lost": 1,
  "run.revived": 1,
  "run.tested": 1,
  "run.entered": 1,
  "run.placed": 1,
  "run.stopped": 1,
  "run.said": 1,
  "run.asked": 1,
  "run.answered": 1,
  "run.messaged": 1,
  "run.heard": 1,
  "run.stuck": 1,
  "run.escalated": 1,
  "run.delayed": 1,
  "run.handed": 1,
  "run.seen": 1,
  "run.raised": 1,
  "outputs.forgotten": 1,
  "run.removed": 1,
  "call.queued": 1,
  "call.started": 1,
  "call.refused": 1,
  "call.finished": 1,
  "family.opened": 1,
  "family.moved": 1,
  "family.ended": 1,
  "family.awaited": 1,
  "family.await-ended": 1,
  "claim.queued": 1,
  "claim.ended": 1,
  "lease.granted": 1,
  "lease.ready": 1,
  "lease.renewed": 1,
  "lease.released": 1,
  "lease.shrunk": 1,
  "lease.yielded": 1,
  "unit.cleared": 1,
  "paths.set-aside": 1,
  "trash.purged": 1,
  "run.approved": 1,
  "landing.intended": 1,
  "landing.overtaken": 1,
  "run.landed": 1,
  "run.conflicted": 1,
  "rewind.begun": 1,
  "works.found": 1,
  "run.rewound": 1,
  "mainline.moved": 1,
  "mainline.published": 1,
  "egress.tried": 1,
  "egress.summed": 1,
  "terminal.opened": 1,
  "terminal.ended": 1,
  "terminal.keyboard": 1,
  "terminal.renamed": 1,
  "terminal.forgotten": 1,
  "model.requested": 1,
  "model.answered": 1,
  "model.refused": 1,
  "price.set": 1,
  "price.removed": 1,
  "agent.created": 1,
  "agent.wished": 1,
  "agent.moved": 1,
  "agent.made": 1,
  "agent.ended": 1,
  "agent.renumbered": 1,
  "agent.climbed": 1,
  "agent.reallocated": 1,
  "agent.recovered": 1,
  "agent.removed": 1,
  "agent.archived": 1,
  "agent.restored": 1,
  "agent.reloaded": 1,
  "agent.joined": 1,
  "agent.parted": 1,
  "agent.refreshed": 1,
  "agent.set-aside": 1,
  "hook.begun": 1,
  "hook.ended": 1,
  "assistant.called": 1,
  "assistant.begun": 1,
  "assistant.failed": 1,
  "service.wished": 1,
  "service.outdated": 1,
  "service.scheduled": 1,
  "service.skipped": 1,
  "service.touched": 1,
  "service.moved": 1,
  "service.failed": 1,
  "service.held": 1,
  "service.judged": 1,
  "warning.seen": 1,
  "room.made": 1,
} as const satisfies Record<EventType, number>;
