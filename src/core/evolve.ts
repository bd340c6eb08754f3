// state + event = next state. The table is changed in place: the engine owns the only copy.

import { changePolicies } from "./agent/policy-change.ts";
import { watchSchedule } from "./agent/schedule.ts";
import { assert, mustGet } from "../base/assert.ts";
import { evolveAgents } from "./agent/agent-evolve.ts";
import { noEgress } from "./egress/egress.ts";
import { evolveEgress } from "./egress/egress-step.ts";
import { evolveBudgets } from "./budget/budget-evolve.ts";
import type { Logged } from "./events.ts";
import { toLastRoom } from "./disk/room-made.ts";
import { evolveLeases } from "./lease/lease-evolve.ts";
import { makeProjectLeases } from "./lease/lease-state.ts";
import { ruleOf, type Project, type ProjectEvent } from "./project/project.ts";
import { watchAllNeeds } from "./run/escalation.ts";
import { evolveRuns } from "./run/run-evolve.ts";
import { evolvePreset } from "./runner/presets.ts";
import { watchAll } from "./run/stuck.ts";
import type { State } from "./state.ts";
import { evolveTasks } from "./task/task-evolve.ts";
import { giveUpWindows } from "./terminal/agent-terminals.ts";
import { evolveTerminals, outliveOwner } from "./terminal/terminal-decide.ts";
import { evolveWarnings } from "./warning/seen-warnings.ts";
import { evolveWorkspaces, noteOpened, noteReady } from "./workspace/workspace-evolve.ts";

export function evolve(state: State, event: Logged): void {
  assert(event.seq === state.seq + 1, () => `event ${event.seq} does not follow ${state.seq}`);
  assert(event.atMs >= state.atMs, () => `engine time runs backwards at event ${event.seq}`);
  const lastMs = state.atMs;
  state.seq = event.seq;
  state.atMs = event.atMs;
  switch (event.type) {
    case "engine.opened":
      return openEngine(state, event.wallMs, lastMs);
    case "policy.set":
      changePolicies(state, event.atMs, `with the policy ${event.policy.name} as it is now`, () =>
        state.policies.set(event.policy.name, event.policy),
      );
      state.table.recheck.slots = true;
      watchAll(state);
      watchAllNeeds(state);
      return;
    case "policy.removed":
      changePolicies(state, event.atMs, `without the policy ${event.name}`, () => state.policies.delete(event.name));
      state.table.recheck.slots = true;
      watchAll(state);
      watchAllNeeds(state);
      return;
    case "profile.set":
      state.profiles.set(event.profile.name, event.profile);
      return;
    case "profile.removed":
      state.profiles.delete(event.name);
      return;
    case "runner.set":
      state.runners.set(event.runner.name, event.runner);
      return;
    case "runner.removed":
      state.runners.delete(event.name);
      state.presets.delete(event.name);
      return;
    case "warning.seen":
      return evolveWarnings(state, event, event.atMs);
    case "room.made":
      state.lastRoom = toLastRoom(event, event.atMs);
      return;
    case "preset.set":
      return evolvePreset(state, event);
    case "project.added":
    case "project.changed":
    case "project.removed":
      return evolveProject(state, event);
    case "task.added":
    case "task.changed":
    case "task.attached":
    case "task.detached":
    case "task.cancelled":
    case "task.removed":
      return evolveTasks(state, event, event.atMs, event.actor);
    case "run.submitted":
    case "run.moved":
    case "run.claimed":
    case "run.limited":
    case "run.lost":
    case "run.revived":
    case "run.tested":
    case "run.entered":
    case "run.placed":
    case "run.stopped":
    case "run.said":
    case "run.asked":
    case "run.answered":
    case "run.messaged":
    case "run.heard":
    case "run.stuck":
    case "run.escalated":
    case "run.delayed":
    case "run.handed":
    case "run.seen":
    case "run.raised":
    case "outputs.forgotten":
    case "call.queued":
    case "call.started":
    case "call.refused":
    case "call.finished":
      return evolveRuns(state, event, event.atMs, event.actor);
    case "run.removed":
      evolveRuns(state, event, event.atMs, event.actor);
      return outliveOwner(state, event.run, event);
    case "paths.set-aside":
    case "trash.purged":
    case "run.approved":
    case "landing.intended":
    case "landing.overtaken":
    case "run.landed":
    case "run.conflicted":
    case "rewind.begun":
    case "works.found":
    case "run.rewound":
    case "mainline.moved":
    case "mainline.published":
      return evolveWorkspaces(state, event, event.atMs);
    case "egress.tried":
    case "egress.summed":
      return evolveEgress(state, event, event.atMs);
    case "terminal.opened":
    case "terminal.ended":
    case "terminal.keyboard":
    case "terminal.renamed":
    case "terminal.forgotten":
      return evolveTerminals(state, event, event.atMs, event.actor);
    case "model.requested":
    case "model.answered":
    case "model.refused":
    case "price.set":
    case "price.removed":
      return evolveBudgets(state, event, event.atMs);
    case "agent.created":
    case "agent.wished":
    case "agent.moved":
    case "agent.made":
    case "agent.ended":
    case "agent.renumbered":
    case "agent.climbed":
    case "agent.reallocated":
    case "agent.recovered":
    case "agent.removed":
    case "agent.archived":
    case "agent.restored":
    case "agent.reloaded":
    case "agent.joined":
    case "agent.parted":
    case "agent.refreshed":
    case "agent.set-aside":
    case "hook.begun":
    case "hook.ended":
    case "assistant.called":
    case "assistant.begun":
    case "assistant.failed":
    case "service.wished":
    case "service.outdated":
    case "service.scheduled":
    case "service.skipped":
    case "service.touched":
    case "service.moved":
    case "service.failed":
    case "service.held":
    case "service.judged":
      evolveAgents(state, event);
      if (event.type === "agent.removed") outliveOwner(state, event.agent, event);
      if (event.type === "agent.moved" && event.to === "stopped") giveUpWindows(state, event.agent);
      return;
    case "family.opened":
      evolveLeases(state.table, event, event.atMs);
      return noteOpened(state, event.family);
    case "lease.ready":
      evolveLeases(state.table, event, event.atMs);
      return noteReady(state, event);
    default:
      return evolveLeases(state.table, event, event.atMs);
  }
}

/** How many starts are remembered for the time of day of old events. */
const openingsMax = 512;

/** Time stood still while the engine was down, and every live lease gets a full period (LS33). */
function openEngine(state: State, wallMs: number, lastMs: number): void {
  const { seq, atMs } = state;
  state.wallOffsetMs = wallMs - atMs;
  state.openings.push({ seq, atMs, wallMs, fromMs: Math.max(atMs, lastMs + 1) });
  if (state.openings.length > openingsMax) state.openings.shift();
  for (const family of state.table.families.values()) {
    if (family.life !== "live") continue;
    family.expiresAtMs = state.atMs + family.ttlMs;
    state.table.due.add(`family:${family.id}`, family.expiresAtMs);
  }
  // What was planned by the clock on the wall is nearer than it was.
  for (const agent of state.agents.values())
    for (const service of agent.services.values()) watchSchedule(state, agent, service);
}

function evolveProject(state: State, event: ProjectEvent): void {
  if (event.type === "project.removed") {
    mustGet(state.projects, event.project, "project").removed = true;
    return;
  }
  const { foldCase, processes } = event;
  if (event.type === "project.changed") {
    const project = mustGet(state.projects, event.project, "project");
    project.foldCase = foldCase;
    project.processes = processes;
    project.landingTest = event.landingTest;
    project.egress = event.egress ?? project.egress;
    project.derived = event.derived ?? project.derived;
    if (event.warm !== undefined) project.warm = event.warm;
    if (event.image !== undefined) project.image = event.image;
    if (event.testTimeMs !== undefined) project.testTimeMs = event.testTimeMs;
    if (event.landingMessage !== undefined) project.landingMessage = event.landingMessage;
    if (event.landingBranch !== undefined) project.landingBranch = event.landingBranch;
    if (event.derivedNetwork !== undefined) project.derivedNetwork = event.derivedNetwork;
    mustGet(state.table.projects, event.project, "project").rule = ruleOf(project);
    return;
  }
  const project: Project = {
    id: event.project,
    name: event.name,
    root: event.root,
    foldCase,
    processes,
    source: event.source,
    landingTest: event.landingTest,
    egress: event.egress ?? noEgress,
    derived: event.derived ?? [],
    image: null,
    ...(event.testTimeMs === undefined ? {} : { testTimeMs: event.testTimeMs }),
    mainline: event.commit,
    published: event.commit,
    notPublished: null,
    removed: false,
  };
  state.projects.set(project.id, project);
  state.table.projects.set(project.id, makeProjectLeases(project.id, ruleOf(project)));
}
