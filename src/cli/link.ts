// The line to the daemon. Requests go over its Unix socket, which needs neither `fetch` nor the schemas: that is what
// makes `signalbox ps` quick. The event stream needs both and loads them when it is asked for.

import net from "node:net";
import type { Client } from "../client/client.ts";
import { makeLinesTransport } from "../client/lines-transport.ts";
import { protocolError } from "../protocol/errors.ts";
import { homePaths } from "../protocol/home.ts";
import { readDaemonInfo, readToken } from "./home.ts";

export type Link = Pick<Client, "call" | "events" | "close"> & {
  /** A WebSocket at a path of the daemon, wherever that is now. */
  readonly socket: (path: string) => WebSocket;
};

export function connectLink(home: string): Link {
  const path = homePaths(home).socket;
  const transport = makeLinesTransport({ open: () => net.connect(path), where: home });
  return {
    call: (name, input, options) => transport.call(name, input, options?.signal) as never,
    async *events(options) {
      const [{ Client }, { streamPath }] = await Promise.all([
        import("../client/client.ts"),
        import("../protocol/stream.ts"),
      ]);
      yield* new Client(transport, () => openStream(home, streamPath)).events(options);
    },
    socket: (path) => openStream(home, path),
    close: () => transport.close(),
  };
}

/** Looked up anew for each connection: a daemon that was started again may have another port. */
function openStream(home: string, path: string): WebSocket {
  const daemon = readDaemonInfo(home);
  if (daemon === undefined) throw protocolError("daemon-not-running", { where: home });
  return new WebSocket(`${daemon.url.replace(/^http/, "ws")}${path}`, ["signalbox", `bearer.${readToken(home)}`]);
}
