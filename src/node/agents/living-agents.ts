// The living agents of this node: it makes their places, starts and stops their services, sees whether these are well, and
// tells what becomes of them. What follows from that is decided elsewhere; what runs is kept by the keepers, whoever comes
// and goes here.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { refuse, type Result } from "../../base/result.ts";
import type { AgentAct } from "../../core/acts.ts";
import { findRefreshObstacle } from "../../core/agent/agent-refresh.ts";
import { secretsIn } from "../../core/agent/agent-spec.ts";
import { type Agent, type Service, type ServiceEnd, serviceOf } from "../../core/agent/agent-state.ts";
import { hasProcess } from "../../core/agent/agent-states.ts";
import type { Input, Refusal } from "../../core/inputs.ts";
import { agentImageOf } from "../../core/project/image.ts";
import { type Project, ruleOf } from "../../core/project/project.ts";
import type { State } from "../../core/state.ts";
import { openIn } from "../../core/terminal/windows.ts";
import { type HelloAnswer, keeperProtocol, type ProcessesAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { Assistants } from "../assistants/assistants.ts";
import type { SecretStore } from "../../ports/secret-store.ts";
import type { EgressWays } from "../egress/egress-ways.ts";
import { openAgentWays } from "../egress/open-ways.ts";
import { isOfCage, isOfTheWorld } from "../is-of-the-world.ts";
import type { UseHistory } from "../usage/use-history.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { stopGraceMs, type WaysOut, type Workspaces } from "../workspace/workspaces.ts";
import { chooseAssistant, type RunnersHere } from "./choose-assistant.ts";
import { boundAgent, diskBytesOf, placeLimitsOf } from "./bound-agent.ts";
import { FileWatches } from "./file-watches.ts";
import { JoinedAgents, joinedEnvOf, tellJoined } from "./joined-agents.ts";
import type { MadeValues } from "./made-values.ts";
import { goesDown, isConfiguration, takenBy } from "./agent-faults.ts";
import { offerPorts } from "./offer-ports.ts";
import { saveFirst, setAside } from "./set-aside.ts";
import { type AgentRefreshed, refreshAgent } from "./refresh-agent.ts";
import { readSecrets } from "./read-secrets.ts";
import { hookCallOf, runHook } from "./run-hook.ts";
import { envOf, type Given, numberOf, orderOf, servicesEnvOf } from "./service-order.ts";
import { DoneByHand } from "./done-by-hand.ts";
import type { OwnSystem, ServiceSystems } from "./service-systems.ts";
import { cannotBeTold, passUnknownCall, ServiceWatch } from "./service-watch.ts";
import { SharedPorts, sharedPortsOf } from "./shared-ports.ts";

export type LivingAgentsOptions = {
  readonly workspaces: Workspaces;
  readonly ways: EgressWays;
  readonly values: MadeValues;
  readonly secrets: Pick<SecretStore, "get" | "list">;
  /** What services with an image of their own run on. */
  readonly systems: Pick<ServiceSystems, "getAll" | "makeReady">;
  /** Where what services said is kept after their end. */
  readonly callsFolder: string;
  /** What was seen of its services, where somebody notes that. */
  readonly seen?: Pick<UseHistory, "lastUse" | "noteCheck"> | undefined;
  /** What runs in them need for their assistants, where this node has any. */
  readonly assistants?: Pick<Assistants, "waysIn" | "end"> | undefined;
  /** Where agents that are joined let each other in. Whoever keepers run as can write there. */
  readonly joinsFolder: string;
  /** Who can be an assistant here. */
  readonly runnersHere: RunnersHere;
};

export type LivingAgentsLink = {
  readonly state: () => State;
  readonly report: (input: Input) => Promise<{ readonly ok: boolean }>;
  readonly bring: (project: Project) => Promise<void>;
  readonly nowMs: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly closing: AbortSignal;
  /** Something went wrong that nobody can be told of. */
  readonly onDefect: (error: unknown) => void;
};

/** More than are wanted: others may take some in the meantime. */
const sparePorts = 4;

export class LivingAgents {
  readonly #options: LivingAgentsOptions;
  readonly #link: LivingAgentsLink;
  /** By the call that each runs as, also while they are being made. */
  readonly #watches = new Map<string, Promise<ServiceWatch>>();
  /** By agent: what its services are being told. */
  readonly #adapting = new Map<string, Set<Promise<void>>>();
  /** Those whose keepers are being ended: nobody gets another one meanwhile. */
  readonly #leaving = new Set<string>();

  readonly #shares: SharedPorts;
  readonly #joined: JoinedAgents;
  readonly #files: FileWatches;
  readonly byHand: DoneByHand;

  constructor(options: LivingAgentsOptions, link: LivingAgentsLink) {
    this.#options = options;
    this.byHand = new DoneByHand(options.secrets, link);
    this.#link = link;
    this.#files = new FileWatches(link);
    this.#joined = new JoinedAgents({
      ...{ folder: options.joinsFolder, state: link.state },
      keeperOf: async (agent) => (await this.#stayingOf(agent)).keeper,
    });
    this.#shares = new SharedPorts({
      state: link.state,
      keeperOf: async (agent) => (await this.#stayingOf(agent)).keeper,
    });
  }

  async do(act: AgentAct): Promise<void> {
    const agent = this.#link.state().agents.get(act.agent);
    // What was asked for may have been overtaken.
    if (agent?.life !== act.life) return;
    switch (act.type) {
      case "make":
        return this.#make(agent);
      case "hook":
        return this.#hook(agent, act);
      case "assist": {
        const chosen = await chooseAssistant(this.#link.state(), agent, this.#options.runnersHere);
        await this.#link.report({ type: "assistant.choose", agent: agent.id, number: act.number, ...chosen });
        return;
      }
      case "serve":
        return this.#serve(agent, act);
      case "leave":
        return this.#leave(agent, act);
      case "adapt":
        return this.#countAdapting(agent.id, this.#adapt(agent, act));
      case "share":
        return this.#shares.bring(agent.id, act.service);
      case "bound":
        return boundAgent(agent, {
          ...{ state: this.#link.state, placeOf: (of) => this.#stayingOf(of) },
          usual: this.#options.workspaces.usual,
        });
      case "join":
        return this.#joined.tell(agent.id);
      case "unmake":
        return this.#unmake(agent, act);
    }
  }

  /** Whether services of it are still to be told what a reload has changed. */
  isAdapting(agent: string): boolean {
    return this.#adapting.has(agent);
  }

  /** When those that are being told now have been, or could not be. */
  async adapted(agent: string): Promise<void> {
    await Promise.allSettled([...(this.#adapting.get(agent) ?? [])]);
  }

  /** Whether anything of it is on this machine. */
  hasPlace(agent: Agent): Promise<boolean> {
    return this.#options.workspaces.has(agent.id);
  }

  /** Which processes belong to what in it; null where nothing is there, or its keeper is of a release that cannot say. */
  async processesOf({ id }: Agent): Promise<ProcessesAnswer | null> {
    const agent = this.#link.state().agents.get(id);
    // Whoever looks at one that goes down would make its place again, which nobody would end.
    if (agent?.isMade !== true || this.#leaving.has(id)) return null;
    const { keeper } = await this.placeOf(agent);
    return keeper.request({ op: "processes" }).catch((error: unknown) => {
      if (error instanceof Fault) return null;
      throw error;
    }) as Promise<ProcessesAnswer | null>;
  }

  /** What everything sees that works beside its services. Secrets are for services alone. */
  async envOf(agent: Agent, beside: Service | null = null): Promise<Record<string, string>> {
    const given = { made: await this.#options.values.of(agent.id, agent.spec), secrets: {}, joined: {} };
    const joined = joinedEnvOf(this.#link.state(), agent);
    const own = beside === null ? envOf(agent, given) : orderOf(agent, beside, given).env;
    // What others are called by never takes the place of what its own services are.
    return { ...joined, ...servicesEnvOf(agent), ...own };
  }

  /** Makes the system ready that a service has for itself; null where it has its agent's. */
  async systemOf(agent: Agent, service: string): Promise<OwnSystem | null> {
    if (serviceOf(agent, service).spec.image === undefined) return null;
    return this.#options.systems.makeReady(agent, service, await this.placeOf(agent));
  }

  /** The place of an agent, as it is or made anew. */
  placeOf(agent: Agent): Promise<Workspace> {
    const project = this.#projectOf(agent);
    return this.#options.workspaces.of(agent.id, project, {
      kind: agent.spec.workspace,
      ports: [...agent.ports.values()],
      shared: sharedPortsOf(agent).map(({ port }) => port),
      joined: this.#joined.orderOf(agent),
      limits: placeLimitsOf(this.#link.state(), agent),
      diskBytes: diskBytesOf(this.#link.state(), agent),
      bring: () => this.#link.bring(project).catch(() => undefined),
      warm: true,
      image: agentImageOf(this.#link.state(), agent),
      ways: () => this.#waysOf(agent),
    });
  }

  /**
   * The place of an agent for the run in it. It is not made for a run; but the files of one that is over are looked at also
   * where the place could not be made anew: nobody starts anything there then.
   */
  async placeFor(id: string, isOver: boolean): Promise<Workspace> {
    const agent = this.#link.state().agents.get(id);
    if (agent === undefined)
      throw new Fault("not-found", { retry: "never", message: `the agent ${id} is not there any more` });
    if (agent.isMade && !this.#leaving.has(id)) return this.placeOf(agent);
    const { state, name } = agent;
    if (isOver && !agent.isMade && state !== "spawning")
      return this.#options.workspaces.of(id, this.#projectOf(agent), { still: true });
    throw new Fault("agent-down", { retry: "later", message: `the agent ${name} is ${state}` });
  }

  /** The place of an agent for those who have a terminal in it: as it stands, and not while it goes. */
  standing(id: string): Promise<Workspace> {
    const agent = this.#link.state().agents.get(id);
    const isThere = agent !== undefined && (agent.isMade || openIn(this.#link.state(), id).length > 0);
    if (isThere) return this.#stayingOf(agent);
    if (agent !== undefined) return Promise.reject(goesDown(agent));
    return Promise.reject(
      new Fault("agent-down", { retry: "never", message: `the agent ${id} is not there any more` }),
    );
  }

  /** Its place, unless it is just being ended: it would be made again, and nobody would end that. */
  #stayingOf(agent: Agent): Promise<Workspace> {
    return this.#leaving.has(agent.id) ? Promise.reject(goesDown(agent)) : this.placeOf(agent);
  }

  /** Brings its files to mainline's head, with what people have committed meanwhile. */
  async refresh(agent: Agent): Promise<Result<AgentRefreshed, Refusal>> {
    const obstacle = findRefreshObstacle(agent);
    if (obstacle !== undefined) return refuse(obstacle);
    const project = this.#projectOf(agent);
    await this.#link.bring(project);
    const mainline = await this.#options.workspaces.mainlineOf(project);
    const current = (): Agent | undefined => this.#link.state().agents.get(agent.id);
    return refreshAgent(await this.standing(agent.id), { agent: current, mainline, rule: ruleOf(project) });
  }

  /** Lets go of a place that was looked at without being made. */
  async leavePlace(id: string): Promise<void> {
    const agent = this.#link.state().agents.get(id);
    if (agent !== undefined && !agent.isMade && agent.state !== "spawning")
      await this.#options.workspaces.end(id, true);
  }

  /** Each service with its state and where it is, for whoever works beside them. */
  tell(agent: Agent): string[] {
    const own = [...agent.services.values()].map(({ spec, state, healthy }) => {
      const health = healthy === null ? "" : healthy ? ", healthy" : ", not healthy";
      const ports = spec.ports.map((port) => `${port} at 127.0.0.1:${numberOf(agent, spec.name, port)}`);
      return `${spec.name} (${state}${health})${ports.length === 0 ? "" : `: ${ports.join(", ")}`}`;
    });
    return [...own, ...tellJoined(this.#link.state(), agent)];
  }

  /** The calls as which its services run now, by their names. */
  callsOf(id: string): Record<string, string> {
    const services = [...(this.#link.state().agents.get(id)?.services.values() ?? [])];
    const begun = services.filter(({ life }) => life > 0);
    return Object.fromEntries(begun.map(({ spec, life }) => [spec.name, callOf(id, spec.name, life)]));
  }

  /** The way out for everything in it, and where runs in it have assistants those to the door and to models. */
  async #waysOf(agent: Agent): Promise<WaysOut> {
    const { ways, assistants } = this.#options;
    const report = async (input: Input): Promise<boolean> => (await this.#link.report(input)).ok;
    const out = await openAgentWays(ways, this.#link.state, agent, report);
    const own = await assistants?.waysIn(agent.id);
    return own === undefined ? out : { ...out, ...own, bridges: [...out.bridges, ...own.bridges] };
  }

  async #make(agent: Agent): Promise<void> {
    if (agent.state !== "spawning" || agent.isMade) return;
    const { id, life } = agent;
    try {
      await this.#options.values.of(id, agent.spec);
      await this.#options.systems.getAll(agent, await this.placeOf(agent));
    } catch (error) {
      if (!(error instanceof Fault) || error.retry !== "never") throw error;
      // Nothing of it stays: whoever tries again begins anew.
      await this.#options.workspaces.end(id, true);
      await this.#options.ways.end(id);
      const taken = takenBy(error);
      const offered = taken.length === 0 ? [] : await offerPorts(taken.length + sparePorts);
      await this.#link.report({ type: "agent.unmade", agent: id, life, what: error.message, taken, offered });
      return;
    }
    await this.#link.report({ type: "agent.made", agent: id, life });
  }

  async #serve(agent: Agent, { service: name, serviceLife }: Extract<AgentAct, { type: "serve" }>): Promise<void> {
    const service = agent.services.get(name);
    // Nothing starts in an agent that goes down: it would be there after everything was proven gone.
    if (agent.state === "stopping" || service?.life !== serviceLife || !hasProcess(service.state)) return;
    try {
      const watch = await this.#watchOf(agent, name, serviceLife);
      const { keeper } = await this.#stayingOf(agent);
      if (service.group !== null) await this.#shares.lead(agent.id);
      this.#files.listen(agent.id, service, keeper);
      await watch.start();
    } catch (error) {
      // Whatever else is in the way may pass; these are for the ladder, and in the end for a person (AG22).
      const isFinal = isOfCage(error) || (error instanceof Fault && isConfiguration(error));
      if (!isFinal) throw error;
      const end = { exit: "unknown", why: "not-started", said: error.message } as const;
      await this.#link.report({ type: "service.ended", agent: agent.id, service: name, life: serviceLife, end });
      this.#abandon(callOf(agent.id, name, serviceLife));
    }
  }

  async #hook(agent: Agent, { hook: name, number }: Extract<AgentAct, { type: "hook" }>): Promise<void> {
    const hook = agent.spec.hooks?.[name];
    if (hook === undefined || agent.hook !== name || agent.hooks !== number || agent.state === "stopping") return;
    const { values, secrets, callsFolder } = this.#options;
    const signal = this.#link.closing;
    let place: Workspace | undefined;
    const end = await this.#tryHook(async () => {
      const made = await values.of(agent.id, agent.spec);
      const joined = joinedEnvOf(this.#link.state(), agent);
      const given = { made, secrets: await readSecrets(secrets, secretsIn(agent.spec.env)), joined };
      place = await this.#stayingOf(agent);
      return runHook({ agent, name, hook, number, given, keeper: place.keeper, callsFolder, signal });
    });
    await this.#link.report({ type: "hook.end", agent: agent.id, hook: name, number, end });
    // Not before that is in the log: whoever asks for it again after a crash would run it a second time.
    await place?.keeper.request({ op: "forget", call: hookCallOf(agent.id, name, number) }).catch((error: unknown) => {
      if (!isOfTheWorld(error)) throw error;
    });
  }

  /** One that cannot even be started has ended badly. */
  async #tryHook(run: () => Promise<ServiceEnd>): Promise<ServiceEnd> {
    try {
      return await run();
    } catch (error) {
      if (!isOfCage(error) && (!(error instanceof Fault) || error.retry !== "never")) throw error;
      return { exit: "unknown", why: "not-started", said: error.message };
    }
  }

  async #countAdapting(agent: string, telling: Promise<void>): Promise<void> {
    const all = this.#adapting.get(agent) ?? new Set();
    this.#adapting.set(agent, all.add(telling));
    try {
      await telling;
    } finally {
      all.delete(telling);
      if (all.size === 0) this.#adapting.delete(agent);
    }
  }

  async #adapt(agent: Agent, { service: name, serviceLife }: Extract<AgentAct, { type: "adapt" }>): Promise<void> {
    const service = agent.services.get(name);
    if (service?.life !== serviceLife || service.state === "stopping" || agent.state === "stopping") return;
    this.#files.listen(agent.id, service, (await this.#stayingOf(agent)).keeper);
    if (!hasProcess(service.state)) return;
    const watch = await this.#watchOf(agent, name, serviceLife);
    if ((await watch.adapt()) !== true)
      await this.#link.report({ type: "service.restart", agent: agent.id, service: name, because: cannotBeTold });
  }

  async #leave(agent: Agent, { service: name, serviceLife }: Extract<AgentAct, { type: "leave" }>): Promise<void> {
    const service = agent.services.get(name);
    if (service?.life !== serviceLife || service.state !== "stopping") return;
    const watch = await this.#watchOf(agent, name, serviceLife);
    // Nobody is brought to it any more when it is asked to go.
    if (service.group !== null) await this.#shares.bring(agent.id, service.group);
    await watch.stop();
    if (service.isDropped && service.group !== null) await this.#shares.lead(agent.id);
  }

  /** One for each call: of two neither would hear what the other does. */
  #watchOf(agent: Agent, name: string, life: number): Promise<ServiceWatch> {
    const call = callOf(agent.id, name, life);
    const known = this.#watches.get(call);
    if (known !== undefined) return known;
    const making = this.#makeWatch(agent, name, life);
    this.#watches.set(call, making);
    // Whoever tries again begins anew.
    making.catch(() => this.#watches.get(call) === making && this.#watches.delete(call));
    return making;
  }

  async #makeWatch(agent: Agent, name: string, life: number): Promise<ServiceWatch> {
    const call = callOf(agent.id, name, life);
    const { keeper } = await this.#stayingOf(agent);
    const { report, nowMs, sleep, closing, onDefect } = this.#link;
    const current = (): Agent => this.#link.state().agents.get(agent.id) ?? agent;
    return new ServiceWatch({
      callsFolder: this.#options.callsFolder,
      ...{ call, name, life, agent: current, keeper, report, nowMs, sleep, closing, onDefect },
      given: () => this.#givenTo(current(), name),
      openGiven: () => this.#openGivenTo(current()),
      system: () => this.systemOf(current(), name),
      onOver: () => this.#watches.delete(call),
      lastUse: (sinceMs) => this.#options.seen?.lastUse(agent.id, name, sinceMs) ?? null,
      doneByHand: () => this.byHand.of(current()),
      onChecked: (check) => this.#options.seen?.noteCheck(agent.id, name, check),
    });
  }

  #abandon(call: string): void {
    const watching = this.#watches.get(call);
    this.#watches.delete(call);
    watching?.then(
      (watch) => watch.abandon(),
      () => undefined,
    );
  }

  async #givenTo(agent: Agent, name: string): Promise<Given> {
    const { spec } = serviceOf(agent, name);
    const secrets = await readSecrets(this.#options.secrets, secretsIn(agent.spec.env, spec.env));
    return { ...(await this.#openGivenTo(agent)), secrets };
  }

  async #openGivenTo(agent: Agent): Promise<Omit<Given, "secrets">> {
    const made = await this.#options.values.of(agent.id, agent.spec);
    return { made, joined: joinedEnvOf(this.#link.state(), agent) };
  }

  async #unmake(agent: Agent, { force, how, aside }: Extract<AgentAct, { type: "unmake" }>): Promise<void> {
    if (agent.state !== "stopping") return;
    const { id, life } = agent;
    const { workspaces, values } = this.#options;
    for (const call of [...this.#watches.keys()]) if (call.startsWith(`${id}-`)) this.#abandon(call);
    this.#files.leave(id);
    const cleared = how === "files";
    const tell = async (session: boolean): Promise<unknown> => {
      const offered = await this.#othersFor(agent);
      return this.#link.report({ type: "agent.ended", agent: id, life, cleared, session, ...offered });
    };
    if (how === "session" && (await workspaces.has(id))) {
      await this.#endSession(agent, force);
      await tell(true);
      return;
    }
    this.#leaving.add(id);
    try {
      if (aside === true) {
        const parts = { workspaces, report: this.#link.report, project: this.#projectOf(agent) };
        await (how === "files" ? setAside : saveFirst)(parts, agent, force);
      }
      if (how === "files") {
        await workspaces.remove(id, this.#projectOf(agent));
        await values.forget(id);
        await rm(join(this.#options.callsFolder, id), { recursive: true, force: true });
        await rm(join(this.#options.joinsFolder, id), { recursive: true, force: true });
      } else await workspaces.end(id, force);
      if (how === "temporary") await workspaces.clearTemporary(id);
      // What passed is in the log before anybody hears that it has ended.
      await this.#options.ways.end(id);
      await this.#options.assistants?.end(id);
      await tell(false);
    } finally {
      this.#leaving.delete(id);
    }
  }

  /** Ports for one that is to have others when it is made anew. */
  async #othersFor({ room, ports }: Agent): Promise<{ readonly offered?: readonly number[] }> {
    return room.next?.kind === "ports" ? { offered: await offerPorts(ports.size + sparePorts) } : {};
  }

  /** Ends everything in it but the run that is there, which goes on when its agent does, and the terminals of people. */
  async #endSession(agent: Agent, force: boolean): Promise<void> {
    const { keeper } = await this.placeOf(agent);
    const graceMs = force ? 0 : stopGraceMs;
    if (agent.run === null && openIn(this.#link.state(), agent.id).length === 0) {
      await keeper.request({ op: "stop-all", graceMs });
      return;
    }
    const { calls } = (await keeper.request({ op: "hello", protocol: keeperProtocol })) as HelloAnswer;
    const own = calls.filter((call) => !isOfRun(call));
    // What has ended may be forgotten meanwhile.
    await Promise.all(own.map((call) => keeper.request({ op: "stop", call, graceMs }).catch(passUnknownCall)));
  }

  #projectOf(agent: Agent): Project {
    const project = this.#link.state().projects.get(agent.project);
    if (project !== undefined) return project;
    throw new Fault("not-found", { retry: "never", message: `${agent.name} has no project` });
  }
}

/** As what a life of a service runs. */
function callOf(agent: string, service: string, life: number): string {
  return `${agent}-${service}-${life}`;
}

/** The calls of runs begin with their ids. */
function isOfRun(call: string): boolean {
  return /^r_[0-9a-z]+-/.test(call);
}
