// Runs as they are shown.

import { egressOf } from "../../core/egress/egress.ts";
import { imageOf } from "../../core/project/image.ts";
import { noSpend } from "../../core/budget/budget-state.ts";
import type { QueuedClaim } from "../../core/lease/lease-state.ts";
import { someInTheWay } from "../../core/lease/wait-graph.ts";
import type { Run as CoreRun } from "../../core/run/run-state.ts";
import { agentInTheWay, limitInTheWay, livesIn, type State } from "../../core/state.ts";
import { ownCostOf } from "../../core/run/own-cost.ts";
import { scopeFor } from "../../core/task/scope.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { Run } from "../../protocol/wire/run.ts";

/** The run of an id. Throws `not-found`. */
export function findRun(state: State, id: string): CoreRun {
  const run = state.runs.get(id);
  if (run === undefined) throw protocolError("not-found", { kind: "run", id });
  return run;
}

export function toRun(state: State, run: CoreRun): Run {
  const family = state.table.families.get(run.family);
  const { call } = run;
  const { kind, policy } = egressOf(state, run);
  return {
    id: run.id,
    task: run.task,
    project: run.project,
    projectName: state.projects.get(run.project)?.name ?? run.project,
    title: run.title,
    by: run.by,
    user: run.user,
    scope: scopeOf(state, run),
    runner: run.runner,
    profile: run.profile,
    settings: structuredClone(run.settings) as Run["settings"],
    node: run.node,
    priority: run.priority,
    tags: [...run.tags],
    plan: [...run.plan],
    dependsOn: [...run.dependsOn],
    command: run.command === null ? null : [...run.command],
    parent: run.parent,
    sub: run.sub,
    caged: run.caged,
    egress: run.caged ? kind : "open",
    egressPolicy: policy,
    image: run.caged ? imageOf(state, run) : null,
    agent: state.agents.get(livesIn(state, run))?.name ?? null,
    reuse: run.reuse,
    retryOf: run.retryOf,
    forkOf: run.fork === null ? null : { run: run.fork.run, step: run.fork.step },
    state: run.state,
    because: run.because,
    submittedAtMs: run.submittedAtMs,
    sinceMs: run.sinceMs,
    startedAtMs: run.startedAtMs,
    endedAtMs: run.endedAtMs,
    outputsGone: run.outputsGone === null ? null : { atMs: run.outputsGone.atMs, because: run.outputsGone.because },
    family: run.family,
    holds: family === undefined ? [] : [...family.leases.values()].map((lease) => lease.unit.text),
    claim: run.claim,
    behind: behindOf(state, run),
    waitsFor: limitOf(state, run),
    waitsForAgent: waitedAgentOf(state, run),
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
    question: run.question === null ? null : { ...run.question, leave: run.question.leave ?? null },
    changes: [...run.workspace.dirty.keys()].toSorted(),
    commit: run.workspace.commit,
    landed: run.landed,
    landedOn: run.landedOn ?? null,
    filesChanged: run.changed.size,
    bytesWritten: run.bytesWritten,
    tested: run.tested === null ? null : { ok: run.tested.ok, exit: run.tested.exit, event: run.tested.seq },
    spend: { ...run.spend },
    ownCostMicros: ownCostOf(run.ownCost),
    treeSpend: { ...(state.spending.trees.get(run.tree) ?? noSpend) },
    modelRefused: toRefused(run.modelRefused),
    stuck: run.stuck === null ? null : { ...run.stuck },
    delay: run.delay === null ? null : { ...run.delay },
    handed: run.handed === null ? null : { from: run.handed.from, failure: run.handed.failure },
    failure: run.failure,
    limitAtMs: run.limitAtMs,
    limitPolicy: run.limitPolicy,
    approvalPolicy: run.approvalPolicy,
    approvedBy: run.approvedBy,
  };
}

function scopeOf(state: State, run: CoreRun): string[] | null {
  const scope = scopeFor(state, run);
  return scope === null ? null : [...scope];
}

/** Nothing keeps it from its model any more once that was raised. */
function toRefused(refused: CoreRun["modelRefused"]): Run["modelRefused"] {
  if (refused === null || refused.raised === true) return null;
  const { code, what, policy } = refused;
  return { code, what, policy };
}

const behindMax = 20;

/** Holders in the way of what the run waits for. */
function behindOf(state: State, run: CoreRun): string[] {
  const holders = new Set<string>();
  for (const claim of waitingClaims(state, run)) {
    someInTheWay(state.table, claim, (other) => holders.add(other.holder).size >= behindMax);
  }
  const other = run.call === null || run.call.started ? null : run.call.other;
  if (other !== null) holders.add(other);
  return [...holders];
}

/** The limit that keeps it from starting or going on, where it needs a slot for that. */
function limitOf(state: State, run: CoreRun): Run["waitsFor"] {
  for (const { slot } of waitingClaims(state, run)) {
    const policy = slot === null ? undefined : limitInTheWay(state, slot);
    if (policy !== undefined) return { policy: policy.name, limit: policy.rules.maxConcurrent ?? 0 };
  }
  return null;
}

/** The living agent that keeps it from starting or going on. */
function waitedAgentOf(state: State, run: CoreRun): Run["waitsForAgent"] {
  for (const { slot } of waitingClaims(state, run)) {
    const agent = slot === null ? undefined : agentInTheWay(state, slot);
    if (agent !== undefined) return { agent: agent.name, state: agent.state, run: agent.run };
  }
  return null;
}

/** The claims by which it waits: to start or go on, and at the door. */
function waitingClaims(state: State, run: CoreRun): QueuedClaim[] {
  const queue = state.table.projects.get(run.project)?.byId;
  const ids = [run.claim, run.call?.claim ?? null];
  return ids.map((id) => (id === null ? undefined : queue?.get(id))).filter((claim) => claim !== undefined);
}
