// The end of a connection. Whoever is at its other side may never leave: it keeps a file of ours open for a moment, and no longer.

import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How long somebody has for hearing why they were sent away. */
const lastWordMs = 1000;
/** How long what was on its way may take to get there. */
const lastBytesMs = 10_000;

/** Says a last thing, and hears no more: what is not read would keep it from ever being over. */
export function partWith(socket: Duplex, lastWord: string): void {
  socket.end(lastWord);
  hearNoMore(socket);
}

/** Whatever is said is let go by, and it is closed when it has ended, or in a moment. */
export function hearNoMore(socket: Duplex): void {
  socket.resume();
  destroyIn(socket, lastWordMs);
}

/** What was written gets there, where somebody reads it. */
export function closeAfterBytes(socket: Socket): void {
  socket.destroySoon();
  destroyIn(socket, lastBytesMs);
}

function destroyIn(socket: Duplex, ms: number): void {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), ms).unref();
  socket.once("close", () => clearTimeout(timer));
}
