// Runs and tasks as they are shown.

import { someInTheWay } from "../../core/lease/wait-graph.ts";
import type { Run as CoreRun, Task as CoreTask } from "../../core/run/run-state.ts";
import type { State } from "../../core/state.ts";
import type { Run, Task } from "../../protocol/wire/run.ts";

export function toRun(state: State, run: CoreRun): Run {
  const family = state.table.families.get(run.family);
  const { call } = run;
  return {
    id: run.id,
    task: run.task,
    project: run.project,
    projectName: state.projects.get(run.project)?.name ?? run.project,
    title: run.title,
    runner: run.runner,
    profile: run.profile,
    node: run.node,
    priority: run.priority,
    tags: [...run.tags],
    plan: [...run.plan],
    dependsOn: [...run.dependsOn],
    parent: run.parent,
    sub: run.sub,
    retryOf: run.retryOf,
    state: run.state,
    because: run.because,
    submittedAtMs: run.submittedAtMs,
    sinceMs: run.sinceMs,
    startedAtMs: run.startedAtMs,
    endedAtMs: run.endedAtMs,
    family: run.family,
    holds: family === undefined ? [] : [...family.leases.values()].map((lease) => lease.unit.text),
    claim: run.claim,
    behind: behindOf(state, run),
    call:
      call === null
        ? null
        : {
            number: call.number,
            tool: call.tool,
            units: [...call.units],
            started: call.started,
            claim: call.claim,
            other: call.other,
          },
    callsDone: run.callsDone,
    question: run.question === null ? null : { ...run.question },
    filesChanged: run.changed.size,
    bytesWritten: run.bytesWritten,
    limitAtMs: run.limitAtMs,
  };
}

export function toTask(task: CoreTask): Task {
  return {
    id: task.id,
    project: task.project,
    title: task.title,
    description: task.description,
    acceptance: task.acceptance === null ? null : [...task.acceptance],
    cancelled: task.cancelled,
    runs: [...task.runs],
    atMs: task.atMs,
  };
}

const behindMax = 20;

/** Holders in the way of what the run waits for. */
function behindOf(state: State, run: CoreRun): string[] {
  const holders = new Set<string>();
  const queue = state.table.projects.get(run.project)?.byId;
  for (const id of [run.claim, run.call?.claim ?? null]) {
    const claim = id === null ? undefined : queue?.get(id);
    if (claim === undefined) continue;
    someInTheWay(state.table, claim, (other) => holders.add(other.holder).size >= behindMax);
  }
  const other = run.call === null || run.call.started ? null : run.call.other;
  if (other !== null) holders.add(other);
  return [...holders];
}
