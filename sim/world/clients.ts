// People and scripts outside, who claim units by name. They repeat themselves when no answer comes, change their minds
// while a grant is on its way, and use claims that are long over.

import type { Prng } from "../../src/base/prng.ts";
import type { Given, MakeClaim } from "../../src/core/inputs.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import type { LogModel } from "./log-model.ts";
import { pickUnits } from "./script.ts";
import type { SimBus } from "./sim-bus.ts";

export type ClientWorld = {
  readonly bus: SimBus;
  readonly model: LogModel;
  readonly paths: readonly string[];
};

export class Client {
  readonly #name: string;
  readonly #world: ClientWorld;
  readonly #prng: Prng;
  readonly #made: MakeClaim[] = [];
  readonly #claims: string[] = [];
  #keys = 0;

  constructor(name: string, world: ClientWorld, prng: Prng) {
    this.#name = name;
    this.#world = world;
    this.#prng = prng;
  }

  doSomething(): void {
    const prng = this.#prng;
    const roll = prng.unit();
    if (roll < 0.4 || this.#claims.length === 0) return this.#make();
    if (roll < 0.48) return this.#repeat();
    const claim = prng.chance(0.7) ? (this.#claims.at(-1) ?? "") : prng.pick(this.#claims);
    if (roll < 0.6) return this.#send({ type: "claim.cancel", claim });
    if (roll < 0.75) {
      const ttlMs = prng.chance(0.2) ? prng.between(1000, 20_000) : null;
      return this.#send({ type: "lease.renew", claim, ttlMs });
    }
    const units = prng.chance(0.3) ? pickUnits(prng, this.#world.paths, 1) : null;
    this.#send({ type: "lease.release", claim, units });
  }

  /** Gives back whatever it may have. */
  letGo(): void {
    for (const claim of this.#claims) {
      const states = this.#world.model.claims.get(claim)?.states;
      const family = this.#world.model.families.get(this.#world.model.claims.get(claim)?.family ?? "");
      if (states !== undefined && family?.life !== "over") this.#send({ type: "lease.release", claim, units: null });
    }
  }

  #make(): void {
    const prng = this.#prng;
    const projects = [...this.#world.model.projects.values()].filter((project) => !project.removed);
    if (projects.length === 0) return;
    const named = prng.chance(0.8);
    const units = pickUnits(prng, this.#world.paths, 3).map((unit) => (prng.chance(0.1) ? misspell(unit) : unit));
    const request: MakeClaim = {
      type: "claim.make",
      project: prng.pick(projects).id,
      as: named ? this.#name : null,
      units: prng.chance(0.02) ? ["file:../outside"] : units,
      priority: prng.between(0, 3),
      key: named && prng.chance(0.6) ? `k${this.#keys++}` : null,
      mode: prng.chance(0.25) ? "try" : "wait",
      ttlMs: prng.pick([5000, 15_000, 60_000]),
      waitMs: prng.chance(0.4) ? prng.between(100, 40_000) : null,
    };
    this.#made.push(request);
    this.#claim(request);
    // Some ask twice at once, as a proxy would.
    if (request.key !== null && prng.chance(0.1)) this.#claim(request);
  }

  #repeat(): void {
    const keyed = this.#made.filter((request) => request.key !== null);
    if (keyed.length === 0) return this.#make();
    const request = this.#prng.pick(keyed);
    this.#claim(this.#prng.chance(0.2) ? { ...request, priority: request.priority + 1 } : request);
  }

  #claim(request: MakeClaim): void {
    const tries = request.key === null ? 1 : 3;
    this.#world.bus.ask(this.#by(request), {
      tries,
      onOutcome: (outcome: Outcome) => {
        if (!outcome.ok || outcome.value.of !== "claim") return;
        const { claim } = outcome.value.claim;
        if (!this.#claims.includes(claim)) this.#claims.push(claim);
        if (this.#prng.chance(0.15)) this.#send({ type: "claim.cancel", claim });
      },
    });
  }

  #send(input: Given["input"]): void {
    this.#world.bus.ask(this.#by(input), { tries: 2, onOutcome: () => undefined });
  }

  #by(input: Given["input"]): Given {
    return { actor: `person:${this.#name}`, input };
  }
}

function misspell(unit: string): string {
  return unit.startsWith("process:") ? unit : unit.replace(":", ":./").replaceAll("/", "//");
}
