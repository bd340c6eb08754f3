// Carries a WebSocket to a service: once both have agreed, bytes in both directions, unread.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { closeAfterBytes } from "../../node/egress/parting.ts";
import { toService, type Way } from "./carry-request.ts";
import { type HeaderList, toPersonHeaders } from "./face-headers.ts";

export function carrySocket(request: IncomingMessage, outside: Socket, head: Buffer, way: Way): void {
  const headers = [...way.headers, "connection", "Upgrade", "upgrade", "websocket"];
  const asked = toService(request, { port: way.port, headers });
  let isOver = false;
  const settle = (): boolean => {
    const isFirst = !isOver;
    isOver = true;
    cancel();
    return isFirst;
  };
  const cancel = way.clock.setTimer(way.answerMsMax, () => {
    if (settle()) way.onNoAnswer("slow");
    asked.destroy();
  });
  asked.on("error", (error: NodeJS.ErrnoException) => {
    if (settle()) way.onNoAnswer(error.code?.startsWith("HPE_") ? "garbled" : "down");
  });
  asked.once("close", () => {
    if (settle()) way.onNoAnswer("down");
  });
  outside.once("close", () => {
    settle();
    asked.destroy();
  });
  asked.once("upgrade", (answer, inside, first) => {
    if (!settle()) return void inside.destroy();
    outside.write(toHead(answer, ["connection", "Upgrade", "upgrade", "websocket"]), "latin1");
    if (first.length > 0) outside.write(first);
    if (head.length > 0) inside.write(head);
    join(inside, outside);
    return undefined;
  });
  // It wants no WebSocket here, and says why in plain HTTP.
  asked.once("response", (answer) => {
    if (!settle()) return void answer.destroy();
    outside.write(toHead(answer, ["connection", "close"]), "latin1");
    answer.on("error", () => outside.destroy());
    answer.pipe(outside);
    return undefined;
  });
  asked.end();
}

function toHead({ statusCode = 502, statusMessage = "", rawHeaders }: IncomingMessage, more: HeaderList): string {
  const headers = [...toPersonHeaders(rawHeaders), ...more];
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1] ?? ""}`] : []));
  return `${[`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines].join("\r\n")}\r\n\r\n`;
}

/** Half of a connection may be over while the other goes on; one that was cut off on one side is cut off on the other. */
function join(inside: Socket, outside: Socket): void {
  for (const [from, to] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    from.on("error", () => from.destroy());
    from.once("close", (wasCutOff) => (wasCutOff ? to.resetAndDestroy() : closeAfterBytes(to)));
    from.setTimeout(0);
    from.pipe(to);
  }
}
