// What people ask of agents, and what nodes tell of them.

import { unreachable } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { agentSubject, isMore, mostAllowed } from "../egress/egress.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { deny } from "../policy/policy.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Work } from "../workspace/workspace-state.ts";
import { setAsideOf } from "./agent-aside.ts";
import { missesArchiving } from "./agent-hooks.ts";
import { wish } from "./agent-wish.ts";
import { moveAgent, moveService } from "./agent-moves.ts";
import { askAssistant, settleAssistant } from "./assistant-decide.ts";
import { restore, unreserved } from "./agent-archive.ts";
import { noteRefreshed } from "./agent-refresh.ts";
import { reload } from "./agent-reload.ts";
import { findFullLimit } from "./agent-limit.ts";
import type { FailureUse } from "./agent-events.ts";
import type { AgentSpec, HookName } from "./agent-spec.ts";
import {
  type Agent,
  type AgentChange,
  isIll,
  isWell,
  portKey,
  type Service,
  type ServiceEnd,
  unhealthyText,
} from "./agent-state.ts";
import { type AgentState, hasProcess } from "./agent-states.ts";
import { join, part } from "./joins.ts";
import { hookEnded } from "./hook-end.ts";
import { climb, failAsItRuns, failService } from "./ladder.ts";
import { recoveryOf } from "./recovery.ts";
import { type Asked, askService, type Changed, filesChanged, isAsked, restart } from "./service-asked.ts";
import { serviceFailing } from "./service-failing.ts";
import { isNewcomer } from "./renew.ts";
import { membersOf, portKeysOf } from "./instances.ts";
import { tenantOf } from "./tenancy.ts";

export type CreateAgent = {
  readonly type: "agent.create";
  /** Null takes the template's name and a number. */
  readonly name: string | null;
  readonly project: string;
  readonly node: string;
  readonly spec: AgentSpec;
  /** Ports that were just seen free on the machine. */
  readonly offered: readonly number[];
  /** How many of it, all or none; left out, one. */
  readonly count?: number;
};

export type AgentInput =
  | CreateAgent
  | { readonly type: "agent.start"; readonly agent: string }
  | { readonly type: "agent.stop"; readonly agent: string; readonly force: boolean }
  /** Of the applications alone, where that is said: what they stand on goes on. */
  | { readonly type: "agent.restart"; readonly agent: string; readonly applications?: boolean }
  /** With what was changed in it kept in the trash, where that is said. */
  | {
      readonly type: "agent.remove";
      readonly agent: string;
      readonly force: boolean;
      readonly aside?: boolean | undefined;
    }
  /** What was changed in it is safe; or why it could not be kept. */
  | { readonly type: "agent.aside"; readonly agent: string; readonly works: readonly Work[]; readonly failed?: string }
  | { readonly type: "agent.archive"; readonly agent: string; readonly force: boolean }
  | {
      readonly type: "agent.reload";
      readonly agent: string;
      readonly spec: AgentSpec;
      readonly offered: readonly number[];
    }
  | { readonly type: "agent.restore"; readonly agent: string; readonly offered: readonly number[] }
  /** Two agents see each other's services from now on; across projects where a person says so. */
  | { readonly type: "agent.join"; readonly agent: string; readonly with: string; readonly across: boolean }
  | { readonly type: "agent.part"; readonly agent: string; readonly with: string }
  /** Its files were brought to a commit of mainline, and so many of them moved. */
  | { readonly type: "agent.refresh"; readonly agent: string; readonly commit: string; readonly count: number }
  /** Begins its assistant; null is what its template says. */
  | { readonly type: "agent.assist"; readonly agent: string; readonly prompt: string | null }
  | { readonly type: "service.start"; readonly agent: string; readonly service: string }
  | { readonly type: "service.stop"; readonly agent: string; readonly service: string }
  | {
      readonly type: "service.restart";
      readonly agent: string;
      readonly service: string;
      /** Left out where somebody asked for it. */
      readonly because?: string;
    }
  // From nodes.
  | { readonly type: "agent.made"; readonly agent: string; readonly life: number }
  | {
      readonly type: "agent.unmade";
      readonly agent: string;
      readonly life: number;
      readonly what: string;
      /** Ports of it that were not free, and others that are. */
      readonly taken: readonly number[];
      readonly offered: readonly number[];
    }
  /** Nothing of it runs any more; its files are gone too, where that was asked for. */
  | {
      readonly type: "agent.ended";
      readonly agent: string;
      readonly life: number;
      readonly cleared: boolean;
      /** Ports that were just seen free, where it is to have others. */
      readonly offered?: readonly number[];
      /** Its place is there, and only what ran in it has ended. */
      readonly session?: boolean;
    }
  | {
      readonly type: "hook.end";
      readonly agent: string;
      readonly hook: HookName;
      readonly number: number;
      readonly end: ServiceEnd;
    }
  /** Which runner of its profile is there for its assistant; or why none is. */
  | {
      readonly type: "assistant.choose";
      readonly agent: string;
      readonly number: number;
      readonly runner: string | null;
      readonly what: string;
    }
  | { readonly type: "service.began"; readonly agent: string; readonly service: string; readonly life: number }
  | {
      readonly type: "service.ended";
      readonly agent: string;
      readonly service: string;
      readonly life: number;
      readonly end: ServiceEnd;
      /** What it used when somebody last looked. */
      readonly use?: FailureUse;
      /** What was done lately of which the log says nothing: secrets given anew, commands that somebody ran. */
      readonly done?: readonly AgentChange[];
    }
  /** Files that a service watches have changed. */
  | {
      readonly type: "service.change";
      readonly agent: string;
      readonly service: string;
      readonly paths: readonly string[];
      readonly count: number;
    }
  | {
      readonly type: "service.judge";
      readonly agent: string;
      readonly service: string;
      readonly life: number;
      readonly healthy: boolean;
      readonly what: string;
      /** What it used when somebody last looked. */
      readonly use?: FailureUse;
    };

export type AgentRefusal =
  /** Not so many ports are free. */
  | { readonly code: "no-ports"; readonly wanted: number; readonly free: number }
  /** Not without making another one. */
  | { readonly code: "reload-refused"; readonly agent: string; readonly paths: readonly string[] }
  /** Its archive hook cannot be run. */
  | { readonly code: "archive-hook-down"; readonly agent: string; readonly state: AgentState }
  /** It is put away. */
  | { readonly code: "agent-archived"; readonly agent: string }
  /** Nothing can run in it now. */
  | { readonly code: "agent-down"; readonly agent: string; readonly state: AgentState };

export function decideAgent(step: Step, input: AgentInput): Result<Later, Refusal> {
  if (input.type === "agent.create") return create(step, input);
  const agent = step.state.agents.get(input.agent);
  if (agent === undefined) return refuse({ code: "not-found", kind: "agent", id: input.agent });
  if (!("service" in input)) return ofAgent(step, agent, input);
  const members = membersOf(agent, input.service);
  // What is told of a process counts until that has gone, whatever the template says meanwhile.
  const service = "life" in input ? agent.services.get(input.service) : members[0];
  if (service === undefined)
    return refuse({ code: "not-found", kind: "service", id: `${agent.name}/${input.service}` });
  if (input.type === "service.change") return filesChanged(step, agent, members, input);
  return isAsked(input) ? askService(step, agent, members, input) : ofProcess(step, agent, service, input);
}

function create(step: Step, input: CreateAgent): Result<Later, Refusal> {
  const { state } = step;
  const project = state.projects.get(input.project);
  if (project === undefined || project.removed)
    return refuse({ code: "not-found", kind: "project", id: input.project });
  const { node, spec, count = 1 } = input;
  const full = findFullLimit(state, { project: project.id, node }, count);
  if (full !== undefined) return refuse(full);
  const wanted = spec.egress?.kind ?? "none";
  const most = mostAllowed(state, agentSubject({ project: project.id, node }), undefined);
  if (most !== undefined && isMore(wanted, most.kind)) return refuse(deny(most.policy, "allowedEgress", wanted));
  // Of several, each has the name and a number.
  const own = count === 1 ? input.name : null;
  const other = own === null ? undefined : byName(state, own);
  if (other !== undefined) return refuse({ code: "already-there", kind: "agent", id: other.name, as: other.id });
  const keys = portKeysOf(spec);
  const free = unreserved(state, input.offered);
  if (free.length < keys.length * count)
    return refuse({ code: "no-ports", wanted: keys.length * count, free: free.length });
  const ids = Array.from({ length: count }, () => {
    const agent = step.nextId("a");
    const name = own ?? freeName(state, input.name ?? spec.template);
    const ports = Object.fromEntries(keys.map((key) => [key, free.shift() ?? 0]));
    step.emit({ type: "agent.created", v: 1, agent, name, project: project.id, node, spec, ports });
    return agent;
  });
  return ok(() => ({ of: "ids", ids }));
}

export function byName(state: State, name: string): Agent | undefined {
  return [...state.agents.values()].find((each) => each.name === name);
}

function freeName(state: State, template: string): string {
  for (let number = 1; ; number++) {
    const name = `${template}-${number}`;
    if (byName(state, name) === undefined) return name;
  }
}

type OfAgent = Exclude<AgentInput, CreateAgent | { readonly service: string }>;
const wishes = { "agent.stop": "stop", "agent.archive": "archive", "agent.remove": "remove" } as const;

type OfService = Extract<AgentInput, { readonly service: string }>;

function ofAgent(step: Step, agent: Agent, input: OfAgent): Result<Later, Refusal> {
  if (agent.isArchived && ["agent.start", "agent.restart", "agent.reload"].includes(input.type))
    return refuse({ code: "agent-archived", agent: agent.name });
  switch (input.type) {
    case "agent.start":
      wish(step, agent, "run", false);
      startFailed(step, agent);
      return done();
    case "agent.restart":
      wish(step, agent, "run", false);
      if (input.applications === true && agent.isMade && agent.state !== "stopping")
        return restartApplications(step, agent);
      if (agent.state !== "stopped" && agent.state !== "stopping")
        moveAgent(step, agent, "stopping", "somebody restarted it");
      return done();
    case "agent.reload":
      return reload(step, agent, input.spec, input.offered);
    case "agent.restore":
      if (agent.isArchived) return restore(step, agent, input.offered);
      wish(step, agent, "run", false);
      return done();
    case "agent.stop":
    case "agent.archive":
    case "agent.remove": {
      // By force, the run in it ends with it; else somebody may want its work first.
      const run = input.force ? undefined : tenantOf(step.state, agent);
      if (run !== undefined) return refuse({ code: "in-use", kind: "agent", id: agent.name, by: run.id });
      if (input.type === "agent.archive" && missesArchiving(agent, input.force))
        return refuse({ code: "archive-hook-down", agent: agent.name, state: agent.state });
      if (!agent.isArchived || input.type === "agent.remove")
        wish(step, agent, wishes[input.type], input.force, "aside" in input ? input.aside : undefined);
      return done();
    }
    case "agent.aside":
      return setAsideOf(step, agent, input);
    case "agent.join":
      return join(step, agent, input.with, input.across);
    case "agent.part":
      return part(step, agent, input.with);
    case "agent.refresh":
      return noteRefreshed(step, agent, input.commit, input.count);
    case "agent.assist":
      return askAssistant(step, agent, input.prompt);
    case "assistant.choose":
      settleAssistant(step, agent, input);
      return done();
    case "hook.end":
      if (input.hook === agent.hook && input.number === agent.hooks) hookEnded(step, agent, input.hook, input.end);
      return done();
    case "agent.made":
      if (input.life === agent.life && agent.state !== "stopped" && !agent.isMade)
        step.emit({ type: "agent.made", v: 1, agent: agent.id, life: agent.life });
      return done();
    case "agent.unmade":
      if (input.life === agent.life && agent.state === "spawning" && !agent.isMade) unmade(step, agent, input);
      return done();
    case "agent.ended":
      // One that was begun before somebody wanted it gone is over sooner than the work of its run is saved: it is ended again then.
      if (agent.wish !== "run" && agent.run !== null) return done();
      if (input.life === agent.life && agent.state === "stopping") ended(step, agent, input);
      return done();
    default:
      return unreachable(input);
  }
}

/** What gave up is tried anew, because a person says so. */
function startFailed(step: Step, agent: Agent): void {
  if (agent.state !== "error") return;
  const because = "somebody started it again";
  for (const service of agent.services.values())
    if (service.state === "failed") moveService(step, agent, service, "waiting", because);
    else if (isIll(service)) restart(step, agent, service, because);
  moveAgent(step, agent, "spawning", because);
}

/** What is external goes on, and so do its data; one that has failed is started again too, or nothing would come up (SV50). */
function restartApplications(step: Step, agent: Agent): Result<Later, Refusal> {
  startFailed(step, agent);
  for (const service of agent.services.values()) {
    const isMeant = service.spec.kind === "application" && service.wanted && service.spec.schedule === undefined;
    if (isMeant) restart(step, agent, service, "somebody restarted the applications");
  }
  return done();
}

function unmade(
  step: Step,
  agent: Agent,
  { what, taken, offered }: Extract<AgentInput, { type: "agent.unmade" }>,
): void {
  const keys = [...agent.ports].filter(([, port]) => taken.includes(port)).map(([key]) => key);
  const free = unreserved(step.state, offered);
  if (keys.length > 0 && free.length >= keys.length) {
    const ports = Object.fromEntries(keys.map((key, at) => [key, free[at] ?? 0]));
    step.emit({ type: "agent.renumbered", v: 1, agent: agent.id, ports });
    return;
  }
  climb(step, agent, null, { class: "configuration", what });
}

function ended(
  step: Step,
  agent: Agent,
  { cleared: isCleared, session, offered = [] }: Extract<AgentInput, { type: "agent.ended" }>,
): void {
  const more = {
    ...(isCleared ? { cleared: true as const } : {}),
    ...(session === true ? { session: true as const } : {}),
  };
  step.emit({ type: "agent.ended", v: 1, agent: agent.id, life: agent.life, ...more });
  for (const service of agent.services.values())
    if (service.state !== "down") moveService(step, agent, service, "down", "its agent went down");
  if (agent.wish === "run") renumber(step, agent, offered);
  moveAgent(step, agent, agent.wish === "run" ? "spawning" : "stopped", agent.because);
}

/** Gives a service other ports once nothing holds those that it had (AG74). Where there are none it keeps them, and tries again. */
function renumber(step: Step, agent: Agent, offered: readonly number[]): void {
  const { next } = agent.room;
  const service = agent.services.get(next?.service ?? "");
  if (next?.kind !== "ports" || service === undefined) return;
  const names = service.group === null ? [service.spec.name] : [service.group, service.spec.name];
  const keys = names.flatMap((name) => service.spec.ports.map((port) => portKey(name, port)));
  const had = keys.filter((key) => agent.ports.has(key));
  const others = unreserved(step.state, offered);
  if (had.length === 0 || others.length < had.length) return;
  const ports = Object.fromEntries(had.map((key, at) => [key, others[at] ?? 0]));
  step.emit({ type: "agent.renumbered", v: 1, agent: agent.id, ports });
}

function ofProcess(
  step: Step,
  agent: Agent,
  service: Service,
  input: Exclude<OfService, Asked | Changed>,
): Result<Later, Refusal> {
  const isNews = input.life === service.life;
  if (!isNews) return done();
  switch (input.type) {
    case "service.began":
      if (service.state === "starting") moveService(step, agent, service, "up", null);
      return done();
    case "service.ended":
      if (hasProcess(service.state)) processEnded(step, agent, service, input);
      return done();
    case "service.judge":
      // Its template may have no check any more.
      if (service.state !== "up" || service.healthy === input.healthy || service.spec.health === null) return done();
      judge(step, agent, service, input);
      return done();
    default:
      return unreachable(input);
  }
}

function processEnded(
  step: Step,
  agent: Agent,
  service: Service,
  input: Extract<AgentInput, { type: "service.ended" }>,
): void {
  const { end } = input;
  const context = { end, use: input.use ?? null, done: input.done ?? [] };
  const { state, failing, spec } = service;
  const isGoingDown = agent.state === "stopping" || !service.wanted;
  if (state === "stopping" || isGoingDown) {
    if (isGoingDown) return moveService(step, agent, service, "down", service.because, { end });
    if (failing !== null) return failService(step, agent, service, failing, context);
    return moveService(step, agent, service, "waiting", service.because, { end });
  }
  if (end.exit === 0 && spec.restart.policy !== "always")
    return moveService(
      step,
      agent,
      service,
      spec.schedule === undefined ? "completed" : "scheduled",
      "it ended by itself",
      { end },
    );
  return failService(step, agent, service, serviceFailing(step.state, agent, service, end), context);
}

function judge(
  step: Step,
  agent: Agent,
  service: Service,
  { healthy, what, use }: Extract<AgentInput, { type: "service.judge" }>,
): void {
  const base = { agent: agent.id, service: service.spec.name, life: service.life } as const;
  step.emit({ type: "service.judged", v: 1, ...base, healthy, what });
  // Who goes down anyway does so in its turn.
  if (healthy || agent.state === "stopping") return;
  const failing = { class: "service", cause: "unhealthy", what: unhealthyText(what) } as const;
  if (service.spec.restart.policy === "never" && !isNewcomer(agent, service))
    return failAsItRuns(step, agent, service, failing, use ?? null);
  moveService(step, agent, service, "stopping", failing.what, { failing });
}

/** An agent that has been well for so long begins at the foot of its ladder again. */
export function checkWell(step: Step, id: string): void {
  const agent = step.state.agents.get(id);
  if (agent?.state !== "running" || agent.rung === null) return;
  const troubledAtMs = Math.max(agent.sinceMs, ...[...agent.services.values()].map(({ sinceMs }) => sinceMs));
  const { resetMs } = recoveryOf(agent);
  // Whoever only waits for the next rung is not well, however long that takes.
  const wellAtMs = [...agent.services.values()].every(isWell) ? troubledAtMs + resetMs : step.nowMs + resetMs;
  if (wellAtMs > step.nowMs) return step.state.table.due.add(`agent:${id}`, wellAtMs);
  step.emit({ type: "agent.recovered", v: 1, agent: id });
}
