// What has to be done in the world. Acts follow from events once these are durable, and from the state after a restart;
// both give the same names, so that whoever does them can tell a repetition. Outcomes come back as inputs.

import type {
  AgentMoved,
  AgentReloaded,
  AgentRenumbered,
  AgentWished,
  AssistantCalled,
  HookBegun,
  ServiceMoved,
} from "./agent/agent-events.ts";
import type { HookName } from "./agent/agent-spec.ts";
import type { Agent, Service } from "./agent/agent-state.ts";
import { hasProcess } from "./agent/agent-states.ts";
import { sharersOf } from "./agent/instances.ts";
import { agentLimitsOf } from "./agent/agent-limits.ts";
import { diskLimitOf } from "./agent/disk-limit.ts";
import { joinedWith, reachedPortsOf } from "./agent/joins.ts";
import { howAnew, savesFirst, terminalsFirst } from "./agent/place-goes.ts";
import type { Logged } from "./events.ts";
import { rewindName } from "./run/rewind-decide.ts";
import { actName, type Run } from "./run/run-state.ts";
import { isDriven, isOver } from "./run/run-states.ts";
import type { State } from "./state.ts";
import { compareIds } from "./step.ts";
import { openIn, ownerId } from "./terminal/windows.ts";
import type { Work } from "./workspace/workspace-state.ts";

export type Act =
  /** Bring the paths of a grant in step; answered by `lease.refreshed`. */
  | {
      readonly type: "refresh";
      readonly id: string;
      readonly claim: string;
      readonly family: string;
      readonly project: string;
      readonly node: string;
      readonly units: readonly string[];
    }
  /** See that a driver works for the run; answered by `run.driven`. */
  | {
      readonly type: "drive";
      readonly id: string;
      readonly run: string;
      readonly family: string;
      readonly node: string;
    }
  /** Try the result; answered by `run.validated`. */
  | {
      readonly type: "validate";
      readonly id: string;
      readonly run: string;
      readonly node: string;
      readonly argv: readonly string[];
    }
  /** Bring the result home; answered by `run.landed`. */
  | { readonly type: "land"; readonly id: string; readonly run: string; readonly node: string }
  /** Take its workspace back to an earlier step; answered by `run.rewound`. */
  | {
      readonly type: "rewind";
      readonly id: string;
      readonly run: string;
      readonly node: string;
      readonly works: readonly Work[];
    }
  /** See that a terminal is open, and for as long as it is; answered by `terminal.end`. */
  | {
      readonly type: "terminal";
      readonly id: string;
      readonly terminal: string;
      readonly node: string;
    }
  /** End a terminal, for its agent goes down; answered by `terminal.end`. */
  | { readonly type: "hang-up"; readonly id: string; readonly terminal: string; readonly node: string }
  /** End everything of the run and prove it; answered by `run.stopped`. */
  | {
      readonly type: "stop";
      readonly id: string;
      readonly run: string;
      readonly node: string;
      /** Leaves no time to tidy up. */
      readonly force: boolean;
    }
  | AgentAct;

/** What has to be done for a living agent. */
export type AgentAct = {
  readonly id: string;
  readonly agent: string;
  readonly node: string;
  /** The life of the agent that is meant. */
  readonly life: number;
} &
  /** Make its place; answered by `agent.made` or `agent.unmade`. */
  (
    | { readonly type: "make" }
    /** Start a service; answered by `service.began`, and some day by `service.ended`. */
    | { readonly type: "serve"; readonly service: string; readonly serviceLife: number }
    /** Stop a service; answered by `service.ended`. */
    | { readonly type: "leave"; readonly service: string; readonly serviceLife: number }
    /** Tell a service that runs what is another about it now, and listen for its files; answered by nothing, or where it has to begin anew by `service.restart`. */
    | { readonly type: "adapt"; readonly service: string; readonly serviceLife: number }
    /** Bring callers of a service to those of its instances that are well; answered by nothing. */
    | { readonly type: "share"; readonly service: string }
    /** Run a command of its own; answered by `hook.end`. */
    | { readonly type: "hook"; readonly hook: HookName; readonly number: number }
    /** Bring it together with whom it is joined to, and with nobody else; answered by nothing. */
    | { readonly type: "join" }
    /** Hold it to what everything in it may use and take of the disk now; answered by nothing. */
    | { readonly type: "bound" }
    /** See who can be its assistant; answered by `assistant.choose`. */
    | { readonly type: "assist"; readonly number: number }
    /** End everything of it and prove it, with its temporary files or all of its files where that is said; answered by `agent.ended`. */
    | {
        readonly type: "unmake";
        readonly force: boolean;
        readonly how: "session" | "place" | "temporary" | "files";
        /** What was changed in it is first told by `agent.aside`. */
        readonly aside?: true;
      }
  );

/** Most events call for nothing, and share this. */
const none: readonly Act[] = [];

/** The acts that one durable event calls for. */
export function actsOf(state: State, event: Logged): readonly Act[] {
  switch (event.type) {
    case "lease.granted":
      return event.ready ? none : refreshOf(state, event.claim);
    case "run.moved": {
      const run = state.runs.get(event.run);
      // Later events of the same step may have moved it on; what counts is where it stands now.
      return run === undefined || run.sinceSeq !== event.seq ? [] : actsFor(state, run);
    }
    case "run.revived": {
      // Where it went on at once, the move says so.
      const run = state.runs.get(event.run);
      return run === undefined || !isDriven(run.state) || run.state === "running" ? [] : driveOf(run);
    }
    // Nobody saw to its terminals while it was on its way down.
    case "agent.made":
      return [
        ...joinActs(state),
        ...boundActs(state, state.agents.get(event.agent)),
        ...openIn(state, event.agent).flatMap(({ id }) => terminalActs(state, id)),
      ];
    case "policy.set":
    case "policy.removed":
      return [...state.agents.values()]
        .toSorted((a, b) => compareIds(a.id, b.id))
        .flatMap((agent) => boundActs(state, agent));
    case "agent.created":
    case "agent.restored":
    case "agent.joined":
    case "agent.parted":
    case "agent.archived":
    case "agent.removed":
      return joinActs(state);
    case "agent.reloaded": {
      const agent = state.agents.get(event.agent);
      const adapts = agent === undefined ? none : adaptActs(agent, event);
      return [...adapts, ...boundActs(state, agent), ...joinActs(state)];
    }
    case "agent.renumbered": {
      const agent = state.agents.get(event.agent);
      return [...(agent === undefined ? none : agentActs(state, agent, event)), ...joinActs(state)];
    }
    case "agent.moved": {
      const agent = state.agents.get(event.agent);
      if (agent === undefined) return none;
      // Those who are joined to it find it gone or back.
      const isNews = event.from === "stopped" || event.to === "stopped";
      return [...agentActs(state, agent, event), ...(isNews ? joinActs(state) : none)];
    }
    case "agent.wished":
    case "hook.begun":
    case "assistant.called":
    case "service.moved": {
      const agent = state.agents.get(event.agent);
      return agent === undefined ? none : agentActs(state, agent, event);
    }
    case "service.judged": {
      const agent = state.agents.get(event.agent);
      return agent === undefined ? none : shareActs(agent, agent.services.get(event.service));
    }
    case "run.stopped": {
      // An agent that goes down for good has waited for it.
      const agent = state.agents.get(state.runs.get(event.run)?.agent ?? "");
      return agent === undefined ? none : placeActs(state, agent);
    }
    case "terminal.ended": {
      // So has one that went down.
      const agent = "agent" in event ? state.agents.get(event.agent) : undefined;
      return agent?.state === "stopping" ? placeActs(state, agent) : none;
    }
    case "terminal.opened":
      return terminalActs(state, event.terminal);
    case "rewind.begun": {
      const run = state.runs.get(event.run);
      return run === undefined ? none : rewindOf(run);
    }
    default:
      return none;
  }
}

/** Everything that is still to be done, after a restart. */
export function actsPending(state: State): Act[] {
  const acts: Act[] = [];
  const claims = new Set<string>();
  for (const family of state.table.families.values()) {
    for (const lease of family.leases.values()) if (!lease.ready && !lease.quarantined) claims.add(lease.claim);
  }
  for (const claim of [...claims].toSorted(compareIds)) acts.push(...refreshOf(state, claim));
  for (const run of [...state.runs.values()].toSorted((a, b) => compareIds(a.id, b.id)))
    acts.push(...(isDriven(run.state) ? driveOf(run) : []), ...rewindOf(run), ...outcomesFor(state, run));
  for (const agent of [...state.agents.values()].toSorted((a, b) => compareIds(a.id, b.id)))
    acts.push(
      ...placeActs(state, agent),
      ...boundActs(state, agent),
      ...hookActs(agent),
      ...assistActs(agent),
      ...[...agent.services.values()].flatMap((service) => [
        ...serviceActs(agent, service),
        ...listenActs(agent, service),
      ]),
      ...firstInstances(agent).flatMap((service) => shareActs(agent, service)),
    );
  acts.push(...joinActs(state));
  for (const id of state.terminals.keys()) acts.push(...terminalActs(state, id));
  return acts;
}

/** One instance of each service that has any. */
function firstInstances(agent: Agent): Service[] {
  const all = [...agent.services.values()];
  // Those that its template does not have any more stand behind all others.
  return all.filter(({ group }, at) => group !== null && all.findIndex((each) => each.group === group) === at);
}

/** What counts is where it stands now: later events of the same step may have moved it on. */
function agentActs(
  state: State,
  agent: Agent,
  event: Logged<AgentWished | AgentMoved | AgentRenumbered | HookBegun | AssistantCalled | ServiceMoved>,
): Act[] {
  if (event.type === "hook.begun") return hookActs(agent);
  if (event.type === "assistant.called") return assistActs(agent);
  // Whoever is going down already may be wanted gone sooner, or for good.
  if (event.type === "agent.wished")
    return agent.state === "stopping" && agent.sinceSeq < event.seq ? placeActs(state, agent) : [];
  if (event.type !== "service.moved") return agent.sinceSeq === event.seq ? placeActs(state, agent) : [];
  const service = agent.services.get(event.service);
  // One that its template does not have any more is gone when it is down: its agent may have waited for it.
  if (service === undefined) return placeActs(state, agent);
  if (service.sinceSeq !== event.seq) return [];
  const shares = shareActs(agent, service);
  return [...serviceActs(agent, service), ...shares, ...(agent.state === "stopping" ? placeActs(state, agent) : [])];
}

function placeActs(all: State, agent: Agent): Act[] {
  const { id: name, node, life, state, isMade, force, sinceSeq, wish } = agent;
  const base = { agent: name, node, life } as const;
  if (state === "spawning" && !isMade) return [{ ...base, type: "make", id: `make:${name}@${sinceSeq}` }];
  if (state !== "stopping") return [];
  const terminals = terminalsFirst(all, agent);
  if (terminals.length > 0)
    return terminals.map((terminal) => ({ type: "hang-up", id: `hang-up:${terminal}`, terminal, node }));
  // The work of the run in it is saved first (AG46).
  if (wish !== "run" && agent.run !== null) return [];
  if (!force && [...agent.services.values()].some((service) => hasProcess(service.state))) return [];
  const how = wish === "remove" ? "files" : wish === "run" ? howAnew(agent) : "place";
  const isKept = (how === "files" && agent.aside === true) || savesFirst(agent);
  const aside = isKept ? { aside: true as const } : {};
  const id = `unmake:${name}@${sinceSeq}:${how}${force ? "!" : ""}${agent.aside === true ? "+" : ""}`;
  return [{ ...base, type: "unmake", id, force, how, ...aside }];
}

function hookActs({ id: agent, node, life, hook, hooks: number, isMade }: Agent): AgentAct[] {
  if (hook === null || !isMade) return [];
  return [{ agent, node, life, type: "hook", hook, number, id: `hook:${agent}/${hook}@${number}` }];
}

function assistActs({ id: agent, node, life, assistant }: Agent): AgentAct[] {
  if (assistant?.state !== "called") return [];
  const { number } = assistant;
  return [{ agent, node, life, type: "assist", number, id: `assist:${agent}@${number}` }];
}

function serviceActs(agent: Agent, { state, spec, life: serviceLife }: Service): AgentAct[] {
  const { id: name, node, life } = agent;
  const base = { agent: name, node, life, service: spec.name, serviceLife } as const;
  const id = `${name}/${spec.name}@${serviceLife}`;
  // Who was started before the daemon died is found again by whoever starts it once more.
  if (state === "starting" || state === "up") return [{ ...base, type: "serve", id: `serve:${id}` }];
  return state === "stopping" ? [{ ...base, type: "leave", id: `leave:${id}` }] : [];
}

/** Whoever is found running after a restart is told by whoever finds it. */
function adaptActs(agent: Agent, { adapts = [], seq }: Logged<AgentReloaded>): AgentAct[] {
  const { id: name, node, life } = agent;
  const told = [...agent.services.values()].filter(({ spec }) => adapts.includes(spec.name));
  const there = told.filter(({ state }) => state === "starting" || state === "up" || isAwaitingFiles(state));
  return there.map(({ spec, life: serviceLife }) => {
    const id = `adapt:${name}/${spec.name}@${serviceLife}:${seq}`;
    return { agent: name, node, life, service: spec.name, serviceLife, type: "adapt", id };
  });
}

/** Whoever has ended is begun anew when its files change: a daemon that comes back listens for these, too (SV41). */
function listenActs({ id: name, node, life, isMade }: Agent, { spec, state, life: serviceLife }: Service): AgentAct[] {
  if (!isMade || spec.watch === undefined || !isAwaitingFiles(state)) return [];
  const id = `listen:${name}/${spec.name}@${serviceLife}`;
  return [{ agent: name, node, life, service: spec.name, serviceLife, type: "adapt", id }];
}

function isAwaitingFiles(state: Service["state"]): boolean {
  return state === "completed" || state === "failed";
}

/** Named by how much it may use and take: the same again is no other act. What was said to it before is not known: it is told anew. */
function boundActs(state: State, agent: Agent | undefined): AgentAct[] {
  if (agent?.isMade !== true || agent.state === "stopping") return [];
  const { id: name, node, life } = agent;
  const most = [String(diskLimitOf(state, agent)?.bytes ?? "all")];
  for (const [kind, limit] of Object.entries(agentLimitsOf(state, agent)))
    if (limit !== null) most.push(`${kind}=${limit.value}${limit.tightens ? "-" : ""}`);
  return [{ agent: name, node, life, type: "bound", id: `bound:${name}@${life}:${most.join("+")}` }];
}

/** Named by where callers are brought: the same again is no other act. */
function shareActs(agent: Agent, service: Service | undefined): AgentAct[] {
  const { id: name, node, life } = agent;
  const group = service?.group ?? null;
  if (group === null || !agent.isMade) return [];
  const to = sharersOf(agent, group).map(({ spec, life: own }) => `${spec.name}@${own}`);
  return [{ agent: name, node, life, type: "share", service: group, id: `share:${name}/${group}:${to.join("+")}` }];
}

/** Named by whom each is joined to: the same again is no other act. Whoever has been joined hears also that it is not. */
function joinActs(state: State): AgentAct[] {
  const agents = [...state.agents.values()].filter(({ isMade, mayBeJoined }) => isMade && mayBeJoined);
  const portsOf = (agent: Agent): string =>
    reachedPortsOf(agent)
      .map(({ number }) => number)
      .join(",");
  return agents
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map((agent): AgentAct => {
      const { id: name, node, life } = agent;
      const to = joinedWith(state, agent).map((peer) => `${peer.id}:${portsOf(peer)}`);
      return { agent: name, node, life, type: "join", id: `join:${name}@${life}:${to.join("+")}` };
    });
}

function terminalActs(state: State, id: string): Act[] {
  const terminal = state.terminals.get(id);
  if (terminal === undefined || terminal.ended !== null) return [];
  const owner = ownerId(terminal.owner);
  const node = (state.runs.get(owner) ?? state.agents.get(owner))?.node;
  return node === undefined ? [] : [{ type: "terminal", id: `terminal:${id}`, terminal: id, node }];
}

function actsFor(state: State, run: Run): Act[] {
  if (run.state === "starting" || run.state === "running") return driveOf(run);
  return outcomesFor(state, run);
}

function outcomesFor(state: State, run: Run): Act[] {
  const { node } = run;
  const id = actName(run);
  if (run.state === "validating") {
    const argv = state.tasks.get(run.task)?.acceptance ?? null;
    return argv === null ? [] : [{ type: "validate", id, run: run.id, node, argv }];
  }
  if (run.state === "landing") return [{ type: "land", id, run: run.id, node }];
  if (isOver(run.state) && run.startedAtMs !== null && !run.stopped) {
    return [{ type: "stop", id, run: run.id, node, force: run.forced }];
  }
  return [];
}

function driveOf(run: Run): Act[] {
  // Whoever is tried again later has no driver until then.
  if (run.startedAtMs === null || run.lost || run.delay !== null) return [];
  const id = `drive:${run.id}:${run.family}@${run.messages.length}`;
  return [{ type: "drive", id, run: run.id, family: run.family, node: run.node }];
}

function rewindOf({ id: run, node, rewinding }: Run): Act[] {
  if (rewinding === null) return [];
  return [{ type: "rewind", id: rewindName(run, rewinding), run, node, works: rewinding.works }];
}

function refreshOf(state: State, claim: string): Act[] {
  const record = state.table.claims.get(claim);
  const family = record === undefined ? undefined : state.table.families.get(record.family);
  if (record === undefined || family === undefined || family.life === "over") return [];
  const node = state.runs.get(family.holder)?.node ?? "local";
  return [
    {
      type: "refresh",
      id: `refresh:${claim}`,
      claim,
      family: family.id,
      project: family.project,
      node,
      units: record.units,
    },
  ];
}
