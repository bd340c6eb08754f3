// Ports behind which several instances of a service stand: the keeper is told which of them are well, whenever that changes.

import { Fault } from "../../base/fault.ts";
import { type Agent, portKey } from "../../core/agent/agent-state.ts";
import type { State } from "../../core/state.ts";
import { sharersOf, instancesOf } from "../../core/agent/instances.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { numberOf } from "./service-order.ts";

export type SharedPort = { readonly service: string; readonly name: string; readonly port: number };

/** The ports of services of which there are several instances. */
export function sharedPortsOf({ spec, ports }: Agent): SharedPort[] {
  return spec.services.flatMap((service) =>
    instancesOf(service).length === 1
      ? []
      : service.ports.flatMap((name) => {
          const port = ports.get(portKey(service.name, name));
          return port === undefined ? [] : [{ service: service.name, name, port }];
        }),
  );
}

type SharedPortsParts = {
  readonly state: () => Pick<State, "agents" | "seq">;
  readonly keeperOf: (agent: Agent) => Promise<KeeperLine>;
};

export class SharedPorts {
  readonly #parts: SharedPortsParts;

  constructor(parts: SharedPortsParts) {
    this.#parts = parts;
  }

  /**
   * Sees that ports of the machine lead to each instance that there is now, and to none that is gone. One that cannot be had, or a keeper
   * of an earlier release, leaves an instance without a number of its own there; callers of the service are brought to it all the same.
   */
  async lead(id: string): Promise<void> {
    const { agents, seq } = this.#parts.state();
    const agent = agents.get(id);
    if (agent?.isMade !== true) return;
    const keeper = await this.#parts.keeperOf(agent);
    await keeper.request({ op: "ways", ports: [...agent.ports.values()], version: seq }).catch((error: unknown) => {
      if (!(error instanceof Fault) || error.code !== "bad-request") throw error;
    });
  }

  /** Brings callers of a service to those of its instances that are well now. */
  async bring(id: string, service: string): Promise<void> {
    // What has changed while it was said is said again: whoever else wanted to may have seen that somebody is at it.
    for (let said: string | undefined; ;) {
      const { agents, seq } = this.#parts.state();
      const agent = agents.get(id);
      if (agent?.isMade !== true) return;
      const orders = ordersOf(agent, service);
      if (orders.length === 0 || said === JSON.stringify(orders)) return;
      said = JSON.stringify(orders);
      const keeper = await this.#parts.keeperOf(agent);
      await Promise.all(orders.map((order) => keeper.request({ op: "share", ...order, version: seq })));
    }
  }
}

function ordersOf(agent: Agent, service: string): { readonly port: number; readonly to: readonly number[] }[] {
  const instances = sharersOf(agent, service).map(({ spec }) => spec.name);
  const shared = sharedPortsOf(agent).filter((each) => each.service === service);
  return shared.map(({ port, name }) => ({
    port,
    to: instances.flatMap((instance) => numberOf(agent, instance, name) ?? []),
  }));
}
