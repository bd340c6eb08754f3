// The way from inside a cage to the doors of its runs: a socket for each agent, at which nothing else is served.

import { chmod, chown, mkdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { makeDoorApp } from "./app.ts";
import type { DoorFace } from "./door-face.ts";

export type GatesOptions = {
  /** Where the sockets are. Whoever keepers run as must be able to walk there. */
  readonly folder: string;
  /** Who may connect to them. */
  readonly owner: { readonly uid: number; readonly gid: number };
};

export class Gates {
  readonly #options: GatesOptions;
  readonly #doors = Promise.withResolvers<DoorFace>();
  readonly #open = new Map<string, Promise<Server>>();

  constructor(options: GatesOptions) {
    this.#options = options;
  }

  /** Gives the gates what they lead to. */
  connect(doors: DoorFace): void {
    this.#doors.resolve(doors);
  }

  socketOf(run: string): string {
    return join(this.#options.folder, `${run}.door`);
  }

  /** Opens the gate of a run, or finds it open. */
  async open(run: string): Promise<void> {
    const opening = this.#open.get(run) ?? this.#make(run);
    this.#open.set(run, opening);
    await opening;
  }

  async shut(run: string): Promise<void> {
    const server = await this.#open.get(run);
    this.#open.delete(run);
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
    await rm(this.socketOf(run), { force: true });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((run) => this.shut(run)));
  }

  async #make(run: string): Promise<Server> {
    const { folder, owner } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o711 });
    const socket = this.socketOf(run);
    await rm(socket, { force: true });
    const app = makeDoorApp(await this.#doors.promise, run);
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const server = createServer((request, response) => void answer(request, response));
    // A call may wait for a person.
    server.requestTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socket, () => resolve());
    });
    await chmod(socket, 0o600);
    await chown(socket, owner.uid, owner.gid);
    return server;
  }
}
