// How the keeper connects to what listens in the agent's network: by a helper in there, which is begun with the first
// connection, and goes with the network.

import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Holder } from "../cage/holder.ts";
import { plainEnv, programPath } from "../os/run-program.ts";
import type { Reached, Wanted } from "./connect-inside.ts";
import { Refused } from "./dial.ts";

const program = join(import.meta.dirname, "connect-inside.ts");
// There is one for each agent that is reached, so it shall be small: without a ceiling it keeps what each connection left.
const nodeFlags = [
  "--disable-sigusr1",
  "--no-warnings",
  "--max-old-space-size=16",
  "--max-semi-space-size=1",
  "--optimize-for-size",
  "--v8-pool-size=0",
];

class Lost extends Error {}

export class Inside {
  readonly #holder: () => Holder | undefined;
  #helper: Helper | undefined;

  /** The holder is whoever has the agent's network when a connection is wanted. */
  constructor(holder: () => Holder | undefined) {
    this.#holder = holder;
  }

  /** As `dial` does it in there. */
  async connect(port: number, signal: AbortSignal): Promise<Socket> {
    try {
      return await this.#try(port, signal);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      return await this.#try(port, signal);
    }
  }

  async #try(port: number, signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const holder = this.#holder();
    if (holder === undefined) throw new Refused(port);
    if (this.#helper?.isGone !== false || this.#helper.holder !== holder) this.#helper = new Helper(holder);
    return this.#helper.connect(port, signal);
  }
}

class Helper {
  readonly holder: Holder;
  isGone = false;
  readonly #child: ChildProcess;
  readonly #wanted = new Map<number, { port: number } & PromiseWithResolvers<Socket>>();
  #lastId = 0;

  constructor(holder: Holder) {
    this.holder = holder;
    const node = [process.execPath, ...nodeFlags, program];
    this.#child = spawn(programPath("nsenter"), ["-t", String(holder.pid), "-n", "--", ...node], {
      cwd: "/",
      env: { ...plainEnv, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child.on("message", (said: Reached, socket) => this.#take(said, socket as Socket | undefined));
    this.#child.once("disconnect", () => (this.isGone = true));
    this.#child.once("close", () => this.#lose());
    this.#child.on("error", () => this.#lose());
    // It would keep the network from going.
    void holder.gone.then(() => this.end());
  }

  async connect(port: number, signal: AbortSignal): Promise<Socket> {
    const id = ++this.#lastId;
    const wanted = { port, ...Promise.withResolvers<Socket>() };
    this.#wanted.set(id, wanted);
    const leave = (): void => {
      this.#wanted.delete(id);
      this.#say({ id, over: true });
      wanted.reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#say({ id, port });
    try {
      return await wanted.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  end(): void {
    this.isGone = true;
    if (this.#child.connected) this.#child.disconnect();
  }

  #say(wanted: Wanted): void {
    if (this.#child.connected) this.#child.send(wanted, (error) => void (error === null || this.#lose()));
    else this.#lose();
  }

  #take(said: Reached, socket: Socket | undefined): void {
    const wanted = this.#wanted.get(said.id);
    this.#wanted.delete(said.id);
    if ("failed" in said) wanted?.reject(said.isRefused ? new Refused(wanted.port) : new Error(said.failed));
    else if (wanted === undefined) socket?.destroy();
    else if (socket === undefined) wanted.reject(new Lost("the connection was lost on its way"));
    else wanted.resolve(socket);
  }

  #lose(): void {
    this.end();
    for (const { reject } of this.#wanted.values()) reject(new Lost("nobody connects into the agent's network"));
    this.#wanted.clear();
  }
}
