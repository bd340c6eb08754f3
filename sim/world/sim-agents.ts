// Living agents on a simulated machine: places that are made, services that crash, hang and recover. A process outlives the
// daemon and not the machine; how each ended is in the machine's journal.

import type { AgentAct } from "../../src/core/acts.ts";
import type { ServiceEnd } from "../../src/core/agent/agent-state.ts";
import type { Input } from "../../src/core/inputs.ts";
import type { ModelAgent, ModelService } from "./agent-model.ts";
import { placeOf } from "./run-model.ts";
import type { NodeWorld } from "./sim-node.ts";

/** A process of a service. */
export type Served = { readonly agent: string; readonly service: string; readonly life: number; readonly node: string };

/** What a machine lends to the agents on it. */
export type AgentMachine = {
  readonly name: string;
  readonly world: NodeWorld;
  after(delayMs: number, run: () => void): void;
  /** Ends whatever of a run is on it. */
  end(run: string): void;
  ask(input: Input, onOutcome: () => void): void;
};

const killed: ServiceEnd = { exit: 143, why: "stopped", said: "" };
const lost: ServiceEnd = { exit: "unknown", why: "lost", said: "" };
/** Of one that was never begun. */
const notStarted: ServiceEnd = { exit: "unknown", why: "not-started", said: "" };
const crashes: readonly ServiceEnd[] = [
  { exit: 0, why: "ended", said: "" },
  { exit: 1, why: "ended", said: "no" },
  { exit: 1, why: "ended", said: "no" },
  { exit: 127, why: "ended", said: "not found" },
  { exit: 137, why: "out-of-memory", said: "" },
];

const greedy: ServiceEnd = { exit: 137, why: "out-of-memory", said: "" };

/** Of services with a limit of memory that is their own. */
const bursts: readonly ServiceEnd[] = [...crashes.slice(0, 2), ...[greedy, greedy, greedy]];

export class SimAgents {
  readonly #machine: AgentMachine;
  /** Processes by their call, and how those that are over ended. */
  readonly #journal = new Map<string, Served & { end: ServiceEnd | null }>();

  constructor(machine: AgentMachine) {
    this.#machine = machine;
  }

  perform(act: AgentAct, tell: (input: Input) => void, forget: () => void): void {
    const { world, name: node } = this.#machine;
    const { prng } = world;
    const delayMs = prng.between(0, prng.pick([50, 500, 5000]));
    this.#machine.after(delayMs, () => {
      const agent = this.#agentOf(act);
      if (agent === undefined) return forget();
      const { life } = agent;
      const base = { agent: act.agent, life } as const;
      switch (act.type) {
        case "make":
          if (agent.state !== "spawning" || agent.isMade) return forget();
          // Also one that is not made whole leaves files behind.
          world.services.placed(agent.id);
          if (!world.isHurt() || !prng.chance(0.15)) return tell({ type: "agent.made", ...base });
          return tell({ type: "agent.unmade", ...base, what: "no", ...this.#trouble(agent) });
        case "hook":
          if (agent.hook !== act.hook || agent.state === "stopping") return forget();
          return tell({ type: "hook.end", agent: act.agent, hook: act.hook, number: act.number, end: this.#hookEnd() });
        case "assist": {
          const isMissing = world.isHurt() && prng.chance(0.2);
          const chosen = { runner: isMissing ? null : "claude", what: isMissing ? "no" : "" };
          return tell({ type: "assistant.choose", agent: act.agent, number: act.number, ...chosen });
        }
        case "serve": {
          const service = this.#serviceOf(agent, act);
          if (agent.state === "stopping" || !["starting", "up"].includes(service?.state ?? "")) return forget();
          return this.#serve({ agent: agent.id, service: act.service, life: act.serviceLife, node }, tell);
        }
        case "leave": {
          if (this.#serviceOf(agent, act)?.state !== "stopping") return forget();
          const end = this.#end(callOf(act.agent, act.service, act.serviceLife), killed) ?? notStarted;
          return tell(endedOf({ agent: agent.id, service: act.service, life: act.serviceLife, node }, end));
        }
        case "adapt":
        case "share":
        case "bound":
        case "join":
          return forget();
        case "unmake":
          if (agent.state !== "stopping") return forget();
          for (const [call, served] of this.#journal) if (served.agent === agent.id) this.#end(call, killed);
          if (act.how !== "session") this.#endRuns(agent.id);
          if (act.how === "files") world.services.cleared(agent.id);
          if (act.how === "temporary") world.sometimes("temporary files taken away");
          return tell({ type: "agent.ended", ...base, cleared: act.how === "files", ...this.#others(agent) });
      }
    });
  }

  /** Ports for one that is to have others; sometimes there are too few. */
  #others({ awaitsPorts }: ModelAgent): { readonly offered?: number[] } {
    if (!awaitsPorts) return {};
    const { ills } = this.#machine.world;
    // Somebody may have taken one of them meanwhile.
    const taken = [...this.#machine.world.model.agents.values()].flatMap(({ ports }) => Object.values(ports));
    const free = Array.from({ length: ills.between(0, 8) }, () => ills.between(1, 40));
    return { offered: ills.chance(0.5) ? [...taken, ...free] : free };
  }

  /** Mostly as services end; now and then for something that they say. */
  #endOf({ agent: id, service }: Served, usual: ServiceEnd): ServiceEnd {
    const { ills: prng } = this.#machine.world;
    const agent = this.#machine.world.model.agents.get(id);
    // Who has eaten too much once mostly does so again.
    if (agent?.services.get(service)?.isBounded === true && prng.chance(0.8)) return greedy;
    if (!prng.chance(0.6)) return usual;
    const own = Object.entries(agent?.ports ?? {}).filter(([key]) => key.startsWith(`${service}.`));
    const taken = own[0]?.[1];
    if (taken !== undefined && prng.chance(0.4))
      return { exit: 1, why: "ended", said: `listen EADDRINUSE: address already in use port ${taken}` };
    const said = prng.pick([
      "connect ECONNREFUSED 127.0.0.1:5432",
      "listen EADDRINUSE: address already in use port 9999",
      "write: No space left on device",
      "open: Permission denied",
    ]);
    if (prng.chance(0.1)) return { exit: 137, why: "out-of-disk", said: "" };
    return { exit: 1, why: "ended", said };
  }

  #hookEnd(): ServiceEnd {
    const { world } = this.#machine;
    const [well = lost] = crashes;
    return world.isHurt() && world.prng.chance(0.3) ? world.prng.pick(crashes) : well;
  }

  /** The machine dies, and every process with it. */
  crash(): void {
    for (const call of this.#journal.keys()) this.#end(call, lost);
  }

  /** It looks through its journal, and says what became of whom. */
  boot(): void {
    for (const served of this.#journal.values())
      if (served.end !== null) this.#machine.ask(endedOf(served, served.end), () => undefined);
  }

  /** What runs in a place that is ended, ends with it. */
  #endRuns(agent: string): void {
    const { model } = this.#machine.world;
    for (const run of model.runs.values()) if (placeOf(model, run) === agent) this.#machine.end(run.id);
  }

  #agentOf({ agent: id, life }: AgentAct): ModelAgent | undefined {
    const agent = this.#machine.world.model.agents.get(id);
    return agent?.life === life ? agent : undefined;
  }

  #serviceOf(agent: ModelAgent, act: { service: string; serviceLife: number }): ModelService | undefined {
    const service = agent.services.get(act.service);
    return service?.life === act.serviceLife ? service : undefined;
  }

  #trouble(agent: ModelAgent): { readonly taken: number[]; readonly offered: number[] } {
    const { prng } = this.#machine.world;
    const [taken] = Object.values(agent.ports);
    if (taken === undefined || prng.chance(0.3)) return { taken: [], offered: [] };
    return { taken: [taken], offered: [prng.between(1, 40), prng.between(1, 40), prng.between(1, 40)] };
  }

  #serve(served: Served, tell: (input: Input) => void): void {
    const call = callOf(served.agent, served.service, served.life);
    const known = this.#journal.get(call);
    const { world } = this.#machine;
    if (known === undefined) {
      this.#journal.set(call, { ...served, end: null });
      world.services.began(served);
      world.sometimes("service started");
      this.#live(call, served);
    }
    const end = this.#journal.get(call)?.end ?? null;
    const { agent, service, life } = served;
    tell(end === null ? { type: "service.began", agent, service, life } : endedOf(served, end));
  }

  /** What it does while it runs: it comes to be well, hangs, or ends by itself. */
  #live(call: string, served: Served): void {
    const { world } = this.#machine;
    const { prng } = world;
    const { agent, service, life } = served;
    const isThere = (): boolean => this.#journal.get(call)?.end === null;
    const judge = (healthy: boolean): void => {
      if (isThere())
        this.#machine.ask({ type: "service.judge", agent, service, life, healthy, what: "" }, () => undefined);
    };
    const goOn = (): void =>
      this.#machine.after(prng.between(10, 20_000), () => {
        if (!isThere()) return;
        if (world.lodging.chance(0.3)) world.depot.scribble(agent, world.lodging);
        const roll = prng.unit();
        if (!world.isHurt()) judge(true);
        else if (roll < 0.25) judge(false);
        else if (roll < 0.5) judge(true);
        else if (roll > 0.7) {
          const isBounded = world.model.agents.get(agent)?.services.get(service)?.isBounded === true;
          const end = this.#end(call, this.#endOf(served, prng.pick(isBounded ? bursts : crashes))) ?? lost;
          return this.#machine.ask(endedOf(served, end), () => undefined);
        }
        // Once the world is well, one good word is enough.
        if (world.isHurt()) goOn();
        else this.#machine.after(60_000, () => judge(true));
      });
    this.#machine.after(prng.between(10, 2000), () => {
      judge(!world.isHurt() || prng.chance(0.9));
      goOn();
    });
  }

  /** How it ended, now or before; undefined where it never began. */
  #end(call: string, end: ServiceEnd): ServiceEnd | undefined {
    const served = this.#journal.get(call);
    if (served?.end !== null) return served?.end;
    served.end = end;
    this.#machine.world.services.ended(served);
    return end;
  }
}

function endedOf({ agent, service, life }: Served, end: ServiceEnd): Input {
  return { type: "service.ended", agent, service, life, end };
}

function callOf(agent: string, service: string, life: number): string {
  return `${agent}/${service}@${life}`;
}
