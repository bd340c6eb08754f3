// The way from inside a cage to the doors of its runs: a socket for each agent, at which nothing else is served.

import { mkdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Fault } from "../../base/fault.ts";
import { Turns } from "../../base/turns.ts";
import { listenAt } from "../../node/listen-at.ts";
import { makeDoorApp } from "./app.ts";
import type { DoorFace } from "./door-face.ts";
import { type Listener, plainCallsFirst } from "./plain-calls.ts";

export type GatesOptions = {
  /** Where the sockets are. Whoever keepers run as must be able to walk there. */
  readonly folder: string;
  /** Who may connect to them. */
  readonly owner: { readonly uid: number; readonly gid: number };
};

export class Gates {
  readonly #options: GatesOptions;
  readonly #doors = Promise.withResolvers<DoorFace>();
  readonly #open = new Map<string, Server>();
  /** By run: one gate is gone before the next one is made. */
  readonly #turns = new Turns();
  #isClosed = false;

  constructor(options: GatesOptions) {
    this.#options = options;
    this.#doors.promise.catch(() => undefined);
  }

  /** Gives the gates what they lead to. */
  connect(doors: DoorFace): void {
    this.#doors.resolve(doors);
  }

  socketOf(run: string): string {
    return join(this.#options.folder, `${run}.door`);
  }

  /** Opens the gate of a run, or finds it open. */
  open(run: string): Promise<void> {
    return this.#turns.take(run, async () => {
      if (this.#isClosed) throw closing();
      if (!this.#open.has(run)) this.#open.set(run, await this.#make(run));
    });
  }

  shut(run: string): Promise<void> {
    return this.#turns.take(run, async () => {
      const server = this.#open.get(run);
      if (server === undefined) return;
      this.#open.delete(run);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await rm(this.socketOf(run), { force: true });
    });
  }

  /** Shuts all gates. One that still waits for what it leads to waits no longer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#doors.reject(closing());
    await Promise.all([...this.#turns.keys(), ...this.#open.keys()].map((run) => this.shut(run)));
  }

  async #make(run: string): Promise<Server> {
    const { folder, owner } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o711 });
    const doors = await this.#doors.promise;
    const app = makeDoorApp(doors, run);
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const otherwise: Listener = (request, response) => void answer(request, response);
    const server = createServer(plainCallsFirst({ doors, agent: run, headers: {}, otherwise }));
    // A call may wait for a person.
    server.requestTimeout = 0;
    await listenAt(server, this.socketOf(run), owner);
    return server;
  }
}

function closing(): Fault {
  return new Fault("closing", { retry: "later", message: "the daemon is ending" });
}
