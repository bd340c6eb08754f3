// One JSON text per line, over a socket, with a bound on what is held while a line is not yet whole.

import type { Socket } from "node:net";

/** Calls `take` with each line. A line that is longer than allowed ends the connection. */
export function onLines(socket: Socket, bytesMax: number, take: (line: string) => void): void {
  let chunks: Buffer[] = [];
  let held = 0;
  socket.on("data", (data: Buffer) => {
    let rest = data;
    for (;;) {
      const end = rest.indexOf(10);
      if (end < 0) break;
      const whole = chunks.length === 0 ? rest.subarray(0, end) : Buffer.concat([...chunks, rest.subarray(0, end)]);
      chunks = [];
      held = 0;
      rest = rest.subarray(end + 1);
      if (whole.length > bytesMax) return void socket.destroy();
      take(whole.toString("utf8"));
    }
    if (rest.length === 0) return undefined;
    held += rest.length;
    if (held > bytesMax) return void socket.destroy();
    chunks.push(rest);
    return undefined;
  });
}
