// The whole state: a fold of the log and nothing else.

import { mustGet } from "../base/assert.ts";
import type { LeaseTable } from "./lease/lease-state.ts";
import { makeLeaseTable } from "./lease/lease-state.ts";
import type { Policy, PolicySubject } from "./policy/policy.ts";
import type { Project } from "./project/project.ts";
import type { Run, Task } from "./run/run-state.ts";
import { fullLimit, type SlotCounts } from "./schedule/slots.ts";

export type State = {
  /** The last event's number and engine time. */
  seq: number;
  atMs: number;
  /** Wall time minus engine time since the engine was last opened: for people to read, never to decide. */
  wallOffsetMs: number;
  readonly table: LeaseTable;
  readonly projects: Map<string, Project>;
  readonly policies: Map<string, Policy>;
  readonly tasks: Map<string, Task>;
  readonly runs: Map<string, Run>;
  readonly slots: SlotCounts;
  /** Runs by the key they were submitted with. */
  readonly runKeys: Map<string, string>;
  /** Runs that wait for others to be done, by what they wait for. */
  readonly dependants: Map<string, Set<string>>;
  /** Sub-runs of a run, which share its family. */
  readonly subRuns: Map<string, Set<string>>;
  /** Which run acts in a family: the root of its tree. */
  readonly runOfFamily: Map<string, string>;
  /** Runs that wait for a claim, by claim. */
  readonly runOfClaim: Map<string, string>;
};

export function makeState(): State {
  return {
    seq: 0,
    atMs: 0,
    wallOffsetMs: 0,
    table: makeLeaseTable(),
    projects: new Map(),
    policies: new Map(),
    tasks: new Map(),
    runs: new Map(),
    slots: new Map(),
    runKeys: new Map(),
    dependants: new Map(),
    subRuns: new Map(),
    runOfFamily: new Map(),
    runOfClaim: new Map(),
  };
}

export function runOf(state: State, run: string): Run {
  return mustGet(state.runs, run, "run");
}

/** Whether a run could take a slot now. */
export function hasSlotFor(state: State, id: string): boolean {
  return fullLimit(state.slots, state.policies, subjectOf(runOf(state, id))) === undefined;
}

export function subjectOf(run: Run): PolicySubject {
  return { project: run.project, profile: run.profile, runner: run.runner, node: run.node };
}
