// People who keep living agents: they make, start, stop, restart and remove them, and their services, at any moment.

import type { Prng } from "../../src/base/prng.ts";
import {
  type AgentSpec,
  hookNames,
  restartDefaults,
  type ServiceSpec,
  stopDefaults,
} from "../../src/core/agent/agent-spec.ts";
import type { Input } from "../../src/core/inputs.ts";
import type { ModelAgent, ModelService } from "./agent-model.ts";
import { type AgentRefreshWorld, refreshAgent } from "./agent-refresh.ts";
import type { LogModel } from "./log-model.ts";
import { hasEnded } from "./run-model.ts";
import type { SimBus } from "./sim-bus.ts";

export type OwnersWorld = {
  readonly bus: SimBus;
  readonly model: LogModel;
  readonly nodes: readonly string[];
  readonly agentsMax: number;
} & AgentRefreshWorld;

const check = { kind: "tcp", port: "main", intervalMs: 1000, timeoutMs: 500, retries: 2, startPeriodMs: 5000 } as const;

const everyMinute = { cron: "* * * * *", zone: "UTC", shifts: [] } as const;
const bounded = { memoryBytes: 1024 ** 2, cpu: null, processes: null, files: null } as const;
const roomy = { ...bounded, memoryBytesMax: 3 * 1024 ** 2 } as const;

export class Owners {
  readonly #world: OwnersWorld;
  readonly #prng: Prng;

  /** Apart, so that what they do to agents stays as it was. */
  readonly #limits: Prng;
  /** Likewise, for what services are like. */
  readonly #kinds: Prng;
  readonly #whole: Prng;
  readonly #assistants: Prng;
  readonly #joins: Prng;
  /** Likewise, for what they may be given. */
  readonly #room: Prng;
  /** Likewise, for whose files are brought up. */
  readonly #refreshes: Prng;
  /** Likewise, for who keeps one of several down. */
  readonly #stops: Prng;

  constructor(world: OwnersWorld, prng: Prng) {
    this.#world = world;
    this.#prng = prng;
    this.#limits = prng.stream("limits");
    this.#kinds = prng.stream("kinds");
    this.#whole = prng.stream("whole");
    this.#assistants = prng.stream("assistants");
    this.#joins = prng.stream("joins");
    this.#room = prng.stream("room");
    this.#refreshes = prng.stream("refreshes");
    this.#stops = prng.stream("stops");
  }

  doSomething(): void {
    if (this.#limits.chance(0.05)) this.#limit();
    if (this.#room.chance(0.12)) this.#calm();
    const { model, agentsMax } = this.#world;
    const prng = this.#prng;
    const agents = [...model.agents.values()];
    if (agents.length < agentsMax && prng.chance(agents.length === 0 ? 1 : 0.2)) return this.#create();
    if (agents.length === 0) return;
    if (this.#refreshes.chance(0.1)) this.#refresh(this.#refreshes.pick(agents));
    if (this.#stops.chance(0.15)) this.#keepDown(agents);
    if (this.#whole.chance(0.15)) return this.#putAway(this.#whole.pick(agents));
    if (this.#whole.chance(0.1)) return this.#reload(this.#whole.pick(agents));
    if (this.#joins.chance(0.08)) return this.#joinOrPart(this.#joins.pick(agents), this.#joins.pick(agents));
    const agent = prng.pick(agents);
    const roll = prng.unit();
    // Whoever wants an agent gone in which a run works has to say it twice.
    const force = prng.chance(agent.run === null ? 0.2 : 0.7);
    if (roll < 0.25) return this.#send({ type: "agent.start", agent: agent.id });
    if (roll < 0.4) return this.#send({ type: "agent.stop", agent: agent.id, force });
    const applications = this.#kinds.chance(0.3);
    if (roll < 0.5) return this.#send({ type: "agent.restart", agent: agent.id, applications });
    if (roll < 0.57) return this.#send({ type: "agent.remove", agent: agent.id, force });
    if (agent.services.size === 0) return;
    if (this.#kinds.chance(0.1)) return this.#change(agent);
    const instance = prng.pick([...agent.services.values()]);
    // Mostly all instances of one together.
    const service = instance.of !== instance.name && this.#kinds.chance(0.7) ? instance.of : instance.name;
    const verb = prng.pick(["service.start", "service.start", "service.stop", "service.restart"] as const);
    this.#send({ type: verb, agent: agent.id, service });
  }

  /** Gives everyone what they wait for. */
  attendAll(): void {
    for (const { id, state, wish, services, isArchived } of this.#world.model.agents.values()) {
      // A service that somebody stopped keeps those that need it waiting, for as long as it takes.
      if (wish === "run")
        for (const { of, instances } of services.values())
          if ([...services.values()].filter((each) => each.of === of && each.wanted).length < instances)
            this.#send({ type: "service.start", agent: id, service: of });
      const isWaitedFor = [...this.#world.model.runs.values()].some((run) => run.agent === id && !hasEnded(run));
      // Those who wait for it hear that it does not come back.
      if (isArchived && isWaitedFor) this.#send({ type: "agent.remove", agent: id, force: false });
      else if (wish === "run" ? state === "error" : wish === "stop" && isWaitedFor)
        this.#send({ type: "agent.start", agent: id });
    }
  }

  /** Stops one instance, and has the others begun anew. */
  #keepDown(agents: readonly ModelAgent[]): void {
    const instances = agents.flatMap(({ id, services }) =>
      [...services.values()].filter(({ overlap, wanted }) => overlap && wanted).map((each) => ({ id, ...each })),
    );
    if (instances.length === 0) return;
    const { id: agent, name, of } = this.#stops.pick(instances);
    this.#send({ type: "service.stop", agent, service: name });
    this.#send({ type: "service.restart", agent, service: of });
  }

  /** Another one of its services, one less, one that does something else, or one of which there are more. */
  #reload({ id: agent, services: known, ports: had }: ModelAgent): void {
    const prng = this.#whole;
    const made = [...known.values()].filter(({ isDropped }) => !isDropped);
    const kept = made.filter(({ of }, at) => made[at - 1]?.of !== of && prng.chance(0.8));
    const names = [...kept.map(({ of }) => of), ...(prng.chance(0.4) ? [`n${prng.between(0, 3)}`] : [])];
    const services = [...new Set(names)].map((name): ServiceSpec => {
      const before = kept.find((each) => each.of === name);
      const plain = { kind: "application", cwd: null, env: {}, health: null, stop: stopDefaults } as const;
      const argv = [prng.pick(["true", "other"])];
      const restart = { ...restartDefaults, policy: prng.pick(["always", "never"] as const) };
      const needs = (before?.needs ?? []).filter((need) => names.includes(need.service));
      const started = needs.map(({ service }) => ({ service, until: "started" }) as const);
      const hasPort = prng.chance(0.15) !== `${name}.main` in had;
      const isNeeded = kept.some((each) => each.needs.some(({ service }) => service === name));
      const ports = hasPort ? ["main"] : [];
      return { ...plain, name, argv, restart, needs: started, ports, ...this.#likeBefore(before, isNeeded) };
    });
    const offered = [...Array.from({ length: 12 }, () => prng.between(1, 40)), ...this.#moreFor(services)];
    const spec = { template: "shop", env: {}, services, faces: [], hooks: this.#hooks() };
    this.#send({ type: "agent.reload", agent, spec, offered });
  }

  /** Mostly as many as there were, and at the same times. */
  #likeBefore(before: ModelService | undefined, isNeeded: boolean): Partial<ServiceSpec> {
    const prng = this.#kinds;
    const { isScheduled = false, hasCheck = false, isBounded = false, instances = 1, overlap = false } = before ?? {};
    const limits = isBounded ? { limits: (before?.memoryMost ?? null) === null ? bounded : roomy } : {};
    if (prng.chance(0.1) ? !isScheduled && !isNeeded : isScheduled) {
      const schedule = { ...everyMinute, cron: prng.pick(["* * * * *", "*/2 * * * *"]) };
      return { ...limits, schedule, restart: { ...restartDefaults, policy: "never" } };
    }
    const health = hasCheck ? check : null;
    const several = { ...(instances > 1 ? { instances } : {}), ...(overlap ? { overlap } : {}) };
    return { ...limits, health, ...(prng.chance(0.2) ? this.#several(health) : several) };
  }

  #refresh(agent: ModelAgent): void {
    const refreshed = refreshAgent(this.#world, agent);
    if (refreshed !== undefined) this.#send({ type: "agent.refresh", agent: agent.id, ...refreshed });
  }

  #joinOrPart({ id: agent }: ModelAgent, { id: other }: ModelAgent): void {
    const across = this.#joins.chance(0.5);
    if (this.#joins.chance(0.6)) return this.#send({ type: "agent.join", agent, with: other, across });
    this.#send({ type: "agent.part", agent, with: other });
  }

  #putAway({ id: agent, isArchived }: ModelAgent): void {
    const prng = this.#whole;
    const offered = Array.from({ length: 12 }, () => prng.between(1, 40));
    if (prng.chance(isArchived ? 0.8 : 0.1)) return this.#send({ type: "agent.restore", agent, offered });
    this.#send({ type: "agent.archive", agent, force: prng.chance(0.3) });
  }

  #limit(): void {
    const { nodes, agentsMax } = this.#world;
    const prng = this.#limits;
    const name = prng.pick(["agents", "agents-here"]);
    const scope = name === "agents" ? {} : { node: prng.pick(nodes) };
    const rules = { maxAgents: prng.between(1, agentsMax) };
    const policy = { name, priority: prng.pick([-5, 0, 5]), enabled: prng.chance(0.9), scope, rules };
    this.#send({ type: "policy.set", policy });
  }

  /** So few restarts that even a small world meets the bound. */
  #calm(): void {
    const prng = this.#room;
    const rules = { maxRestarts: prng.between(1, 2) };
    const policy = { name: "calm", priority: prng.pick([-5, 0, 5]), enabled: prng.chance(0.8), scope: {}, rules };
    this.#send({ type: "policy.set", policy });
  }

  #create(): void {
    const { model, nodes } = this.#world;
    const prng = this.#prng;
    const projects = [...model.projects.values()].filter((project) => !project.removed);
    if (projects.length === 0) return;
    const services: ServiceSpec[] = [];
    for (let left = prng.between(1, 4); left > 0; left--) services.push(this.#service(services));
    const start = this.#assistants.pick(["once", "each", "never"] as const);
    const assistant = this.#assistants.chance(0.3) ? { assistant: { profile: "team", prompt: "Mend it.", start } } : {};
    this.#send({
      ...{ type: "agent.create", name: null, project: prng.pick(projects).id, node: prng.pick(nodes) },
      spec: { template: "shop", env: {}, services, faces: [], hooks: this.#hooks(), ...assistant },
      // More where there may be instances, which have ports of their own.
      offered: [...Array.from({ length: 12 }, () => prng.between(1, 40)), ...this.#moreFor(services)],
      count: this.#whole.chance(0.2) ? 2 : 1,
    });
  }

  /** Somebody saves a file that a service watches. */
  #change({ id, services }: ModelAgent): void {
    const service = this.#kinds.pick([...services.values()]).of;
    const input = { type: "service.change", agent: id, service, paths: ["src/a.ts"], count: 1 } as const;
    this.#world.bus.ask({ actor: "system", input }, { tries: 3, onOutcome: () => undefined });
  }

  #several(health: ServiceSpec["health"]): Pick<ServiceSpec, "instances" | "overlap"> {
    return {
      ...(this.#kinds.chance(0.25) ? { instances: this.#kinds.between(2, 3) } : {}),
      ...(health !== null && this.#kinds.chance(0.4) ? { overlap: true } : {}),
    };
  }

  #moreFor(services: readonly ServiceSpec[]): number[] {
    const isGrouped = services.some(({ instances, overlap }) => instances !== undefined || overlap === true);
    return isGrouped ? Array.from({ length: 24 }, () => this.#kinds.between(41, 90)) : [];
  }

  #hooks(): NonNullable<AgentSpec["hooks"]> {
    const hook = { argv: ["true"], cwd: null, timeoutMs: 1000 };
    return Object.fromEntries(hookNames.filter(() => this.#whole.chance(0.4)).map((name) => [name, hook]));
  }

  #service(before: readonly ServiceSpec[]): ServiceSpec {
    const prng = this.#prng;
    const policy = prng.pick(["always", "always", "on-failure", "never"] as const);
    const needs = before
      .filter(() => prng.chance(0.4))
      // What comes and goes keeps nobody waiting.
      .filter(({ schedule }) => schedule === undefined)
      .map(({ name, health, restart }) => {
        const until = health !== null ? "healthy" : restart.policy === "on-failure" ? "completed" : "started";
        // One that never ends would keep everybody waiting.
        return { service: name, until: until === "completed" ? "started" : until } as const;
      });
    const ports = prng.chance(0.7) ? ["main"] : [];
    const health = prng.chance(0.5) ? check : null;
    // Whose failures are counted for long comes to the ladder sooner.
    const window = this.#room.chance(0.6) ? { windowMs: 3_600_000 } : {};
    const tries = prng.between(0, 3);
    const rule = { ...restartDefaults, policy, limit: this.#room.chance(0.5) ? 0 : tries, ...window };
    const calm = { ...rule, policy: policy === "always" ? "never" : policy } as const;
    return {
      ...{ name: `s${before.length}`, kind: "application", argv: ["true"], cwd: null, env: {}, needs },
      ports,
      health,
      restart: rule,
      stop: stopDefaults,
      ...(this.#kinds.chance(0.4) ? { limits: this.#room.chance(0.7) ? roomy : bounded } : {}),
      ...(this.#kinds.chance(0.2) ? { schedule: everyMinute, health: null, restart: calm } : this.#several(health)),
    };
  }

  #send(input: Input): void {
    this.#world.bus.ask({ actor: "person:ann", input }, { tries: 3, onOutcome: () => undefined });
  }
}
