// Agents as the log tells of them, worked out a second time.

import type { ServiceSpec } from "../../src/core/agent/agent-spec.ts";
import type { Logged } from "../../src/core/events.ts";

export type ModelService = {
  readonly name: string;
  /** The service that it is an instance of, or itself. */
  readonly of: string;
  readonly instances: number;
  readonly overlap: boolean;
  readonly hasCheck: boolean;
  readonly isScheduled: boolean;
  /** Whether it has a limit of memory that is its own, what it has now, and how much it may be given. */
  readonly isBounded: boolean;
  memory: number | null;
  readonly memoryMost: number | null;
  /** Its failures, by what they were, and the last one. */
  failures: Readonly<Record<string, number>>;
  failed: { readonly life: number; readonly failure: string } | null;
  readonly needs: readonly { readonly service: string; readonly until: string }[];
  state: string;
  life: number;
  healthy: boolean | null;
  wanted: boolean;
  /** Whether the last word of a person about it was to stop it. */
  stopped: boolean;
  /** Whether it is there beside an old one, in whose place it comes. */
  standsIn: boolean;
  /** Whether it is to be begun anew. */
  outdated: boolean;
  /** The life in which files changed that it watches, until it is begun anew for that. */
  touchedLife: number | null;
  /** Why its last process ended. */
  endedBy: string | null;
  /** What it does, and when. */
  readonly argv: string;
  readonly cron: string | null;
  /** It runs what its template said before. */
  isStale: boolean;
  /** Its template does not have it any more. */
  isDropped: boolean;
};

export type ModelAgent = {
  readonly id: string;
  readonly name: string;
  readonly node: string;
  readonly project: string;
  state: string;
  wish: string;
  force: boolean;
  life: number;
  sinceSeq: number;
  isMade: boolean;
  ports: Readonly<Record<string, number>>;
  readonly services: Map<string, ModelService>;
  /** The run that is in it. */
  run: string | null;
  /** Hooks that its template has, the one that is under way, and how those went that are over. */
  readonly hooks: readonly string[];
  hook: string | null;
  readonly hooksDone: Set<string>;
  /** When its assistant begins, and how often it has. */
  readonly assistant: { readonly start: string; begun: number } | null;
  isArchived: boolean;
  /** Whether it gets other ports when nothing of it runs any more. */
  awaitsPorts: boolean;
  /** Its hooks are not those that it was made with. */
  isReloaded: boolean;
};

export function evolveModelAgents(agents: Map<string, ModelAgent>, event: Logged): void {
  if (event.type === "agent.created") {
    const { agent: id, name, node, ports, spec, project } = event;
    const services = spec.services.flatMap(toModelServices).map((each): [string, ModelService] => [each.name, each]);
    const fresh = {
      state: "stopped",
      wish: "run",
      force: false,
      life: 0,
      sinceSeq: event.seq,
      isMade: false,
      run: null,
      ...{
        hooks: Object.keys(spec.hooks ?? {}),
        hook: null,
        assistant: spec.assistant === undefined ? null : { start: spec.assistant.start, begun: 0 },
        hooksDone: new Set<string>(),
        isArchived: false,
        awaitsPorts: false,
        isReloaded: false,
      },
    };
    agents.set(id, { id, name, node, project, ports, services: new Map(services), ...fresh });
    return;
  }
  if (!("agent" in event) || typeof event.agent !== "string") return;
  const agent = agents.get(event.agent);
  if (agent === undefined) return;
  const service =
    "service" in event && typeof event.service === "string" ? agent.services.get(event.service) : undefined;
  switch (event.type) {
    case "agent.wished":
      agent.wish = event.wish;
      if (event.wish === "archive") agent.hooksDone.delete("archive");
      // What was begun by force may be over when somebody has long asked for less.
      agent.force = event.force || (agent.force && agent.state === "stopping");
      return;
    case "agent.moved":
      agent.state = event.to;
      if (event.to !== "stopping") agent.awaitsPorts = false;
      agent.life = event.life;
      agent.sinceSeq = event.seq;
      return;
    case "agent.made":
      agent.isMade = true;
      return;
    case "agent.ended":
      agent.isMade = false;
      agent.hook = null;
      return;
    case "agent.renumbered":
      agent.ports = { ...agent.ports, ...event.ports };
      return;
    case "agent.reallocated":
      if (event.room === "ports") agent.awaitsPorts = true;
      if (service !== undefined && event.room === "memory") service.memory = event.memoryBytes;
      return;
    case "service.failed":
      if (service === undefined) return;
      service.failures = { ...service.failures, [event.found]: (service.failures[event.found] ?? 0) + 1 };
      service.failed = { life: event.life, failure: event.failure };
      return;
    case "agent.reloaded":
      return reloadModel(agent, event);
    case "agent.archived":
      agent.isArchived = true;
      return;
    case "agent.restored":
      agent.isArchived = false;
      agent.wish = "run";
      agent.force = false;
      agent.ports = { ...agent.ports, ...event.ports };
      return;
    case "hook.begun":
      agent.hook = event.hook;
      return;
    case "hook.ended":
      agent.hook = null;
      if (event.ok) agent.hooksDone.add(event.hook);
      return;
    case "assistant.called":
      if (agent.assistant !== null) agent.assistant.begun++;
      return;
    case "agent.removed":
      agents.delete(agent.id);
      return;
    case "service.moved":
      if (service !== undefined) Object.assign(service, { state: event.to, life: event.life });
      if (service !== undefined && (event.to === "starting" || event.to === "down")) service.outdated = false;
      if (service !== undefined && (event.to === "starting" || event.to === "down")) service.isStale = false;
      if (service !== undefined && event.end !== undefined) service.endedBy = event.end.why;
      if (service?.isDropped === true && event.to === "down") agent.services.delete(service.name);
      if (service !== undefined && event.to !== "up" && event.to !== "stopping") service.healthy = null;
      return;
    case "service.judged":
      if (service !== undefined) service.healthy = event.healthy;
      return;
    case "service.touched":
      for (const each of agent.services.values())
        if (each.of === event.service && each.wanted && ["starting", "up"].includes(each.state))
          each.touchedLife = each.life;
      return;
    case "service.outdated":
      if (service !== undefined) service.outdated = event.outdated;
      // The new one did not come up.
      if (service !== undefined && !event.outdated) Object.assign(service, { touchedLife: null, isStale: false });
      return;
    case "service.wished":
      if (service === undefined) return;
      service.wanted = event.up;
      // Whoever stands in for another was not asked for by anybody.
      if (event.as !== "stand-in") service.stopped = !event.up && event.as === undefined;
      service.standsIn = event.as === "stand-in";
      if (event.as === "spare")
        for (const each of agent.services.values()) if (each.of === service.of) each.standsIn = false;
      return;
    default:
      return;
  }
}

function toModelServices(spec: ServiceSpec): ModelService[] {
  const { name, needs, argv, limits, health, schedule, instances = 1, overlap = false } = spec;
  const isBounded = (limits?.memoryBytes ?? null) !== null;
  const common = {
    of: name,
    instances,
    overlap,
    needs,
    isBounded,
    memoryMost: limits?.memoryBytesMax ?? null,
    hasCheck: health !== null,
    isScheduled: schedule !== undefined,
    ...{ argv: argv.join(" "), cron: schedule?.cron ?? null },
  };
  const fresh = {
    ...{ state: "down", life: 0, healthy: null, outdated: false, touchedLife: null, endedBy: null },
    ...{
      stopped: false,
      standsIn: false,
      isStale: false,
      isDropped: false,
      memory: limits?.memoryBytes ?? null,
      failures: {},
      failed: null,
    },
  };
  if (instances === 1 && !overlap) return [{ ...common, ...fresh, name, wanted: true }];
  const numbers = Array.from({ length: overlap ? instances + 1 : instances }, (_, at) => at);
  return numbers.map((at) => ({ ...common, ...fresh, name: `${name}.${at + 1}`, wanted: at < instances }));
}

function reloadModel(agent: ModelAgent, { spec, ports }: Extract<Logged, { type: "agent.reloaded" }>): void {
  const known = new Map(agent.services);
  agent.ports = ports;
  agent.isReloaded = true;
  agent.services.clear();
  for (const now of spec.services.flatMap(toModelServices)) {
    const before = known.get(now.name);
    const own = [...known.values()].filter(({ of, isDropped }) => of === now.of && !isDropped);
    // Those that there are as many of as before are wanted as before.
    const isAsBefore = own.some((each) => each.instances === now.instances && each.overlap === now.overlap);
    const isStopped = own.length > 0 && !own.some(({ wanted }) => wanted);
    const wanted = isAsBefore ? before?.wanted === true : now.wanted && !isStopped;
    const stopped = before?.stopped ?? isStopped;
    const standsIn = isAsBefore && before?.standsIn === true;
    const { state, life, healthy, outdated, touchedLife, endedBy, failures, failed } = before ?? now;
    const isStale = before !== undefined && runs(before) && (before.isStale || before.argv !== now.argv);
    agent.services.set(now.name, {
      ...{ ...now, state, life, healthy, outdated, touchedLife, endedBy, failures, failed, wanted, stopped },
      ...{ standsIn, isStale },
    });
  }
  for (const [name, left] of known)
    if (!agent.services.has(name) && runs(left)) agent.services.set(name, { ...left, wanted: false, isDropped: true });
}

function runs({ state }: ModelService): boolean {
  return ["starting", "up", "stopping"].includes(state);
}

/** Whether a service answers, or has done what it was for. */
export function answers({ state, healthy, hasCheck }: ModelService): boolean {
  return state === "completed" || (state === "up" && (!hasCheck || healthy === true));
}

/** What is still unfinished of the agents in a world that has healed. */
export function findUnfinishedAgent(agents: ReadonlyMap<string, ModelAgent>): string | undefined {
  for (const { name, state, wish, services, isArchived } of agents.values()) {
    if (wish === "remove") return `agent ${name} is ${state} and is never removed`;
    if (wish === "archive" && !isArchived) return `agent ${name} is ${state} and is never archived`;
    if (wish === "stop" && state !== "stopped") return `agent ${name} is ${state} and never stops`;
    if (wish !== "run" || state === "error") continue;
    const late = [...services.values()].find(
      (each) => each.wanted && !each.isScheduled && !["up", "completed"].includes(each.state),
    );
    if (state !== "running") return `agent ${name} is ${state} and never runs`;
    const deaf = [...services.values()].find((each) => each.state === "up" && each.touchedLife === each.life);
    if (deaf !== undefined) return `service ${deaf.name} of ${name} never heard that its files changed`;
    const old = [...services.values()].find((each) => each.wanted && each.outdated && each.state === "up");
    if (old !== undefined) return `service ${old.name} of ${name} is never begun anew`;
    const stale = [...services.values()].find(({ isStale, isDropped }) => isStale || isDropped);
    if (stale !== undefined) return `service ${stale.name} of ${name} still is what its template said before`;
    if (late !== undefined) return `service ${late.name} of ${name} is ${late.state} and does not go on`;
  }
  return undefined;
}
