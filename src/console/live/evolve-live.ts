// How what was fetched becomes part of what the page knows. Pure: the store decides when.

import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Locks } from "../../protocol/wire/claim.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Status } from "../../protocol/wire/status.ts";
import { isOver } from "../model/signals.ts";
import { eventsMax, type RunList } from "./fetch.ts";
import type { LiveState } from "./live-state.ts";
import { evolveMoves } from "./evolve-moves.ts";
import { keepSame } from "./same.ts";
import { evolveTracks, pruneTracks } from "./tracks.ts";
import type { Saying } from "../../protocol/stream.ts";

/** A part of the daemon's state as it was just read. */
export type Fetched =
  | { readonly of: "active"; readonly list: RunList }
  | { readonly of: "ended"; readonly failed: RunList; readonly rest: RunList }
  | { readonly of: "run"; readonly id: string; readonly run: Run | null }
  | { readonly of: "agents"; readonly agents: readonly AgentView[] }
  | { readonly of: "agent"; readonly id: string; readonly agent: AgentView | null }
  | { readonly of: "locks"; readonly locks: Locks }
  | { readonly of: "projects"; readonly projects: LiveState["projects"] }
  | { readonly of: "status"; readonly status: NonNullable<LiveState["status"]> };

export function evolveFetched(state: LiveState, fetched: Fetched): LiveState {
  switch (fetched.of) {
    case "active":
      return withActive(state, fetched.list);
    case "ended":
      return withEnded(state, fetched.failed, fetched.rest);
    case "run":
      return withRun(state, fetched.id, fetched.run);
    case "agents":
      return withAgents(state, fetched.agents);
    case "agent":
      return withAgent(state, fetched.id, fetched.agent);
    case "locks":
      return { ...state, locks: keepLocks(state.locks, fetched.locks) };
    case "projects":
      return { ...state, projects: keepSame(state.projects, fetched.projects) };
    default:
      return { ...state, status: keepSame(state.status ?? undefined, fetched.status) };
  }
}

/** Takes events that came by the stream. Those that a reading of the log already brought are not taken twice. */
export function evolveEvents(state: LiveState, streamed: readonly LogEvent[], at: number): LiveState {
  const events = streamed.filter((event) => event.seq > state.seq);
  if (events.length === 0) return at > state.seq ? { ...state, seq: at } : state;
  return {
    ...evolveMoves(state, events),
    seq: Math.max(state.seq, at),
    events: [...events.toReversed(), ...state.events].slice(0, eventsMax),
    tracks: evolveTracks(state.tracks, events),
  };
}

/** What an assistant is just saying takes the place of what it was saying. */
export function evolveSaying(state: LiveState, { run, words }: Saying): LiveState {
  const saying = new Map(state.saying);
  if (words.length === 0) saying.delete(run);
  else saying.set(run, words);
  return { ...state, saying };
}

/** Starts over from what was read at a number, with whatever came after it meanwhile. */
export function evolveLoaded(
  state: LiveState,
  loaded: { readonly status: Status; readonly events: readonly LogEvent[]; readonly moves: readonly LogEvent[] },
  parts: readonly Fetched[],
): LiveState {
  const { status, events, moves } = loaded;
  const newer = state.events.filter((event) => event.seq > status.seq);
  const fresh: LiveState = {
    ...state,
    status,
    events: [...newer, ...events].slice(0, eventsMax),
    tracks: evolveTracks(new Map(), [...moves, ...newer.toReversed()]),
    seq: Math.max(status.seq, newer[0]?.seq ?? 0),
  };
  return parts.reduce(evolveFetched, fresh);
}

/** Everything active is in the list; an active run that is not has ended, and comes with the ended ones. */
function withActive(state: LiveState, { runs: fresh, total }: RunList): LiveState {
  const runs = new Map<string, Run>();
  for (const run of fresh) runs.set(run.id, keepSame(state.runs.get(run.id), run));
  for (const run of state.runs.values()) if (isOver(run.state) && !runs.has(run.id)) runs.set(run.id, run);
  return { ...state, runs, totals: { ...state.totals, active: total } };
}

function withEnded(state: LiveState, failed: RunList, rest: RunList): LiveState {
  const runs = new Map<string, Run>();
  for (const run of state.runs.values()) if (!isOver(run.state)) runs.set(run.id, run);
  for (const run of [...failed.runs, ...rest.runs]) runs.set(run.id, keepSame(state.runs.get(run.id), run));
  const totals = { ...state.totals, failed: failed.total, rest: rest.total };
  return { ...state, runs, totals, tracks: pruneTracks(state.tracks, (run) => runs.has(run)) };
}

function withRun(state: LiveState, id: string, run: Run | null): LiveState {
  const known = state.runs.get(id);
  const fresh = run === null ? null : keepSame(known, run);
  if (fresh === known) return state;
  const runs = new Map(state.runs);
  if (fresh === null) runs.delete(id);
  else runs.set(id, fresh);
  const active = state.totals.active + countActive(fresh) - countActive(known ?? null);
  return { ...state, runs, totals: { ...state.totals, active } };
}

function withAgents(state: LiveState, fresh: readonly AgentView[]): LiveState {
  const agents = new Map(fresh.map((agent) => [agent.id, keepSame(state.agents.get(agent.id), agent)]));
  const isSame =
    agents.size === state.agents.size && [...agents].every(([id, agent]) => state.agents.get(id) === agent);
  return isSame ? state : { ...state, agents };
}

function withAgent(state: LiveState, id: string, agent: AgentView | null): LiveState {
  const known = state.agents.get(id);
  const fresh = agent === null ? undefined : keepSame(known, agent);
  if (fresh === known) return state;
  const agents = new Map(state.agents);
  if (fresh === undefined) agents.delete(id);
  else agents.set(id, fresh);
  return { ...state, agents };
}

function countActive(run: Run | null): 0 | 1 {
  return run === null || isOver(run.state) ? 0 : 1;
}

/** The answer's own time and number always differ; what it says often does not. */
function keepLocks(old: Locks, fresh: Locks): Locks {
  return {
    ...fresh,
    leases: keepEach(old.leases, fresh.leases, (lease) => `${lease.project} ${lease.unit} ${lease.fence}`),
    queue: keepEach(old.queue, fresh.queue, (entry) => entry.claim),
    waits: keepSame(old.waits, fresh.waits),
  };
}

function keepEach<T>(old: T[], fresh: readonly T[], keyOf: (each: T) => string): T[] {
  const known = new Map(old.map((each) => [keyOf(each), each]));
  const kept = fresh.map((each) => keepSame(known.get(keyOf(each)), each));
  return kept.length === old.length && kept.every((each, at) => each === old[at]) ? old : kept;
}
