import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { outerHost } from "../../src/protocol/keeper/outer-host.ts";

/** Ports of the machine that nobody has: all are held until the last is found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, outerHost));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

/** Below those that the system hands out, and those that agents get. */
const keptRange = { from: 11_000, to: 19_000 };

/**
 * A port of the loopback that is still free when whoever had it comes again: while nobody listens there, no connection that
 * another test makes is given its number.
 */
export async function keptPort(): Promise<number> {
  for (;;) {
    const port = randomInt(keptRange.from, keptRange.to);
    const server = createServer().listen(port, "127.0.0.1");
    if (await isListening(server)) {
      await once(server.close(), "close");
      return port;
    }
  }
}

function isListening(server: Server): Promise<boolean> {
  return new Promise((resolve) => {
    server.once("listening", () => resolve(true)).once("error", () => resolve(false));
  });
}
