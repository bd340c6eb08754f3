// Connects to a port of the loopback, of whichever network it runs in.

import { connect, type Socket } from "node:net";
import { isErrno } from "../os/errno.ts";

export type Connect = (port: number, signal: AbortSignal) => Promise<Socket>;

/** Nothing listens there. */
export class Refused extends Error {
  constructor(port: number) {
    super(`nothing listens on port ${port}`);
  }
}

/** A connection of which nothing was read yet: it may be handed to another process. Throws `Refused` where nobody is. */
export async function dial(port: number, signal: AbortSignal): Promise<Socket> {
  try {
    return await reach("127.0.0.1", port, signal);
  } catch (error) {
    if (!isErrno(error, "ECONNREFUSED")) throw error;
    // Whoever listens on `localhost` may have got the address of version 6 alone.
    return await reach("::1", port, signal).catch(() => {
      throw new Refused(port);
    });
  }
}

function reach(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, allowHalfOpen: true, noDelay: true });
    socket.pause();
    socket.once("connect", () => resolve(socket));
    socket.on("error", reject);
  });
}
