// The core with living agents in it, and a node that does what it is asked, when it is asked.

import { type AgentSpec, restartDefaults, type ServiceSpec, stopDefaults } from "../../src/core/agent/agent-spec.ts";
import type { CreateAgent } from "../../src/core/agent/agent-decide.ts";
import type { Agent, ServiceEnd } from "../../src/core/agent/agent-state.ts";
import { CoreWorld } from "./core-world.ts";

const tcp = {
  kind: "tcp",
  port: "main",
  intervalMs: 1000,
  timeoutMs: 500,
  retries: 2,
  startPeriodMs: 5000,
} as const;
export const crashed: ServiceEnd = { exit: 1, why: "ended", said: "" };

export function service(name: string, more: Partial<ServiceSpec> = {}): ServiceSpec {
  return {
    ...{ name, kind: "application", argv: [name], cwd: null, env: {}, needs: [], ports: ["main"] },
    ...{ health: null, restart: restartDefaults, stop: stopDefaults, ...more },
  };
}

export const db = service("db", { kind: "external", health: tcp });
export const web = service("web", { needs: [{ service: "db", until: "healthy" }] });
export const lone = service("web");

export class AgentWorld extends CoreWorld {
  readonly projectId = this.project();

  asked(
    services: readonly ServiceSpec[],
    more: Partial<AgentSpec> = {},
    offered: readonly number[] = [1, 2, 3, 4, 5, 6],
  ): CreateAgent {
    const spec: AgentSpec = { template: "shop", env: {}, services, faces: [], ...more };
    return { type: "agent.create", name: null, project: this.projectId, node: "local", spec, offered };
  }

  create(services: readonly ServiceSpec[], offered?: readonly number[], more: Partial<AgentSpec> = {}): string {
    const answer = this.give(this.asked(services, more, offered));
    const [id] = answer.ok && answer.value.of === "ids" ? answer.value.ids : [];
    if (id === undefined) throw new Error(JSON.stringify(answer));
    return id;
  }

  agent(id: string): Agent {
    const agent = this.state.agents.get(id);
    if (agent === undefined) throw new Error(`no agent ${id}`);
    return agent;
  }

  states(id: string): Record<string, string> {
    return Object.fromEntries([...this.agent(id).services].map(([name, { state }]) => [name, state]));
  }

  todo(): string[] {
    return this.pending().map(({ id }) => id.replace(/@.*/, ""));
  }

  made(id: string): void {
    this.ok({ type: "agent.made", agent: id, life: this.agent(id).life }, "system");
  }

  began(agent: string, name: string): void {
    this.ok({ type: "service.began", agent, service: name, life: this.lifeOf(agent, name) }, "system");
  }

  ended(agent: string, name: string, end: ServiceEnd = { exit: 143, why: "stopped", said: "" }): void {
    this.ok({ type: "service.ended", agent, service: name, life: this.lifeOf(agent, name), end }, "system");
  }

  judged(agent: string, name: string, healthy: boolean): void {
    const what = healthy ? "it answers" : "nothing answers";
    this.ok({ type: "service.judge", agent, service: name, life: this.lifeOf(agent, name), healthy, what }, "system");
  }

  gone(id: string): void {
    const { life, wish } = this.agent(id);
    this.ok({ type: "agent.ended", agent: id, life, cleared: wish === "remove" }, "system");
  }

  /** With everything up. */
  running(services: readonly ServiceSpec[], more: Partial<AgentSpec> = {}): string {
    const id = this.create(services, undefined, more);
    this.made(id);
    for (const { name, health } of services) {
      this.began(id, name);
      if (health !== null) this.judged(id, name, true);
    }
    if (this.agent(id).state !== "running") throw new Error(`${id} is ${this.agent(id).state}`);
    return id;
  }

  /** Crashes as often as it takes for the service to be given up. */
  wearOut(id: string, name: string, end: ServiceEnd = crashed): number {
    for (let restarts = 0; ; restarts++) {
      this.ended(id, name, end);
      if (this.states(id)[name] !== "delayed") return restarts;
      this.pass((this.agent(id).services.get(name)?.dueAtMs ?? 0) - this.nowMs);
      // It was a rung that waited.
      if (this.states(id)[name] !== "starting") return restarts;
      this.began(id, name);
    }
  }

  lifeOf(agent: string, name: string): number {
    return this.agent(agent).services.get(name)?.life ?? 0;
  }
}
