// What falls due at an instant: expiries first, all of them, then everything else (LS17). Granting comes after.

import { checkWell } from "./agent/agent-decide.ts";
import { watchDelayed, watchWell } from "./agent/agent-evolve.ts";
import { startDelayed } from "./agent/delayed.ts";
import { startScheduled, watchSchedule } from "./agent/schedule.ts";
import { compareText } from "../base/canonical.ts";
import { recheckHold } from "./lease/grant-scan.ts";
import { decideCancel, endFamily } from "./lease/lease-decide.ts";
import type { Family } from "./lease/lease-state.ts";
import { tryAgain, watchDelay } from "./run/failure.ts";
import { moveRun } from "./run/run-flow.ts";
import { inCallWaitMs, type Run } from "./run/run-state.ts";
import { isOver } from "./run/run-states.ts";
import { checkNeeds, watchNeeds } from "./run/escalation.ts";
import { checkSilence, watchSilence } from "./run/stuck.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";

export function runDue(step: Step): void {
  const { due } = step.state.table;
  const first = due.take(step.nowMs);
  if (first === undefined) return;
  const names = [first];
  for (let name = due.take(step.nowMs); name !== undefined; name = due.take(step.nowMs)) names.push(name);
  step.actor = "system";
  expireFamilies(step, idsOf(names, "family"));
  for (const id of idsOf(names, "claim")) endClaim(step, id);
  for (const id of idsOf(names, "hold")) wakeHold(step, id);
  for (const id of idsOf(names, "run")) limitRun(step, id);
  for (const id of idsOf(names, "park")) parkRun(step, id);
  for (const id of idsOf(names, "retry")) {
    const run = liveRun(step, id);
    if (run !== undefined) tryAgain(step, run);
  }
  startDelayed(step, idsOf(names, "service"));
  for (const id of idsOf(names, "schedule")) startScheduled(step, id);
  for (const id of idsOf(names, "agent")) checkWell(step, id);
  for (const id of idsOf(names, "stuck")) {
    const run = liveRun(step, id);
    if (run !== undefined) checkSilence(step, run);
  }
  for (const id of idsOf(names, "needs")) {
    const run = step.state.runs.get(id);
    if (run !== undefined) checkNeeds(step, run);
  }
}

/** When the engine has to look again at the latest. It may be early, never late. */
export function nextDueMs(state: State): number | undefined {
  return state.table.due.peekMs();
}

/** Asks anew for everything that can fall due: the queue of dues is no part of a snapshot. */
export function restoreDue(state: State): void {
  const { table } = state;
  for (const family of table.families.values()) {
    if (family.life === "live") table.due.add(`family:${family.id}`, family.expiresAtMs);
    if (family.contestedSinceMs !== null && family.patienceMs !== null) {
      table.due.add(`hold:${family.id}`, family.contestedSinceMs + family.patienceMs);
    }
  }
  for (const project of table.projects.values()) {
    for (const claim of project.queue)
      if (claim.deadlineAtMs !== null) table.due.add(`claim:${claim.id}`, claim.deadlineAtMs);
  }
  for (const agent of state.agents.values()) {
    watchWell(state, agent);
    for (const service of agent.services.values()) watchDelayed(state, agent, service);
    for (const service of agent.services.values()) watchSchedule(state, agent, service);
  }
  for (const run of state.runs.values()) {
    if (run.limitAtMs !== null && !isOver(run.state)) table.due.add(`run:${run.id}`, run.limitAtMs);
    watchSilence(state, run);
    watchNeeds(state, run);
    watchDelay(state, run);
    if (run.state === "blocked") table.due.add(`park:${run.id}`, run.sinceMs + inCallWaitMs);
  }
}

function expireFamilies(step: Step, ids: readonly string[]): void {
  const { table } = step.state;
  const expired: Family[] = [];
  for (const id of ids) {
    const family = table.families.get(id);
    if (family?.life !== "live") continue;
    if (family.expiresAtMs <= step.nowMs) expired.push(family);
    else table.due.add(`family:${id}`, family.expiresAtMs);
  }
  for (const family of expired.toSorted((a, b) => a.expiresAtMs - b.expiresAtMs || compareText(a.id, b.id))) {
    const idle = family.kind === "outside" && family.leases.size === 0 && family.queued.size === 0;
    step.emitAll(endFamily(family, idle ? "idle" : "expired", false));
  }
}

function endClaim(step: Step, id: string): void {
  const record = step.state.table.claims.get(id);
  const claim = record === undefined ? undefined : step.state.table.projects.get(record.project)?.byId.get(id);
  if (claim === undefined || claim.deadlineAtMs === null) return;
  if (claim.deadlineAtMs <= step.nowMs) step.emitAll(decideCancel(step.state.table, id, "timed-out"));
  else step.state.table.due.add(`claim:${id}`, claim.deadlineAtMs);
}

function wakeHold(step: Step, id: string): void {
  const { table } = step.state;
  const family = table.families.get(id);
  if (family === undefined || family.contestedSinceMs === null || family.patienceMs === null) return;
  const overAtMs = family.contestedSinceMs + family.patienceMs;
  if (overAtMs <= step.nowMs) recheckHold(table, id);
  else table.due.add(`hold:${id}`, overAtMs);
}

function limitRun(step: Step, id: string): void {
  const run = liveRun(step, id);
  if (run === undefined || run.limitAtMs === null) return;
  if (run.limitAtMs > step.nowMs) step.state.table.due.add(`run:${id}`, run.limitAtMs);
  else moveRun(step, run, "failed", "its time is up", run.limitPolicy);
}

function parkRun(step: Step, id: string): void {
  const run = liveRun(step, id);
  if (run?.state !== "blocked") return;
  if (run.sinceMs + inCallWaitMs <= step.nowMs) moveRun(step, run, "parked", run.because);
  else step.state.table.due.add(`park:${id}`, run.sinceMs + inCallWaitMs);
}

function liveRun(step: Step, id: string): Run | undefined {
  const run = step.state.runs.get(id);
  return run === undefined || isOver(run.state) ? undefined : run;
}

function idsOf(names: readonly string[], kind: string): string[] {
  const prefix = `${kind}:`;
  return [
    ...new Set(names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))),
  ].toSorted();
}
