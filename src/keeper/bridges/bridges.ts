// Ways out of the agent's network, each to one Unix socket of the machine that is never shown inside. Whoever listens on
// that socket may come and go: a connection that is wanted meanwhile waits a while for it.

import { spawn } from "node:child_process";
import { connect, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { bridgeGreeting } from "../../protocol/keeper/bridge-greeting.ts";
import type { Bridge } from "../../protocol/keeper/keeper-wire.ts";
import { plainEnv, programPath } from "../os/run-program.ts";
import type { HeldRequests } from "./held-requests.ts";
import type { Listening } from "./listen-inside.ts";

const program = join(import.meta.dirname, "listen-inside.ts");
const startMsMax = 20_000;
/** How long a connection waits for somebody on the other side: a daemon that is started again takes a few seconds. */
const patienceMs = 20_000;
const lookEveryMs = 100;
/** Of one bridge. What comes beyond is closed at once: the agent would fill the keeper's memory. */
const connectionsMax = 256;
/** Of one that holds requests. */
const heldMax = 64;

export class Bridges {
  readonly #servers: ReadonlyMap<number, Server>;
  readonly #sockets = new Set<Socket>();
  readonly #held: HeldRequests[] = [];
  #isClosed = false;

  private constructor(servers: ReadonlyMap<number, Server>) {
    this.#servers = servers;
  }

  /** Listens in the network of a process. When it resolves, whoever connects inside is served. */
  static async open(holder: { readonly pid: number }, bridges: readonly Bridge[]): Promise<Bridges> {
    const ports = bridges.map(({ port }) => port);
    const opened = new Bridges(await listenInside(holder.pid, ports));
    for (const bridge of bridges) await opened.#serve(bridge);
    return opened;
  }

  close(): void {
    this.#isClosed = true;
    for (const server of this.#servers.values()) server.close();
    for (const held of this.#held) held.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve({ port, socket, holds }: Bridge): Promise<void> {
    const server = this.#servers.get(port);
    if (server === undefined) throw failed(port, "nothing listens there");
    server.maxConnections = holds ? heldMax : connectionsMax;
    if (!holds) return void server.on("connection", (inside: Socket) => void this.#carry(inside, socket));
    // Most keepers carry nothing but bytes.
    const { HeldRequests } = await import("./held-requests.ts");
    const held = new HeldRequests(socket);
    this.#held.push(held);
    server.on("connection", (inside: Socket) => {
      this.#keep(inside);
      held.take(inside);
    });
    return undefined;
  }

  async #carry(inside: Socket, path: string): Promise<void> {
    this.#keep(inside);
    // Half of a connection may be over while the other goes on.
    inside.allowHalfOpen = true;
    const outside = await this.#reach(inside, path);
    if (outside === undefined) return void inside.destroy();
    inside.pipe(outside).pipe(inside);
    inside.once("close", () => outside.destroySoon());
    outside.once("close", () => inside.destroySoon());
    return undefined;
  }

  async #reach(inside: Socket, path: string): Promise<Socket | undefined> {
    const untilMs = performance.now() + patienceMs;
    for (let leftMs = patienceMs; leftMs > 0; leftMs = untilMs - performance.now()) {
      const outside = connect({ path, allowHalfOpen: true });
      this.#keep(outside);
      const isHere = await isGreeted(outside, leftMs);
      if (this.#isClosed || inside.destroyed) return void outside.destroy();
      if (isHere) return outside;
      outside.destroy();
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
    return undefined;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** Whether somebody takes the connection. What is said after the greeting is still to be read. */
function isGreeted(socket: Socket, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isHere: boolean): void => {
      clearTimeout(timer);
      socket.off("readable", read).off("end", leave).off("close", leave);
      resolve(isHere);
    };
    const leave = (): void => answer(false);
    const read = (): void => {
      const said = socket.read(bridgeGreeting.length) as Buffer | null;
      if (said !== null) answer(said.toString() === bridgeGreeting);
    };
    const timer = setTimeout(leave, waitMs);
    socket.on("readable", read).once("end", leave).once("close", leave);
  });
}

/** Listens on these ports of the loopback, in the network of a process. */
export function listenInside(pid: number, wanted: readonly number[]): Promise<ReadonlyMap<number, Server>> {
  const ports = wanted.map(String);
  const node = [process.execPath, "--no-warnings", "--max-semi-space-size=1", "--v8-pool-size=0", program];
  const child = spawn(programPath("nsenter"), ["-t", String(pid), "-n", "--", ...node, ...ports], {
    cwd: "/",
    // Reading its few lines anew takes longer than running them.
    env: { ...plainEnv, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    const servers = new Map<number, Server>();
    const fail = (error: Error): void => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      for (const server of servers.values()) server.close();
      reject(error);
    };
    const timer = setTimeout(() => fail(failed(ports.join(", "), `not ready after ${startMsMax} ms`)), startMsMax);
    child.once("error", (error) => fail(failed(ports.join(", "), error.message)));
    child.on("message", (said: Listening, server) => {
      if ("failed" in said) return fail(failed(said.port, said.failed));
      servers.set(said.port, server as Server);
    });
    child.once("close", () => {
      clearTimeout(timer);
      if (servers.size === ports.length) resolve(servers);
      else fail(failed(ports.join(", "), "it ended before it was ready"));
    });
  });
}

function failed(port: number | string, why: string): Fault {
  const message = `nothing can listen on port ${port} of the agent's own network: ${why}`;
  return new Fault("cage-failed", { retry: "later", message });
}
