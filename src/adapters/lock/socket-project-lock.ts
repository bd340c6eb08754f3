// A project is locked by listening on an abstract socket named after its folder: the kernel gives the name to one process
// at a time and takes it back the moment that process is gone, also after kill -9. Whoever connects is told who has it.

import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { Fault } from "../../base/fault.ts";
import type { ProjectLock } from "../../ports/project-lock.ts";

const askMs = 1000;

export class SocketProjectLock implements ProjectLock {
  readonly #owner: string;
  readonly #held = new Map<string, Server>();

  constructor(owner: { readonly pid: number; readonly home: string }) {
    this.#owner = JSON.stringify(owner);
  }

  async take(root: string): Promise<void> {
    const name = await nameOf(root);
    if (this.#held.has(name)) return;
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(this.#owner);
    });
    const taken = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(name, () => resolve(true));
    });
    if (!taken) {
      const owner = await askOwner(name);
      throw new Fault("project-in-use", {
        retry: "later",
        message: `another daemon works on ${root} (${owner}); stop that one, or remove the project there`,
      });
    }
    server.unref();
    this.#held.set(name, server);
  }

  async giveBack(root: string): Promise<void> {
    const name = await nameOf(root);
    const server = this.#held.get(name);
    this.#held.delete(name);
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async close(): Promise<void> {
    for (const server of this.#held.values()) await new Promise<void>((resolve) => server.close(() => resolve()));
    this.#held.clear();
  }
}

async function nameOf(root: string): Promise<string> {
  const real = await realpath(root).catch(() => root);
  return `\0signalbox-project-${createHash("sha256").update(real).digest("hex").slice(0, 32)}`;
}

function askOwner(name: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(name);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(describe(heard));
    };
    const timer = setTimeout(finish, askMs);
    socket.on("data", (chunk) => (heard += chunk.toString().slice(0, 1000)));
    socket.on("close", finish);
    socket.on("error", finish);
  });
}

function describe(heard: string): string {
  try {
    const { pid, home } = JSON.parse(heard) as { pid: number; home: string };
    return `process ${pid}, home ${home}`;
  } catch {
    return "it does not say which";
  }
}
