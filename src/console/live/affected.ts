// Which parts of the page an event makes old. The daemon shapes runs and locks; an event only says what to ask for again.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { isOver, isRunState } from "../model/signals.ts";
import { numberIn, textIn } from "./event-fields.ts";

export type Dirty = {
  readonly runs: Set<string>;
  /** All active runs at once, when too many changed to ask for each. */
  active: boolean;
  ended: boolean;
  readonly agents: Set<string>;
  /** All agents at once, for the same reason. */
  everyAgent: boolean;
  locks: boolean;
  /** Renewals only move an expiry: they may wait a little. */
  renewed: boolean;
  projects: boolean;
  status: boolean;
};

const singlesMax = 12;

export function makeDirty(): Dirty {
  return {
    runs: new Set(),
    active: false,
    ended: false,
    agents: new Set(),
    everyAgent: false,
    locks: false,
    renewed: false,
    projects: false,
    status: false,
  };
}

export function isDirty(dirty: Dirty): boolean {
  const { runs, agents, active, ended, everyAgent, locks, projects, status } = dirty;
  return runs.size + agents.size > 0 || active || ended || everyAgent || locks || projects || status;
}

/** Adds what the events touched. `runs` are those on the page, by which waiters are found. */
export function markAffected(dirty: Dirty, events: readonly LogEvent[], runs: ReadonlyMap<string, Run>): void {
  const families = new Set<string>();
  const claims = new Set<string>();
  for (const event of events) {
    const [noun] = event.type.split(".");
    if (noun === "run" || noun === "call") markRun(dirty, event);
    else if (event.type === "lease.renewed") dirty.renewed = true;
    else if (noun === "family" || noun === "claim" || noun === "lease" || noun === "unit") {
      dirty.locks = true;
      addText(families, textIn(event, "family"));
      addText(families, textIn(event, "other"));
      if ((numberIn(event, "passed") ?? 0) + (numberIn(event, "moved") ?? 0) > 0) markQueue(dirty, event, runs);
      addText(claims, textIn(event, "claim"));
      addText(claims, textIn(event, "to"));
    } else if (noun === "project" || noun === "mainline") dirty.projects = true;
    else if (noun === "agent" || noun === "service") addText(dirty.agents, textIn(event, "agent"));
    // What a run has changed is shown with it.
    else if (noun === "paths" || noun === "landing") addText(dirty.runs, textIn(event, "run"));
    // A limit may hold back other runs now, and no event tells them.
    else if (noun === "policy") dirty.active = true;
    else if (noun === "engine")
      Object.assign(dirty, { active: true, ended: true, everyAgent: true, locks: true, status: true });
  }
  if (families.size > 0 || claims.size > 0) markWaiters(dirty, families, claims, runs);
  if (dirty.runs.size > singlesMax) {
    dirty.active = true;
    dirty.runs.clear();
  }
  if (dirty.agents.size > singlesMax) {
    dirty.everyAgent = true;
    dirty.agents.clear();
  }
}

/** What a run does is what the agent does that it works in, and no event of the agent tells. */
export function markAgentsOf(dirty: Dirty, changed: readonly Run[], agents: ReadonlyMap<string, AgentView>): void {
  const names = new Set(changed.map(({ agent }) => agent));
  for (const { id, name } of agents.values()) if (names.has(name)) dirty.agents.add(id);
}

function markRun(dirty: Dirty, event: LogEvent): void {
  addText(dirty.runs, textIn(event, "run"));
  if (event.type === "run.removed") dirty.ended = true;
  if (event.type !== "run.moved") return;
  for (const state of [textIn(event, "from"), textIn(event, "to")]) {
    if (state !== undefined && isRunState(state) && isOver(state)) dirty.ended = true;
  }
}

/** Somebody was put ahead of others, and the event says only of how many: all who wait in that queue are asked for. */
function markQueue(dirty: Dirty, event: LogEvent, runs: ReadonlyMap<string, Run>): void {
  const project = textIn(event, "project");
  for (const run of runs.values()) {
    const waits = run.claim !== null || (run.call?.claim ?? null) !== null;
    if (run.project === project && waits) dirty.runs.add(run.id);
  }
}

/** Runs of these holders, runs that wait behind one of them, and runs that wait with one of these claims. */
function markWaiters(
  dirty: Dirty,
  families: ReadonlySet<string>,
  claims: ReadonlySet<string>,
  runs: ReadonlyMap<string, Run>,
): void {
  const holders = new Set<string>();
  for (const run of runs.values()) if (families.has(run.family)) holders.add(run.id);
  for (const run of runs.values()) {
    const own = holders.has(run.id) || claims.has(run.claim ?? "") || claims.has(run.call?.claim ?? "");
    // A holder outside has no run: whoever waits for a holder that the page does not know is asked for too.
    const behind = run.behind.some((holder) => holders.has(holder) || !runs.has(holder));
    if (own || behind) dirty.runs.add(run.id);
  }
}

function addText(set: Set<string>, text: string | undefined): void {
  if (text !== undefined) set.add(text);
}
