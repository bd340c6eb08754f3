// Everyone who wants something from the daemon: people and clients, each at a pace of their own. They go home for the
// night, and when the world heals they only finish what was begun.

import type { Prng } from "../../src/base/prng.ts";
import { Client } from "./clients.ts";
import type { Depot } from "./depot.ts";
import type { Faults } from "./faults.ts";
import type { LogModel } from "./log-model.ts";
import type { WorldOptions } from "./options.ts";
import { Owners } from "./owners.ts";
import { People, type PeopleWorld } from "./people.ts";
import type { Scheduler } from "./scheduler.ts";
import { pathPool } from "./script.ts";
import type { SimBus } from "./sim-bus.ts";

export type CrowdWorld = {
  readonly options: WorldOptions;
  readonly prng: Prng;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly bus: SimBus;
  readonly model: LogModel;
  readonly nodes: readonly string[];
  readonly clearByHand: PeopleWorld["clearByHand"];
  readonly depot: Depot;
  readonly report: (kind: string, sentence: string) => void;
};

const careEveryMs = 15_000;

export class Crowd {
  readonly #world: CrowdWorld;
  readonly #people: People;
  readonly #owners: Owners | undefined;
  readonly #clients: readonly Client[];
  #isAsleep = false;

  constructor(world: CrowdWorld) {
    const { options, prng, bus, model, nodes, clearByHand, depot, report } = world;
    const paths = pathPool(options.fewUnits);
    this.#world = world;
    this.#people = new People(
      {
        bus,
        model,
        paths,
        nodes,
        agentsMax: options.agents,
        clearByHand,
        depot,
        lodging: prng.stream("lodging"),
        worksByHand: options.worksByHand,
        stepsBack: options.stepsBack,
      },
      prng.stream("people"),
    );
    const { livingAgents: agentsMax } = options;
    if (agentsMax > 0)
      this.#owners = new Owners({ bus, model, nodes, agentsMax, depot, report }, prng.stream("owners"));
    this.#clients = Array.from(
      { length: options.clients },
      (_, at) => new Client(`c${at + 1}`, { bus, model, paths }, prng.stream(`client ${at}`)),
    );
  }

  commitByHand(): void {
    this.#people.commitByHand();
  }

  sleep(isAsleep: boolean): void {
    this.#isAsleep = isAsleep;
    if (isAsleep) this.#people.pauseSome();
  }

  start(): void {
    const { options } = this.#world;
    for (let left = options.projects; left > 0; left--) this.#people.addProject();
    this.#people.makeTeam();
    if (options.reviewed) this.#people.askForApproval();
    this.#busy(this.#people, "people", 1);
    if (this.#owners !== undefined) this.#busy(this.#owners, "owners", 3);
    this.#clients.forEach((client, at) => this.#busy(client, `client ${at}`, 2));
  }

  /** Gives everyone what they wait for, and gives back what is held, again and again. */
  finish(isOpen: () => boolean): void {
    const { scheduler } = this.#world;
    const care = (): void => {
      if (isOpen()) {
        this.#people.attendAll();
        this.#owners?.attendAll();
        this.#people.clear("outside");
        for (const client of this.#clients) client.letGo();
      }
      scheduler.after(careEveryMs, care);
    };
    care();
  }

  #busy(actor: { doSomething(): void }, name: string, slowness: number): void {
    const { prng, scheduler, faults, options } = this.#world;
    const pace = prng.stream(`pace of ${name}`);
    const again = (): void => {
      const delayMs = pace.between(1, 2 * options.paceMs * slowness);
      scheduler.after(this.#isAsleep ? 60_000 + delayMs : delayMs, () => {
        if (!faults.on) return;
        if (!this.#isAsleep) actor.doSomething();
        again();
      });
    };
    again();
  }
}
