// The whole state: a fold of the log and nothing else.

import { mustGet } from "../base/assert.ts";
import type { Agent } from "./agent/agent-state.ts";
import type { Held, Restart } from "./agent/restart-budget.ts";
import { makeSpending, type Spending } from "./budget/budget-state.ts";
import type { LeaseTable } from "./lease/lease-state.ts";
import { makeLeaseTable } from "./lease/lease-state.ts";
import { applicable, type Policy, type PolicySubject } from "./policy/policy.ts";
import type { Profile } from "./profile/profile.ts";
import type { Project } from "./project/project.ts";
import type { OwnRunner } from "./runner/own-runner.ts";
import type { PresetModels } from "./runner/presets.ts";
import type { Run } from "./run/run-state.ts";
import { fullLimit, type SlotCounts } from "./schedule/slots.ts";
import type { LastRoom } from "./disk/room-made.ts";
import type { Task } from "./task/task-state.ts";
import type { Terminal } from "./terminal/terminal-events.ts";
import type { TrashItem } from "./workspace/workspace-state.ts";

/** `fromMs` is the first instant of it alone: in older logs the engine went on at the last instant of the one before. */
type EngineStart = {
  readonly seq: number;
  readonly atMs: number;
  readonly wallMs: number;
  readonly fromMs: number;
};

export type State = {
  /** The last event's number and engine time. */
  seq: number;
  atMs: number;
  /** Wall time minus engine time since the engine was last opened: for people to read, and for the days of budgets. */
  wallOffsetMs: number;
  /** The newest starts of the engine, with the time of day of each: the same for older instants. */
  readonly openings: EngineStart[];
  readonly table: LeaseTable;
  readonly projects: Map<string, Project>;
  readonly policies: Map<string, Policy>;
  readonly profiles: Map<string, Profile>;
  /** Runners that a person has defined. */
  readonly runners: Map<string, OwnRunner>;
  /** What people said that presets mean, by runner. */
  readonly presets: Map<string, PresetModels>;
  readonly tasks: Map<string, Task>;
  readonly runs: Map<string, Run>;
  /** Living environments, by id. One that is removed is gone from here. */
  readonly agents: Map<string, Agent>;
  /** Services that were started again, over all agents: the newest, in order. */
  readonly restarts: Restart[];
  /** Restarts that had to wait because there were too many; null where there was no such thing. */
  held: Held | null;
  /** Warnings that somebody has seen of late, and when: the oldest first. */
  readonly seenWarnings: Map<string, number>;
  /** When room was made on the disk last; null is never. */
  lastRoom: LastRoom | null;
  /** What was set aside and not purged, by id, oldest first. */
  readonly trash: Map<string, TrashItem>;
  /** Of runs that have not been removed, also those that have ended: their recordings are there. */
  readonly terminals: Map<string, Terminal>;
  /** What models have cost, and may cost. */
  readonly spending: Spending;
  readonly slots: SlotCounts;
  /** How many runs of each family are at work, by its root: a family has one slot while any is. */
  readonly working: Map<string, number>;
  /** Runs by the key they were submitted with. */
  readonly runKeys: Map<string, string>;
  /** Runs that wait for others to be done, by what they wait for. */
  readonly dependants: Map<string, Set<string>>;
  /** Sub-runs of a run, which share its family. */
  readonly subRuns: Map<string, Set<string>>;
  /** Which run acts in a family: the root of its tree. */
  readonly runOfFamily: Map<string, string>;
  /** Runs whose call waits for a run to be over, by the run they wait for. */
  readonly awaiters: Map<string, Set<string>>;
  /** Runs that wait for a claim, by claim. */
  readonly runOfClaim: Map<string, string>;
};

export function makeState(): State {
  return {
    seq: 0,
    atMs: 0,
    wallOffsetMs: 0,
    openings: [],
    table: makeLeaseTable(),
    projects: new Map(),
    policies: new Map(),
    profiles: new Map(),
    runners: new Map(),
    presets: new Map(),
    tasks: new Map(),
    runs: new Map(),
    agents: new Map(),
    restarts: [],
    held: null,
    seenWarnings: new Map(),
    lastRoom: null,
    trash: new Map(),
    terminals: new Map(),
    spending: makeSpending(),
    slots: new Map(),
    working: new Map(),
    runKeys: new Map(),
    dependants: new Map(),
    subRuns: new Map(),
    runOfFamily: new Map(),
    awaiters: new Map(),
    runOfClaim: new Map(),
  };
}

export function runOf(state: State, run: string): Run {
  return mustGet(state.runs, run, "run");
}

/** The run whose family this one acts in: itself, or the run that its sub-runs stem from. */
export function rootOf(state: State, run: Run): Run {
  return run.sub ? (state.runs.get(state.runOfFamily.get(run.family) ?? "") ?? run) : run;
}

/** Whether a run could take a slot now, and its place in an agent. Sub-runs work on the slot of their root, and in its agent. */
export function hasSlotFor(state: State, id: string): boolean {
  return agentInTheWay(state, id) === undefined && limitInTheWay(state, id) === undefined;
}

/** Where a run works: the living agent that was named, or a short-lived one that is called as its root. */
export function livesIn(state: State, run: Run): string {
  const root = rootOf(state, run);
  return root.agent ?? root.id;
}

/** Whether a run has the place where it works: a living agent is another's until that has left. */
export function isAtHome(state: State, run: Run): boolean {
  const root = rootOf(state, run);
  return root.agent === null || state.agents.get(root.agent)?.run === root.id;
}

/** The living agent that a run has to wait for: it is not there now, or another run is in it (AG41, AG42). */
export function agentInTheWay(state: State, id: string): Agent | undefined {
  const root = rootOf(state, runOf(state, id));
  const agent = state.agents.get(root.agent ?? "");
  if (agent === undefined) return undefined;
  const isIn = agent.run === root.id;
  // Whoever is in it may be needed to mend what keeps it from running.
  if (isIn) return agent.isMade && agent.state !== "stopping" ? undefined : agent;
  return agent.run === null && agent.state === "running" ? undefined : agent;
}

/** The policy whose limit keeps a run from taking a slot now, if one does. */
export function limitInTheWay(state: State, id: string): Policy | undefined {
  const root = rootOf(state, runOf(state, id));
  return state.working.has(root.id) ? undefined : fullLimit(state.slots, state.policies, subjectOf(root));
}

export function subjectOf(run: Run): PolicySubject {
  return { project: run.project, profile: run.profile, runner: run.runner, node: run.node };
}

/** The policies that apply to a run, the most important first. */
export function policiesOf(state: State, run: Run): Policy[] {
  return applicable(state.policies, subjectOf(run), run.settings?.policy);
}
