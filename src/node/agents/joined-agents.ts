// Agents that see each other's services: what their keepers are told of that, and what programs inside are.

import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { socketPathBytesMax } from "../../base/socket-path.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { joinedHost, joinedWith, type OpenPort, openPortsOf, reachedPortsOf } from "../../core/agent/joins.ts";
import type { State } from "../../core/state.ts";
import type { JoinOrder } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { toVariable } from "./service-order.ts";

export type JoinedAgentsParts = {
  /** Where the sockets are at which agents let each other in, each in a folder of its agent. */
  readonly folder: string;
  readonly state: () => State;
  readonly keeperOf: (agent: Agent) => Promise<KeeperLine>;
};

export class JoinedAgents {
  readonly #parts: JoinedAgentsParts;

  constructor(parts: JoinedAgentsParts) {
    this.#parts = parts;
  }

  /** Whom an agent is joined to now, as its keeper has to know it. */
  orderOf(agent: Agent): JoinOrder {
    const state = this.#parts.state();
    const peers = joinedWith(state, agent);
    return {
      version: state.seq,
      hosts: peers.flatMap((peer) => [
        ...new Set(openPortsOf(peer).map(({ service }) => joinedHost(service, peer.name))),
      ]),
      peers: peers.map((peer) => ({ agent: peer.id, bridges: this.#waysTo(peer, reachedPortsOf(peer)) })),
      admits: peers.length === 0 ? [] : this.#waysTo(agent, openPortsOf(agent)),
    };
  }

  /** Tells the keeper of an agent whom that is joined to now. */
  async tell(id: string): Promise<void> {
    // What has changed while it was said is said again: whoever else wanted to may have seen that somebody is at it.
    for (let said: string | undefined; ;) {
      const agent = this.#parts.state().agents.get(id);
      if (agent?.isMade !== true) return;
      const joined = this.orderOf(agent);
      const { version: _, ...what } = joined;
      if (said === JSON.stringify(what)) return;
      said = JSON.stringify(what);
      const keeper = await this.#parts.keeperOf(agent);
      await keeper.request({ op: "join", joined }).catch((error: unknown) => {
        // A keeper of a release that knew of no joins has none to undo.
        if (!(error instanceof Fault) || error.code !== "bad-request" || joined.peers.length > 0) throw error;
      });
    }
  }

  #waysTo(agent: Agent, ports: readonly OpenPort[]): { readonly port: number; readonly socket: string }[] {
    return ports.map(({ number }) => {
      const socket = join(this.#parts.folder, agent.id, `${number}.sock`);
      if (Buffer.byteLength(socket) <= socketPathBytesMax) return { port: number, socket };
      const message = `${socket} is too long a path for a socket: put the daemon's home elsewhere`;
      throw new Fault("home-too-long", { retry: "never", message });
    });
  }
}

/** What everything in an agent is told of services of others: DB_1_PG_HOST, DB_1_PG_PORT and DB_1_PG_URL. */
export function joinedEnvOf(state: State, agent: Agent): Record<string, string> {
  const found = joinedWith(state, agent).flatMap((peer) =>
    openPortsOf(peer).flatMap(({ service, port, number }) => {
      const isOnly = peer.spec.services.find(({ name }) => name === service)?.ports.length === 1;
      const name = `${toVariable(peer.name)}_${toVariable(service)}`;
      const more = isOnly ? "" : `_${toVariable(port)}`;
      const host = joinedHost(service, peer.name);
      return [
        [`${name}_HOST`, host] as const,
        [`${name}_PORT${more}`, String(number)] as const,
        [`${name}_URL${more}`, `http://${host}:${number}`] as const,
      ];
    }),
  );
  return Object.fromEntries(found);
}

/** The same for people and models, a line for each service. */
export function tellJoined(state: State, agent: Agent): string[] {
  return joinedWith(state, agent).flatMap((peer) =>
    openPortsOf(peer).map(
      ({ service, port, number }) =>
        `${service} of the agent ${peer.name}: ${port} at ${joinedHost(service, peer.name)}:${number}`,
    ),
  );
}
