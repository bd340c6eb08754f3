// Which processes of services there are, on all machines: what nobody who decides can see.

import type { Served } from "./sim-agents.ts";

export class Services {
  readonly #alive = new Map<string, Served>();
  /** Agents that have files on a machine. */
  readonly #places = new Set<string>();
  readonly #onTwice: (first: Served, second: Served) => void;

  constructor(onTwice: (first: Served, second: Served) => void) {
    this.#onTwice = onTwice;
  }

  began(served: Served): void {
    for (const other of this.#alive.values())
      if (other.agent === served.agent && other.service === served.service) this.#onTwice(other, served);
    this.#alive.set(keyOf(served), served);
  }

  ended(served: Served): void {
    this.#alive.delete(keyOf(served));
  }

  placed(agent: string): void {
    this.#places.add(agent);
  }

  cleared(agent: string): void {
    this.#places.delete(agent);
  }

  hasPlace(agent: string): boolean {
    return this.#places.has(agent);
  }

  /** One that an agent has. */
  of(agent: string): Served | undefined {
    return [...this.#alive.values()].find((served) => served.agent === agent);
  }

  /** The life of a service that runs. */
  alive(agent: string, service: string): number | undefined {
    return [...this.#alive.values()].find((served) => served.agent === agent && served.service === service)?.life;
  }
}

function keyOf({ agent, service, life }: Served): string {
  return `${agent}/${service}@${life}`;
}
