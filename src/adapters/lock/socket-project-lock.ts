// A project is locked by listening on an abstract socket named after its folder: the kernel gives the name to one process
// at a time and takes it back the moment that process is gone, also after kill -9. Whoever connects is told who has it.

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { Fault } from "../../base/fault.ts";
import type { ProjectLock } from "../../ports/project-lock.ts";

const askMs = 1000;

export class SocketProjectLock implements ProjectLock {
  readonly #owner: string;
  /** By the folder as it was named: it may have been moved by the time it is given back. */
  readonly #held = new Map<string, { readonly server: Server; readonly name: string }>();

  constructor(owner: { readonly pid: number; readonly home: string }) {
    this.#owner = JSON.stringify(owner);
  }

  async take(root: string): Promise<void> {
    if (this.#held.has(root)) return;
    const name = await nameOf(root);
    // A folder of ours that is gone may have left its number to this one.
    for (const [other, held] of this.#held)
      if (held.name === name && (await nameOf(other)) !== name) await this.giveBack(other);
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.write(this.#owner);
      socket.destroySoon();
    });
    const error = await new Promise<Error | null>((resolve) => {
      server.once("error", resolve);
      server.listen(name, () => resolve(null));
    });
    if (error !== null) throw await toFault(error, name, root);
    server.unref();
    this.#held.set(root, { server, name });
  }

  async giveBack(root: string): Promise<void> {
    const held = this.#held.get(root);
    this.#held.delete(root);
    if (held !== undefined) await new Promise<void>((resolve) => held.server.close(() => resolve()));
  }

  async close(): Promise<void> {
    for (const root of [...this.#held.keys()]) await this.giveBack(root);
  }
}

/** A folder is the same one under every path that leads to it. */
async function nameOf(root: string): Promise<string> {
  const id = await stat(root).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => root,
  );
  return `\0signalbox-project-${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
}

async function toFault(error: Error, name: string, root: string): Promise<Fault> {
  if (!("code" in error) || error.code !== "EADDRINUSE") {
    return new Fault("project-in-use", {
      retry: "later",
      cause: error,
      message: `whether another daemon works on ${root} cannot be told: ${error.message}`,
    });
  }
  const owner = await askOwner(name);
  return new Fault("project-in-use", {
    retry: "later",
    message: `another daemon works on ${root} (${owner}); stop that one, or remove the project there`,
  });
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
