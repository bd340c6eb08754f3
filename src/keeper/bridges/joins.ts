// What joins an agent to others: ports on its own loopback that lead to services of theirs, sockets at which theirs are let
// in to its services, and the names of those services. The other end of each is another agent's keeper, so it stays while
// daemons come and go. Whom it is joined to is said from outside, and may change at any moment.

import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { Fault } from "../../base/fault.ts";
import { Turns } from "../../base/turns.ts";
import { bridgeGreeting } from "../../protocol/keeper/bridge-greeting.ts";
import type { Bridge, JoinOrder } from "../../protocol/keeper/keeper-wire.ts";
import { ownFiles } from "../cage/cage-etc.ts";
import { toMessage } from "../os/errno.ts";
import type { Bridges } from "./bridges.ts";

type Network = { readonly pid: number; readonly gone: Promise<unknown> };

export type JoinsParts = {
  /** The file that is shown as /etc/hosts inside. */
  readonly hosts: string;
  readonly open: (network: Network, bridges: readonly Bridge[]) => Promise<Bridges>;
  /** The network inside, where there is one now. */
  readonly network: () => Network | undefined;
  /** Carries what comes to a server to that port inside. */
  readonly welcome: (server: Server, port: number) => void;
};

type Way = { readonly order: readonly Bridge[]; network: Network | undefined; bridges: Bridges | undefined };
type Entry = { readonly server: Server; readonly sockets: Set<Socket> };

const none: JoinOrder = { version: 0, hosts: [], peers: [], admits: [] };

export class Joins {
  readonly #parts: JoinsParts;
  readonly #turns = new Turns();
  #order = none;
  /** By the agent that they lead to. */
  readonly #ways = new Map<string, Way>();
  /** By their sockets. */
  readonly #entries = new Map<string, Entry>();

  constructor(parts: JoinsParts) {
    this.#parts = parts;
    writeFileSync(parts.hosts, hostsText([]), { mode: 0o644 });
  }

  /** Whom it is joined to, from now on. Whoever it is not joined to any more is cut off when this is answered. */
  set(order: JoinOrder): Promise<void> {
    return this.#turns.take("set", async () => {
      // Overtaken: somebody has said something newer.
      if (order.version < this.#order.version) return;
      this.#order = order;
      this.#cutOff(order);
      this.#writeHosts(order.hosts);
      for (const { port, socket } of order.admits) if (!this.#entries.has(socket)) await this.#admit(port, socket);
      for (const { agent, bridges } of order.peers)
        if (!this.#ways.has(agent)) this.#ways.set(agent, { order: bridges, network: undefined, bridges: undefined });
      const network = this.#parts.network();
      if (network !== undefined) await this.#openAll(network);
    });
  }

  /** The network inside is a new one: nothing leads out of it yet. */
  began(network: Network): Promise<void> {
    return this.#turns.take("set", () => this.#openAll(network));
  }

  close(): void {
    this.#cutOff(none);
  }

  /** One that cannot be opened does not keep the others from being. */
  async #openAll(network: Network): Promise<void> {
    const failed: string[] = [];
    for (const way of this.#ways.values()) {
      if (way.network === network || way.order.length === 0) continue;
      way.bridges?.close();
      way.network = undefined;
      try {
        const bridges = await this.#parts.open(network, way.order);
        Object.assign(way, { bridges, network });
        // Whatever listens there would keep the network from going.
        void network.gone.then(() => bridges.close());
      } catch (error) {
        failed.push(toMessage(error));
      }
    }
    if (failed.length > 0) throw new Fault("cage-failed", { retry: "later", message: failed.join("; ") });
  }

  #cutOff({ peers, admits }: JoinOrder): void {
    for (const [agent, way] of this.#ways) {
      const wanted = peers.find((peer) => peer.agent === agent)?.bridges;
      if (JSON.stringify(wanted) === JSON.stringify(way.order)) continue;
      way.bridges?.close();
      this.#ways.delete(agent);
    }
    for (const [socket, { server, sockets }] of this.#entries) {
      if (admits.some((each) => each.socket === socket)) continue;
      server.close();
      for (const each of sockets) each.destroy();
      this.#entries.delete(socket);
    }
  }

  async #admit(port: number, socket: string): Promise<void> {
    const server = createServer({ allowHalfOpen: true });
    const sockets = new Set<Socket>();
    server.on("connection", (caller: Socket) => {
      sockets.add(caller);
      caller.once("close", () => sockets.delete(caller));
      caller.write(bridgeGreeting);
    });
    mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
    rmSync(socket, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.on("error", reject);
      server.listen(socket, () => resolve());
    });
    // Nobody but keepers of the same user comes here.
    chmodSync(socket, 0o600);
    this.#parts.welcome(server, port);
    this.#entries.set(socket, { server, sockets });
  }

  /** In place: whoever runs inside has this very file before their eyes. */
  #writeHosts(names: readonly string[]): void {
    const text = Buffer.from(hostsText(names));
    const file = openSync(this.#parts.hosts, "r+");
    try {
      writeSync(file, text, 0, text.length, 0);
      ftruncateSync(file, text.length);
    } finally {
      closeSync(file);
    }
  }
}

/** Ports differ between all agents of a machine, so one address is enough for all names. */
function hostsText(names: readonly string[]): string {
  return (ownFiles()["hosts"] ?? "") + names.map((name) => `127.0.0.1 ${name}\n`).join("");
}
