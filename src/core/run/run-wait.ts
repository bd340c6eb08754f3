// Waiting for another run to be over (LS46), also for the one that is in the agent that a run wants to work in (AG41).
// Between families it is an edge in the waiting graph; within one it must not close a circle of runs that end only after
// each other.

import { compareText } from "../../base/canonical.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { LeaseEvent } from "../lease/lease-events.ts";
import { decideAwait } from "../lease/lease-decide.ts";
import { familyOf, type Family, type WaitEdge } from "../lease/lease-state.ts";
import { runOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { kinOf } from "./run-tree.ts";
import type { Run } from "./run-state.ts";
import { isOver } from "./run-states.ts";

type Deadlock = { readonly code: "deadlock"; readonly cycle: readonly WaitEdge[] };

/** The edges of a run that starts to wait for another, or the circle that this would close. */
export function decideWait(state: State, run: Run, other: Run): Result<readonly LeaseEvent[], Deadlock> {
  const family = familyOf(state.table, run.family);
  if (other.family === run.family) {
    const cycle = [{ from: family.id, to: family.id, claim: null, unit: null }];
    return endsOnlyAfter(state, other, run) ? refuse({ code: "deadlock", cycle }) : ok([]);
  }
  const events: LeaseEvent[] = [];
  for (const awaited of familiesBehind(state, other)) {
    const decided = decideAwait(state.table, family, awaited);
    if (!decided.ok) return decided;
    events.push(...decided.value);
  }
  return ok(events);
}

/** Drops the edges of a family that none of its runs needs any more. */
export function settleAwaits(step: Step, run: Run): void {
  const { state } = step;
  const family = state.table.families.get(run.family);
  if (family === undefined || family.awaits.size === 0) return;
  const needed = new Set<string>();
  for (const member of kinOf(state, run)) {
    const others = [awaitedBy(state, member), tenantInTheWay(state, member)];
    for (const other of others)
      if (other !== undefined) for (const each of familiesBehind(state, other)) needed.add(each.id);
  }
  for (const id of [...family.awaits].toSorted(compareText)) {
    if (!needed.has(id)) step.emit({ type: "family.await-ended", v: 1, family: family.id, other: id });
  }
}

/** Gives everyone who waits for a run the edge to the family it has now. A family that is new closes no circle. */
export function renewAwaits(step: Step): void {
  const { state } = step;
  for (const id of [...state.awaiters.keys()].toSorted(compareText)) {
    for (const waiter of [...(state.awaiters.get(id) ?? [])].toSorted(compareText)) {
      const run = runOf(state, waiter);
      const other = awaitedBy(state, run);
      const decided = other === undefined || run.lost ? undefined : decideWait(state, run, other);
      if (decided?.ok === true) step.emitAll(decided.value);
    }
  }
}

/**
 * Gives a run that waits for its agent the edge to the one that is in it: whoever is in the agent may then pass it in the
 * queue. That one has not begun to wait for anybody, or was told of the circle when it did.
 */
export function awaitAgent(step: Step, run: Run): void {
  const tenant = tenantInTheWay(step.state, run);
  if (tenant === undefined || run.lost || familyOf(step.state.table, run.family).life === "over") return;
  const decided = decideWait(step.state, run, tenant);
  if (decided.ok) step.emitAll(decided.value);
}

/** The run that is in the agent which this one waits for. Paused, it waits for nobody. */
function tenantInTheWay(state: State, run: Run): Run | undefined {
  return run.state === "queued" || run.state === "parked" ? otherInAgent(state, run) : undefined;
}

/** Whoever is in the agent that a run is to work in, where that is another run. */
function otherInAgent(state: State, run: Run): Run | undefined {
  const tenant = state.runs.get(state.agents.get(run.agent ?? "")?.run ?? "");
  return tenant === undefined || tenant.id === run.id || isOver(tenant.state) ? undefined : tenant;
}

/** The run that this one waits for at this moment. Paused, it waits for nobody. */
function awaitedBy(state: State, run: Run): Run | undefined {
  if (run.call === null || run.call.other === null || run.call.started) return undefined;
  if (run.state !== "running" && run.state !== "blocked" && run.state !== "parked") return undefined;
  const other = state.runs.get(run.call.other);
  return other === undefined || isOver(other.state) ? undefined : other;
}

/** The family of a run and those of all runs that it still depends on, or whose agent it wants: it cannot be over before. */
function familiesBehind(state: State, run: Run): Family[] {
  const runs = new Set([run]);
  for (const each of runs) {
    const tenant = otherInAgent(state, each);
    if (tenant !== undefined) runs.add(tenant);
    for (const id of each.dependsOn) {
      const other = state.runs.get(id);
      if (each.startedAtMs === null && other !== undefined && !isOver(other.state)) runs.add(other);
    }
  }
  const families = new Set<Family>();
  for (const each of runs) {
    const family = state.table.families.get(each.family);
    if (family !== undefined && family.life !== "over") families.add(family);
  }
  return [...families];
}

/** Within a family: whether `other` can be over only once `run` is. A run ends after its sub-runs and what it waits for. */
function endsOnlyAfter(state: State, other: Run, run: Run): boolean {
  const open = new Set([other]);
  for (const each of open) {
    if (each === run) return true;
    for (const id of state.subRuns.get(each.id) ?? []) {
      const sub = runOf(state, id);
      if (!isOver(sub.state)) open.add(sub);
    }
    const awaited = awaitedBy(state, each);
    if (awaited !== undefined && awaited.family === run.family) open.add(awaited);
  }
  return false;
}
