// A program of a moment: it enters the agent's network, listens there, hands the sockets to the keeper that started it, and
// is gone. So nothing of ours runs where the agent's processes are. `listen-inside.ts PORT…`

import { createServer } from "node:net";

/** The keeper waits no longer than that. */
const momentMsMax = 20_000;

/** What is sent along with each socket. */
export type Listening = { readonly port: number } | { readonly port: number; readonly failed: string };

process.once("disconnect", () => process.exit(1));
// A keeper that dies with a socket on its way is not told of as gone: what it never took keeps us, and with us the network.
setTimeout(() => process.exit(1), momentMsMax).unref();
const ports = process.argv.slice(2).map(Number);
await Promise.all(ports.map((port) => listenOn(port)));
process.disconnect();

function listenOn(port: number): Promise<void> {
  return new Promise((resolve) => {
    const server = createServer();
    const tell = (said: Listening): void => {
      process.send?.(said, "failed" in said ? undefined : server, undefined, () => {
        server.close();
        resolve();
      });
    };
    server.once("error", (error) => tell({ port, failed: error.message }));
    server.listen({ host: "127.0.0.1", port, backlog: 128 }, () => tell({ port }));
  });
}
