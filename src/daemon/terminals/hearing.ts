// Knows whether whoever is at the other end of a socket has heard what they were told: pings are answered in the order of
// everything else, by every client and without its doing.

import type { WebSocket } from "ws";

export class Hearing {
  readonly #socket: Pick<WebSocket, "ping">;
  #lastPing = 0;
  #answered = 0;
  #needed = 0;

  constructor(socket: Pick<WebSocket, "ping" | "on">) {
    this.#socket = socket;
    // Of several pings the last may be the only one that is answered.
    socket.on("pong", (data: Buffer) => (this.#answered = Math.max(this.#answered, Number(data.toString()) || 0)));
  }

  ping(): void {
    this.#socket.ping(String(++this.#lastPing));
  }

  /** What was told just now has to be heard before anything else counts. */
  await(): void {
    this.ping();
    this.#needed = this.#lastPing;
  }

  /** Whether what comes now may have been sent by one who had not heard it. */
  get isBehind(): boolean {
    return this.#answered < this.#needed;
  }
}
