// The one live store: reads the daemon once, follows its events, and asks again for what they touch. Views subscribe to
// it and never ask themselves. It polls nothing: without events there are no requests.

import { ProtocolError } from "../../protocol/errors.ts";
import type { Saying } from "../../protocol/stream.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { type Dirty, isDirty, makeDirty, markAffected, markAgentsOf } from "./affected.ts";
import { makeDrawing } from "./drawing.ts";
import { EngineClock } from "./engine-clock.ts";
import { evolveEvents, evolveFetched, evolveLoaded, evolveSaying, type Fetched } from "./evolve-live.ts";
import { fetchActive, fetchEnded, fetchEvents, fetchMoves, type Source } from "./fetch.ts";
import { emptyState, type Link, type LiveState } from "./live-state.ts";
import { keepNewer } from "./keep-newer.ts";
import { Pacer } from "./pacer.ts";

/** At most ten rounds of questions a second, however many events come. */
const gapMs = 100;
const renewalGapMs = 1000;
/** Whole lists, where they are long: to read a thousand of anything takes the page a moment. Two of them are not drawn in one go. */
const listGapMs = 1000;
const listsApartMs = 250;
const longList = 200;
const lists = ["active", "everyAgent", "locks"] as const;
const retryMs = 2000;
const locksMax = 1000;
/** Reasons for which trying again by itself makes no sense. */
const hopeless = new Set(["forbidden-host", "forbidden-origin", "forbidden", "log-damaged"]);

export class LiveStore {
  readonly clock = new EngineClock();
  readonly #source: Source;
  readonly #schedule: (draw: () => void) => void;
  readonly #listeners = new Set<() => void>();
  readonly #hearers = new Set<(events: readonly LogEvent[]) => void>();
  readonly #pacer = new Pacer(() => this.#refetch(), gapMs);
  #state: LiveState = emptyState;
  #dirty: Dirty = makeDirty();
  #project: string | null = null;
  #watched: string | null = null;
  #drawing = false;
  #connected = false;
  #following = new AbortController();
  #renewals: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #lists: ReturnType<typeof setTimeout> | undefined;
  readonly #listFreeAtMs = { active: 0, everyAgent: 0, locks: 0 };
  #nextListAtMs = 0;

  constructor(source: Source, schedule: (draw: () => void) => void = makeDrawing()) {
    this.#source = source;
    this.#schedule = schedule;
  }

  readonly read = (): LiveState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells of every event that comes, at once: views are drawn seldom, and what they see then is only the last of many. */
  readonly hear = (hearer: (events: readonly LogEvent[]) => void): (() => void) => {
    this.#hearers.add(hearer);
    return () => this.#hearers.delete(hearer);
  };

  /** Begins, or begins anew without waiting for the next attempt. */
  readonly start = (): void => {
    this.#following.abort();
    clearTimeout(this.#retry);
    this.#following = new AbortController();
    // Nothing of another log may stay: a daemon with a new home counts from one again.
    this.#state = { ...this.#state, events: [], seq: 0 };
    void this.#follow(this.#following.signal);
  };

  stop(): void {
    this.#following.abort();
    this.#pacer.stop();
    clearTimeout(this.#renewals);
    clearTimeout(this.#retry);
    clearTimeout(this.#lists);
  }

  /** Which project's ended runs are fetched and counted; active ones are always there. */
  showProject(project: string | null): void {
    if (project === this.#project) return;
    this.#project = project;
    this.#dirty.ended = true;
    if (this.#state.link.is === "live") this.#pacer.poke();
  }

  /** A run that has its own page: it is known and kept as it is, however old it is. */
  watchRun(run: string | null): void {
    this.#watched = run;
    if (run === null || this.#state.runs.has(run)) return;
    this.#dirty.runs.add(run);
    if (this.#state.link.is === "live") this.#pacer.poke();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      await this.#load(signal);
      const options = {
        ...{ after: this.#state.seq, signal, onConnection: (is: boolean) => this.#onConnection(is, signal) },
        onSaying: (saying: Saying) => this.#set(evolveSaying(this.#state, saying)),
      };
      for await (const batch of this.#source.batches(options)) {
        if (signal.aborted) return;
        for (const hearer of this.#hearers) hearer(batch.events);
        this.#set(evolveEvents(this.#state, batch.events, batch.at));
        markAffected(this.#dirty, batch.events, this.#state.runs);
        this.#maybePoke();
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Reads everything. The number comes first: whatever happens while the rest is read comes again as an event. */
  async #load(signal: AbortSignal): Promise<void> {
    const status = await this.#source.call("status", {});
    const watched = this.#watched === null ? [] : [this.#fetchRun(this.#watched)];
    const [parts, events, moves] = await Promise.all([
      Promise.all([
        this.#fetchProjects(),
        this.#fetchActive(),
        this.#fetchEnded(this.#project),
        this.#fetchLocks(),
        this.#fetchAgents(),
        ...watched,
      ]),
      fetchEvents(this.#source, status.seq),
      fetchMoves(this.#source, status.seq),
    ]);
    if (signal.aborted) return;
    this.clock.sync(status.nowMs, status.openings);
    this.#set(evolveLoaded(this.#state, { status, events, moves }, parts));
  }

  #onConnection(connected: boolean, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#connected = connected;
    // Whoever was speaking may have been heard to the end meanwhile; what is still said comes again.
    if (!connected) this.#set({ ...this.#state, saying: emptyState.saying });
    if (!connected) {
      this.#goAway();
    } else if (this.#state.link.is === "away") {
      // What happened meanwhile comes as events, but a daemon that was restarted may have another clock: read it all.
      this.#load(signal).then(
        () => this.#connected && this.#setLink({ is: "live" }),
        (error: unknown) => this.#fail(error),
      );
    } else {
      this.#setLink({ is: "live" });
    }
  }

  #maybePoke(): void {
    if (this.#dirty.renewed && this.#renewals === undefined) {
      this.#renewals = setTimeout(() => {
        this.#renewals = undefined;
        this.#dirty.renewed = false;
        this.#dirty.locks = true;
        this.#pacer.poke();
      }, renewalGapMs);
    }
    if (isDirty(this.#dirty)) this.#pacer.poke();
  }

  async #refetch(): Promise<void> {
    const dirty = this.#takeDirty();
    const wanted: Promise<Fetched>[] = [];
    if (dirty.status) wanted.push(this.#fetchStatus());
    if (dirty.projects) wanted.push(this.#fetchProjects());
    if (dirty.active) wanted.push(this.#fetchActive());
    else for (const run of dirty.runs) wanted.push(this.#fetchRun(run));
    if (dirty.everyAgent) wanted.push(this.#fetchAgents());
    else for (const agent of dirty.agents) wanted.push(this.#fetchAgent(agent));
    if (dirty.locks) wanted.push(this.#fetchLocks());
    if (dirty.ended) wanted.push(this.#fetchEnded(this.#project));
    // The list of ended runs may have let it go.
    if (dirty.ended && this.#watched !== null) wanted.push(this.#fetchRun(this.#watched));
    try {
      const fetched = await Promise.all(wanted);
      // The ended ones come last: a run that ended is first changed, then counted.
      const before = this.#state.runs;
      this.#set(fetched.reduce((state, each) => evolveFetched(state, keepNewer(state, each)), this.#state));
      this.#followRuns(before);
    } catch (error) {
      // A stream that breaks says so by itself; what could not be read is read again when it is back.
      if (codeOf(error) === "unauthorized") this.#fail(error);
      else if (this.#state.link.is === "live") {
        Object.assign(this.#dirty, { active: true, everyAgent: true, locks: true, ended: true, projects: true });
        setTimeout(() => this.#pacer.poke(), retryMs);
      }
    }
  }

  /** What is to be asked for now. Long lists wait for their turn: what moved is shown already, by the events themselves. */
  #takeDirty(): Dirty {
    const dirty = this.#dirty;
    const left = makeDirty();
    left.renewed = dirty.renewed;
    this.#dirty = left;
    const { runs, agents, locks } = this.#state;
    const isLong = {
      active: dirty.active && runs.size > longList,
      everyAgent: dirty.everyAgent && agents.size > longList,
      locks: dirty.locks && locks.leases.length + locks.queue.length > longList,
    };
    const nowMs = performance.now();
    let waitMs = Number.POSITIVE_INFINITY;
    // Whoever has waited longest is next.
    for (const list of lists.toSorted((a, b) => this.#listFreeAtMs[a] - this.#listFreeAtMs[b])) {
      if (!isLong[list]) continue;
      const dueAtMs = Math.max(this.#listFreeAtMs[list], this.#nextListAtMs);
      if (dueAtMs <= nowMs) {
        this.#listFreeAtMs[list] = nowMs + listGapMs;
        this.#nextListAtMs = nowMs + listsApartMs;
        continue;
      }
      dirty[list] = false;
      left[list] = true;
      waitMs = Math.min(waitMs, dueAtMs - nowMs);
    }
    if (waitMs === Number.POSITIVE_INFINITY) return dirty;
    this.#lists ??= setTimeout(() => {
      this.#lists = undefined;
      this.#pacer.poke();
    }, waitMs);
    return dirty;
  }

  /** Agents whose runs have changed are asked for after them: the run says where it works. */
  #followRuns(before: LiveState["runs"]): void {
    const { runs, agents } = this.#state;
    if (runs === before || agents.size === 0) return;
    const changed = [...runs.values()].filter((run) => run.agent !== null && before.get(run.id) !== run);
    markAgentsOf(this.#dirty, changed, agents);
    this.#maybePoke();
  }

  async #fetchStatus(): Promise<Fetched> {
    const status = await this.#source.call("status", {});
    this.clock.sync(status.nowMs, status.openings);
    return { of: "status", status };
  }

  async #fetchProjects(): Promise<Fetched> {
    return { of: "projects", projects: (await this.#source.call("project.list", {})).projects };
  }

  async #fetchActive(): Promise<Fetched> {
    return { of: "active", list: await fetchActive(this.#source) };
  }

  async #fetchEnded(project: string | null): Promise<Fetched> {
    return { of: "ended", ...(await fetchEnded(this.#source, project)) };
  }

  async #fetchLocks(): Promise<Fetched> {
    const locks = await this.#source.call("locks", { limit: locksMax });
    return { of: "locks", locks };
  }

  async #fetchRun(id: string): Promise<Fetched> {
    try {
      return { of: "run", id, run: (await this.#source.call("run.get", { run: id })).run };
    } catch (error) {
      if (codeOf(error) === "not-found") return { of: "run", id, run: null };
      throw error;
    }
  }

  async #fetchAgents(): Promise<Fetched> {
    return { of: "agents", agents: (await this.#source.call("agent.list", {})).agents };
  }

  async #fetchAgent(id: string): Promise<Fetched> {
    try {
      return { of: "agent", id, agent: (await this.#source.call("agent.get", { agent: id })).agent };
    } catch (error) {
      if (codeOf(error) === "not-found") return { of: "agent", id, agent: null };
      throw error;
    }
  }

  #goAway(): void {
    if (this.#state.link.is === "away") return;
    const seenWallMs = this.clock.toWallMs(this.clock.now());
    this.clock.stop();
    this.#setLink({ is: "away", sinceWallMs: Date.now(), seenWallMs });
  }

  #fail(error: unknown): void {
    this.clock.stop();
    const code = codeOf(error);
    if (code === "unauthorized") {
      this.#setLink({ is: "signed-out" });
      return;
    }
    const known = error instanceof ProtocolError;
    const message = error instanceof Error ? error.message : String(error);
    if (this.#state.status === null || !known || isHopeless(code)) {
      this.#setLink({ is: "failed", code, message, ways: known ? error.ways : [] });
    } else {
      this.#goAway();
    }
    if (!isHopeless(code)) this.#retry = setTimeout(this.start, retryMs);
  }

  #setLink(link: Link): void {
    this.#set({ ...this.#state, link });
  }

  /** Views are told once for each drawing, however much changed. */
  #set(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    if (this.#drawing) return;
    this.#drawing = true;
    this.#schedule(() => {
      this.#drawing = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

export function isHopeless(code: string): boolean {
  return hopeless.has(code);
}

function codeOf(error: unknown): string {
  return error instanceof ProtocolError ? error.code : "unknown";
}
