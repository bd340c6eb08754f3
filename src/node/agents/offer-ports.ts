// Ports that nobody on this machine listens on at the moment. Who gets which is decided elsewhere.

import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { outerHost } from "../../protocol/keeper/outer-host.ts";

/** Below what systems give to outgoing connections, above what people run by hand. */
const first = 21_000;
const last = 28_999;
const triesMax = 2000;

export async function offerPorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  let port = randomInt(first, last + 1);
  for (let tries = 0; found.size < count && tries < triesMax; tries++) {
    if (await isFree(port)) found.add(port);
    port = port === last ? first : port + 1;
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: outerHost, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
