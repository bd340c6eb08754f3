// Ways into the agent's network: ports of the machine's loopback, each of which leads to the same port inside. They are
// the keeper's, so that they stay while daemons come and go, and while everything inside is ended and begun anew.

import { createServer, type Server, type Socket } from "node:net";
import { Fault } from "../../base/fault.ts";
import type { TakenPort } from "../../protocol/keeper/keeper-wire.ts";
import { KeeperFault } from "../keeper-fault.ts";
import { isErrno, toMessage } from "../os/errno.ts";

/** Undefined where there is nobody to connect to. */
export type ConnectInside = (port: number, signal: AbortSignal) => Promise<Socket | undefined>;

/** Ports of the machine, at these addresses of its loopback. */
export type OuterPorts = { readonly ports: readonly number[]; readonly hosts: readonly string[] };

/** Of one port. What comes beyond is closed at once: somebody would fill the keeper's memory. */
const connectionsMax = 256;

export class WaysIn {
  readonly #connect: ConnectInside;
  readonly #hosts: readonly string[];
  readonly #servers = new Set<Server>();
  readonly #sockets = new Set<Socket>();
  /** The servers of each port of the machine. */
  readonly #taken = new Map<number, readonly Server[]>();
  #version = 0;
  #line: Promise<unknown> = Promise.resolve();

  private constructor(connect: ConnectInside, hosts: readonly string[]) {
    this.#connect = connect;
    this.#hosts = hosts;
  }

  /** Takes all of the ports, or none. */
  static async open({ ports, hosts }: OuterPorts, connect: ConnectInside): Promise<WaysIn> {
    const opened = new WaysIn(connect, hosts);
    try {
      for (const port of new Set(ports)) await opened.#take(port);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  /**
   * Leads inside from these ports, from now on, and from no others: whoever is connected stays so. Answers those that cannot be
   * had. Of two that overtake each other, the higher version counts.
   */
  set(ports: readonly number[], version: number): Promise<number[]> {
    const turn = this.#line.then(async () => {
      if (version < this.#version) return [];
      this.#version = version;
      for (const port of this.#taken.keys()) if (!ports.includes(port)) this.#giveBack(port);
      const lacking: number[] = [];
      for (const port of new Set(ports))
        if (!this.#taken.has(port)) await this.#take(port).catch(() => lacking.push(port));
      return lacking;
    });
    this.#line = turn;
    return turn;
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Carries what comes to a server like what comes to that port of the machine. */
  serve(server: Server, port: number, carried = new Set<Socket>()): void {
    this.#servers.add(server);
    server.once("close", () => this.#servers.delete(server));
    server.on("connection", (outside: Socket) => {
      this.#keep(outside);
      if (carried.size >= connectionsMax) return cutOff(outside);
      carried.add(outside);
      outside.once("close", () => carried.delete(outside));
      // A socket that was listened on elsewhere knows nothing of this.
      outside.allowHalfOpen = true;
      void this.#carry(outside, port);
      return undefined;
    });
  }

  async #take(port: number): Promise<void> {
    const carried = new Set<Socket>();
    const servers: Server[] = [];
    try {
      for (const host of this.#hosts) {
        const server = await listen(host, port);
        if (server === undefined) continue;
        this.serve(server, port, carried);
        servers.push(server);
      }
    } catch (error) {
      // Half of it would lead inside, and nobody would know.
      for (const server of servers) server.close();
      throw error;
    }
    this.#taken.set(port, servers);
  }

  #giveBack(port: number): void {
    for (const server of this.#taken.get(port) ?? []) server.close();
    this.#taken.delete(port);
  }

  async #carry(outside: Socket, port: number): Promise<void> {
    const over = new AbortController();
    const leave = (): void => over.abort();
    outside.once("close", leave);
    const inside = await this.#connect(port, over.signal).catch(() => undefined);
    outside.off("close", leave);
    // As it would be without us, as nearly as we can: we have taken the connection already.
    if (inside === undefined) return cutOff(outside);
    this.#keep(inside);
    if (outside.destroyed) return void inside.destroy();
    // Half of a connection may be over while the other goes on.
    inside.allowHalfOpen = true;
    inside.pipe(outside).pipe(inside);
    passEnd({ from: inside, to: outside });
    passEnd({ from: outside, to: inside });
    return undefined;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** Whoever is cut off shall not take what came so far for the whole. */
function passEnd({ from, to }: { readonly from: Socket; readonly to: Socket }): void {
  from.once("close", (wasCutOff) => (wasCutOff ? cutOff(to) : to.destroySoon()));
}

/** As hard as its kind of socket can be: only those of the network can be reset. */
function cutOff(socket: Socket): void {
  if (socket.remoteFamily === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

/** Undefined where the machine does not have the address. */
function listen(host: string, port: number): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  return new Promise((resolve, reject) => {
    // Also later: where the process has no handles left, a connection fails, and no more than that.
    server.on("error", (error) => {
      if (isErrno(error, "EADDRNOTAVAIL", "EAFNOSUPPORT")) resolve(undefined);
      else reject(toFault(port, error));
    });
    server.listen({ host, port, backlog: 128 }, () => resolve(server));
  });
}

function toFault(port: number, error: Error): Fault {
  const message = `port ${port} of this machine cannot be taken: ${toMessage(error)}`;
  const data: TakenPort = { port };
  if (isErrno(error, "EADDRINUSE", "EACCES")) return new KeeperFault("port-taken", { message, data });
  return new Fault("cage-failed", { retry: "later", cause: error, message });
}
