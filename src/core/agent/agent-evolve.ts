// Applies what happened to agents and their services.

import { assert } from "../../base/assert.ts";
import { canonical } from "../../base/canonical.ts";
import type { Logged } from "../events.ts";
import type { State } from "../state.ts";
import type {
  AgentCreated,
  AgentEvent,
  AgentMoved,
  AgentReallocated,
  AgentReloaded,
  ServiceFailed,
  ServiceHeld,
  ServiceJudged,
  ServiceMoved,
  ServiceWished,
} from "./agent-events.ts";
import type { HookName, ServiceSpec } from "./agent-spec.ts";
import { type Agent, agentOf, isIll, isWell, type Service, serviceOf, unhealthyText } from "./agent-state.ts";
import { hasProcess, mayAgentMove, mayServiceMove } from "./agent-states.ts";
import { isAssistantThere } from "./agent-assistant.ts";
import { countOf, instancesOf, membersOf, nameOf } from "./instances.ts";
import { watchSchedule } from "./schedule.ts";
import { alertWindowMs } from "./alerts.ts";
import { recoveryOf } from "./recovery.ts";
import { noteChange } from "./note-change.ts";
import { planReload } from "./reload-plan.ts";
import { stormTellMs, stormWindowMs } from "./restart-budget.ts";
import { noRoom } from "./room.ts";

/** How many places of a template are named that are other ones. */
const pathsMax = 3;

export function evolveAgents(state: State, event: Logged<AgentEvent>): void {
  if (event.type === "agent.created") return create(state, event);
  const agent = agentOf(state, event.agent);
  switch (event.type) {
    case "agent.wished":
      agent.wish = event.wish;
      agent.force = event.force;
      if (event.aside === true) agent.aside = true;
      if (event.aside === false) delete agent.aside;
      // Whoever starts it begins at the foot of the ladder.
      if (event.wish === "run") toFoot(agent);
      if (event.wish === "archive") agent.hookEnds = without(agent.hookEnds, "archive");
      return;
    case "agent.moved":
      state.table.recheck.slots = true;
      return move(state, agent, event);
    case "agent.made":
      agent.isMade = true;
      state.table.recheck.slots = true;
      return;
    case "agent.ended":
      agent.isMade = false;
      agent.isCleared = event.cleared === true;
      // Whatever was under way has ended with it.
      agent.hook = null;
      if (event.session !== true) for (const service of agent.services.values()) Object.assign(service, unknownYet);
      return;
    case "agent.renumbered":
      for (const [key, port] of Object.entries(event.ports)) agent.ports.set(key, port);
      agent.sinceSeq = event.seq;
      return;
    case "agent.climbed": {
      const { rung, service, what, atMs } = event;
      agent.rung = rung;
      agent.climbs = { ...agent.climbs, [rung]: (agent.climbs[rung] ?? 0) + 1 };
      agent.climbed = { what: service === null ? what : `${service}: ${what}`, atMs };
      return watchWell(state, agent);
    }
    case "agent.reallocated":
      return reallocate(agent, event);
    case "agent.recovered":
      return toFoot(agent);
    case "agent.removed":
      state.agents.delete(agent.id);
      for (const other of state.agents.values()) other.joins.delete(agent.id);
      return;
    case "agent.archived":
      agent.isArchived = true;
      return;
    case "agent.restored":
      agent.isArchived = false;
      agent.wish = "run";
      agent.force = false;
      toFoot(agent);
      for (const [key, port] of Object.entries(event.ports)) agent.ports.set(key, port);
      return noteChange(agent, { kind: "restored", what: "it was brought back from the archive", atMs: event.atMs });
    case "agent.reloaded":
      noteChange(agent, { kind: "template", what: toldOfReload(agent, event), atMs: event.atMs });
      return reload(agent, event);
    case "agent.set-aside":
      event.works.forEach(({ path, base, work }, at) => {
        const { id: run, name, project } = agent;
        const about = { why: event.why ?? "its agent was removed", atMs: event.atMs };
        const id = event.ids[at] ?? "";
        state.trash.set(id, { id, run, agent: name, project, path, base, work, ...about });
      });
      return;
    case "agent.refreshed": {
      const what = `its files were brought to ${event.commit.slice(0, 7)}`;
      return noteChange(agent, { kind: "commit", what, atMs: event.atMs });
    }
    case "agent.joined":
    case "agent.parted": {
      const isJoined = event.type === "agent.joined";
      const other = agentOf(state, event.with);
      agent.joins.set(other.id, isJoined);
      other.joins.set(agent.id, isJoined);
      agent.mayBeJoined = true;
      other.mayBeJoined = true;
      for (const [one, two] of [
        [agent, other],
        [other, agent],
      ] as const) {
        const what = isJoined ? `it was joined with ${two.name}` : `it was parted from ${two.name}`;
        noteChange(one, { kind: "join", what, atMs: event.atMs });
      }
      return;
    }
    case "hook.begun":
      agent.hook = event.hook;
      agent.hooks = event.number;
      return;
    case "hook.ended": {
      const { hook, number, ok, end } = event;
      agent.hook = null;
      agent.hookEnds = { ...agent.hookEnds, [hook]: { number, ok, end } };
      if (hook === "setup" && ok) agent.isSetUp = true;
      return;
    }
    case "assistant.called": {
      const { number, prompt } = event;
      agent.assistant = { number, prompt, state: "called", run: null, because: null };
      agent.isAssisted = true;
      return;
    }
    case "assistant.begun":
    case "assistant.failed": {
      assert(agent.assistant !== null, () => `the assistant of ${agent.id} is called before it begins`);
      const isBegun = event.type === "assistant.begun";
      const how = isBegun ? { run: event.run, because: null } : { run: null, because: event.because };
      agent.assistant = { ...agent.assistant, state: isBegun ? "begun" : "failed", ...how };
      return;
    }
    case "service.wished":
      return wished(agent, serviceOf(agent, event.service), event);
    case "service.outdated": {
      const { outdated, because } = event;
      Object.assign(serviceOf(agent, event.service), { outdated, renewal: because });
      return;
    }
    case "service.scheduled": {
      const service = serviceOf(agent, event.service);
      service.nextAtMs = event.nextAtMs;
      return watchSchedule(state, agent, service);
    }
    case "service.skipped":
      return;
    case "service.touched": {
      const { service, paths, count, atMs } = event;
      const files = `${paths[0] ?? "a file"}${count > 1 ? ` and ${count - 1} more` : ""}`;
      return noteChange(agent, { kind: "files", what: `${files} changed, which ${service} watches`, atMs });
    }
    case "service.failed":
      return noteFailure(serviceOf(agent, event.service), event);
    case "service.held":
      return noteHeld(state, agent, event);
    case "service.judged":
      return judged(serviceOf(agent, event.service), event);
    case "service.moved":
      return moveOne(state, agent, serviceOf(agent, event.service), event);
  }
}

/** The ladder begins at its foot. */
function toFoot(agent: Agent): void {
  Object.assign(agent, { rung: null, climbs: {}, climbed: null });
}

/** Of a service in a place that is new, or with a template that is. */
const unknownYet = { wasWell: false, endsAlike: null } as const;

function noteFailure(service: Service, { found, end, atMs }: Logged<ServiceFailed>): void {
  const { count = 0 } = service.failures[found] ?? {};
  const how = `${found} ${end?.exit ?? ""} ${end?.signal ?? ""}`;
  service.endsAlike = {
    how,
    always: service.endsAlike === null || (service.endsAlike.always && service.endsAlike.how === how),
  };
  service.failures = { ...service.failures, [found]: { count: count + 1, lastAtMs: atMs } };
}

/** What comes soon after another one belongs to the same storm. */
function noteHeld(state: State, agent: Agent, event: Logged<ServiceHeld>): void {
  const { max, policy, atMs, dueAtMs } = event;
  const { held } = state;
  const service = serviceOf(agent, event.service);
  const isSame = held !== null && atMs - held.lastMs < stormTellMs;
  const { sinceMs, count } = isSame ? held : { sinceMs: atMs, count: 0 };
  state.held = { sinceMs, lastMs: atMs, count: service.isHeld ? count : count + 1, max, policy };
  // Before there were turns it was told ahead, of a service that was still to be delayed.
  if (service.state !== "delayed") return;
  Object.assign(service, { dueAtMs, isHeld: true });
  watchDelayed(state, agent, service);
}

function wished(agent: Agent, service: Service, { up, as, cause, actor }: Logged<ServiceWished>): void {
  // Before it was told, what followed from something, or from the end of a process, was a matter of a renewal.
  const isRenewal = as !== undefined || cause !== null || actor === "system";
  if (isRenewal && !up && service.group !== null)
    for (const each of membersOf(agent, service.group)) each.standsIn = false;
  Object.assign(service, { wanted: up, stopped: !up && !isRenewal, standsIn: up && isRenewal });
}

function judged(service: Service, { healthy, what, atMs }: Logged<ServiceJudged>): void {
  service.healthy = healthy;
  service.because = healthy ? null : unhealthyText(what);
  if (healthy) service.wasWell = true;
  noteWell(service, atMs);
}

function reallocate(agent: Agent, { service, room, memoryBytes, atMs }: Logged<AgentReallocated>): void {
  if (room === "memory") {
    const memory = { ...agent.room.memory, [service ?? ""]: memoryBytes ?? 0 };
    agent.room = { ...agent.room, memory };
    noteChange(agent, { kind: "room", what: `${service ?? "it"} was given more memory`, atMs });
    return;
  }
  agent.room = { ...agent.room, next: { kind: room, service } };
  const what = room === "ports" ? `${service ?? "it"} was given other ports` : "its temporary files were taken away";
  noteChange(agent, { kind: "room", what, atMs });
}

function create(state: State, event: Logged<AgentCreated>): void {
  const { agent: id, name, project, node, spec, ports, atMs, seq, actor } = event;
  const services = spec.services.flatMap((each) =>
    instancesOf(each).map(
      (instance, at) => [instance.name, toService(each, instance, at, { sinceMs: atMs, sinceSeq: seq })] as const,
    ),
  );
  state.agents.set(id, {
    ...{ id, name, project, node, spec, by: actor, madeAtMs: atMs },
    ...{ state: "stopped", sinceMs: atMs, sinceSeq: seq, because: null, wish: "run", force: false },
    ...{
      life: 0,
      isMade: false,
      isCleared: false,
      ports: new Map(Object.entries(ports)),
      ...{ rung: null, climbs: {}, climbed: null },
      services: new Map(services),
      run: null,
      reached: new Map(),
      ...{ joins: new Map(), mayBeJoined: spec.join !== undefined, assistant: null, isAssisted: false },
      ...{ isSetUp: false, hook: null, hooks: 0, hookEnds: {}, isArchived: false, room: noRoom, changes: [] },
    },
  });
}

function toService(
  whole: ServiceSpec,
  instance: ServiceSpec,
  at: number,
  since: Pick<Service, "sinceMs" | "sinceSeq">,
): Service {
  const group = instance === whole ? null : whole.name;
  return {
    ...{ spec: instance, group, state: "down", ...since, because: null, life: 0, wanted: at < countOf(whole) },
    ...{ stopped: false, standsIn: false },
    ...{ healthy: null, outdated: false, renewal: null, failing: null, dueAtMs: null, isHeld: false, nextAtMs: null },
    ...{ restarts: [], unwellSinceMs: null, end: null, failures: {}, ...unknownYet, isDropped: false },
  };
}

/** With the first places of the template that are other ones, such as the image of a service. */
function toldOfReload(agent: Agent, { spec }: AgentReloaded): string {
  const paths = planReload(agent.spec, spec).changes.map(({ path }) => path);
  const shown = paths.slice(0, pathsMax).join(", ");
  const rest = paths.length > pathsMax ? ` and ${paths.length - pathsMax} more` : "";
  return paths.length === 0 ? "its template was read anew" : `its template was read anew: ${shown}${rest}`;
}

function reload(agent: Agent, { spec, ports, atMs, seq }: Logged<AgentReloaded>): void {
  // One that has come up without a setup needs none any more.
  if (agent.spec.hooks?.setup === undefined && agent.life > 0) agent.isSetUp = true;
  agent.spec = spec;
  if (spec.join !== undefined) agent.mayBeJoined = true;
  agent.room = { ...agent.room, memory: {} };
  agent.ports.clear();
  for (const [key, port] of Object.entries(ports)) agent.ports.set(key, port);
  const known = new Map(agent.services);
  agent.services.clear();
  for (const each of spec.services)
    for (const service of reloadOne(each, known, { sinceMs: atMs, sinceSeq: seq })) {
      agent.services.set(service.spec.name, service);
      known.delete(service.spec.name);
    }
  for (const [name, service] of known)
    if (hasProcess(service.state)) agent.services.set(name, { ...service, wanted: false, isDropped: true });
}

/** What runs of a service from now on: whoever was there goes on, and whoever somebody stopped stays so. */
function reloadOne(
  whole: ServiceSpec,
  known: ReadonlyMap<string, Service>,
  since: Pick<Service, "sinceMs" | "sinceSeq">,
): Service[] {
  const instances = instancesOf(whole);
  const had = [...known.values()].filter((each) => nameOf(each) === whole.name && !each.isDropped);
  const isStopped = had.length > 0 && had.every(({ wanted }) => !wanted);
  const isSameNumber = had.length === instances.length && had.every((each) => countOf(each.spec) === countOf(whole));
  // Whoever runs goes on, as far as so many are to run: those beside them come or go (SV26).
  const own = instances.filter(({ name }) => known.get(name)?.wanted === true).map(({ name }) => name);
  const names = instances.map(({ name }) => name);
  const stopped = names.filter((name) => known.get(name)?.stopped === true);
  const others = names.filter((name) => !own.includes(name) && !stopped.includes(name));
  const count = Math.max(countOf(whole) - stopped.length, Math.min(own.length, countOf(whole)));
  const chosen = [...own, ...others].slice(0, count);
  return instances.map((instance, at) => {
    const fresh = toService(whole, instance, at, since);
    const before = known.get(instance.name);
    const wanted = isSameNumber ? before?.wanted === true : chosen.includes(instance.name) && !isStopped;
    const { spec, group, isDropped } = fresh;
    // What was so of another command, or with other variables, says nothing of this one.
    const isOther = before !== undefined && canonical(before.spec) !== canonical(spec);
    const how = { wanted, stopped: before?.stopped ?? isStopped, standsIn: isSameNumber && before?.standsIn === true };
    const isJudged = before !== undefined && canonical(before.spec.health) === canonical(spec.health);
    const now = { ...(before ?? fresh), ...(isOther ? unknownYet : {}), spec, group, isDropped, ...how };
    if (isJudged || before === undefined) return now;
    // What an old check has said is not said by the new one.
    Object.assign(now, { healthy: null, ...(isIll(before) ? { because: null } : {}) });
    noteWell(now, since.sinceMs);
    return now;
  });
}

function move(state: State, agent: Agent, event: Logged<AgentMoved>): void {
  const { from, to, life, because, atMs, seq } = event;
  assert(agent.state === from && mayAgentMove(from, to), () => `agent ${agent.id} cannot go from ${from} to ${to}`);
  agent.state = to;
  agent.life = life;
  agent.because = because;
  agent.sinceMs = atMs;
  agent.sinceSeq = seq;
  if (to === "spawning") {
    agent.hookEnds = without(agent.hookEnds, "ready");
    agent.isAssisted = isAssistantThere(state, agent);
  }
  // What was to be given when nothing of it ran has been given by now.
  if (to === "spawning" || to === "stopped") agent.room = { ...agent.room, next: null };
  watchWell(state, agent);
}

function without(ends: Agent["hookEnds"], hook: HookName): Agent["hookEnds"] {
  const { [hook]: _, ...others } = ends;
  return others;
}

/** Asks to look again when an agent will have been well for long enough. */
export function watchWell(state: State, agent: Agent): void {
  if (agent.state === "running" && agent.rung !== null)
    state.table.due.add(`agent:${agent.id}`, agent.sinceMs + recoveryOf(agent).resetMs);
}

function moveOne(state: State, agent: Agent, service: Service, event: Logged<ServiceMoved>): void {
  const { from, to, life, because, atMs, seq, dueAtMs = null, end, failing = null } = event;
  const isRight = service.state === from && mayServiceMove(from, to);
  assert(isRight, () => `service ${service.spec.name} of ${agent.id} cannot go from ${from} to ${to}`);
  // One without a check is well when it has lasted for as long as its restarts are counted.
  if (
    to === "completed" ||
    (from === "up" && service.spec.health === null && atMs - service.sinceMs >= service.spec.restart.windowMs)
  )
    service.wasWell = true;
  Object.assign(service, { state: to, life, because, sinceMs: atMs, sinceSeq: seq, dueAtMs, isHeld: false, failing });
  if (to !== "up" && to !== "stopping") service.healthy = null;
  if (to === "down") service.nextAtMs = null;
  // Whatever it was to be begun anew for, it has been, or will be.
  if (to === "starting" || to === "down") Object.assign(service, { outdated: false, renewal: null });
  if (end !== undefined) service.end = end;
  if (dueAtMs !== null && failing === null) service.restarts = [...keptRestarts(service, atMs), atMs];
  if (from === "delayed" && to === "waiting") noteRestart(state, agent, atMs);
  noteWell(service, atMs);
  if (to === "down" && service.isDropped) agent.services.delete(service.spec.name);
  watchDelayed(state, agent, service);
}

/** No more than anybody could count. */
const restartsMax = 2000;

function keptRestarts({ restarts, spec }: Service, atMs: number): readonly number[] {
  const fromMs = atMs - Math.max(spec.restart.windowMs, alertWindowMs);
  return restarts.filter((each) => each > fromMs).slice(1 - restartsMax);
}

function noteWell(service: Service, atMs: number): void {
  service.unwellSinceMs = isWell(service) || service.state === "down" ? null : (service.unwellSinceMs ?? atMs);
}

function noteRestart({ restarts }: State, { id: agent }: Agent, atMs: number): void {
  restarts.push({ agent, atMs });
  while ((restarts[0]?.atMs ?? Infinity) <= atMs - stormWindowMs) restarts.shift();
}

/** Asks to look again when a service is to be started again. */
export function watchDelayed(state: State, agent: Agent, { spec, dueAtMs }: Service): void {
  if (dueAtMs !== null) state.table.due.add(`service:${agent.id}/${spec.name}`, dueAtMs);
}
