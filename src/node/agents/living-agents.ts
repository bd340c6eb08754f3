// The living agents of this node: it makes their places, starts and stops their services, sees whether these are well, and
// tells what becomes of them. What follows from that is decided elsewhere; what runs is kept by the keepers, whoever comes
// and goes here.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { AgentAct } from "../../core/acts.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { hasProcess } from "../../core/agent/agent-states.ts";
import type { Input } from "../../core/inputs.ts";
import type { Project } from "../../core/project/project.ts";
import type { State } from "../../core/state.ts";
import { KeeperRefusal } from "../keepers/keeper-client.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import { stopGraceMs } from "../workspace/workspaces.ts";
import type { MadeValues } from "./made-values.ts";
import { offerPorts } from "./offer-ports.ts";
import { envOf } from "./service-order.ts";
import { ServiceWatch } from "./service-watch.ts";

export type LivingAgentsOptions = {
  readonly workspaces: Workspaces;
  readonly values: MadeValues;
  /** Where what services said is kept after their end. */
  readonly callsFolder: string;
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
  /** By the call that each runs as. */
  readonly #watches = new Map<string, ServiceWatch>();

  constructor(options: LivingAgentsOptions, link: LivingAgentsLink) {
    this.#options = options;
    this.#link = link;
  }

  async do(act: AgentAct): Promise<void> {
    const agent = this.#link.state().agents.get(act.agent);
    // What was asked for may have been overtaken.
    if (agent?.life !== act.life) return;
    switch (act.type) {
      case "make":
        return this.#make(agent);
      case "serve":
        return this.#serve(agent, act);
      case "leave":
        return this.#leave(agent, act);
      case "unmake":
        return this.#unmake(agent, act);
    }
  }

  /** Whether anything of it is on this machine. */
  hasPlace(agent: Agent): Promise<boolean> {
    return this.#options.workspaces.has(agent.id);
  }

  /** What everything in it sees. */
  async envOf(agent: Agent): Promise<Record<string, string>> {
    return envOf(agent, await this.#options.values.of(agent.id, agent.spec));
  }

  /** The place of an agent, as it is or made anew. */
  placeOf(agent: Agent): Promise<Workspace> {
    const project = this.#projectOf(agent);
    return this.#options.workspaces.of(agent.id, project, {
      ports: [...agent.ports.values()],
      bring: () => this.#link.bring(project).catch(() => undefined),
      warm: true,
    });
  }

  async #make(agent: Agent): Promise<void> {
    if (agent.state !== "spawning" || agent.isMade) return;
    const { id, life } = agent;
    try {
      await this.#options.values.of(id, agent.spec);
      await this.placeOf(agent);
    } catch (error) {
      if (!(error instanceof Fault) || error.retry !== "never") throw error;
      // Nothing of it stays: whoever tries again begins anew.
      await this.#options.workspaces.end(id, true);
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
    const watch = await this.#watchOf(agent, name, serviceLife);
    await watch.start();
  }

  async #leave(agent: Agent, { service: name, serviceLife }: Extract<AgentAct, { type: "leave" }>): Promise<void> {
    const service = agent.services.get(name);
    if (service?.life !== serviceLife || service.state !== "stopping") return;
    const watch = await this.#watchOf(agent, name, serviceLife);
    await watch.stop();
  }

  async #watchOf(agent: Agent, name: string, life: number): Promise<ServiceWatch> {
    const call = `${agent.id}-${name}-${life}`;
    const known = this.#watches.get(call);
    if (known !== undefined) return known;
    const values = await this.#options.values.of(agent.id, agent.spec);
    const { keeper } = await this.placeOf(agent);
    const { report, nowMs, sleep, closing, onDefect } = this.#link;
    const current = (): Agent => this.#link.state().agents.get(agent.id) ?? agent;
    const watch = new ServiceWatch({
      callsFolder: this.#options.callsFolder,
      ...{ call, name, life, agent: current, values, keeper, report, nowMs, sleep, closing, onDefect },
      onOver: () => this.#watches.delete(call),
    });
    this.#watches.set(call, watch);
    return watch;
  }

  async #unmake(agent: Agent, { force, how }: Extract<AgentAct, { type: "unmake" }>): Promise<void> {
    if (agent.state !== "stopping") return;
    const { id, life } = agent;
    const { workspaces, values } = this.#options;
    for (const [call, watch] of this.#watches) {
      if (!call.startsWith(`${id}-`)) continue;
      watch.abandon();
      this.#watches.delete(call);
    }
    if (how === "session" && (await workspaces.has(id))) {
      const { keeper } = await this.placeOf(agent);
      await keeper.request({ op: "stop-all", graceMs: force ? 0 : stopGraceMs });
    } else if (how === "files") {
      await workspaces.remove(id, this.#projectOf(agent));
      await values.forget(id);
      await rm(join(this.#options.callsFolder, id), { recursive: true, force: true });
    } else await workspaces.end(id, force);
    await this.#link.report({ type: "agent.ended", agent: id, life });
  }

  #projectOf(agent: Agent): Project {
    const project = this.#link.state().projects.get(agent.project);
    if (project !== undefined) return project;
    throw new Fault("not-found", { retry: "never", message: `${agent.name} has no project` });
  }
}

/** The ports that kept a place from being made. */
function takenBy(error: Fault): number[] {
  if (error.code !== "port-taken" || !(error instanceof KeeperRefusal)) return [];
  const { port } = (error.data ?? {}) as { readonly port?: number };
  return port === undefined ? [] : [port];
}
