import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { outerHost } from "../../src/protocol/keeper/outer-host.ts";

/** Ports of the machine that nobody has: all are held until the last is found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, outerHost));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
