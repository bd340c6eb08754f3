// A WebSocket to a face, from inside a cage: asked for at the daemon's own port, and once both have agreed carried unread.

import { type ClientRequest, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { closeAfterBytes, hearNoMore, partWith } from "./parting.ts";

export type Passed = { out: number; in: number };

export function isSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** Carries until either has left. `asked` is the request at the daemon, which has not been sent yet. */
export function carrySocket(
  asked: ClientRequest,
  { inside, head, broken }: { readonly inside: Socket; readonly head: Buffer; readonly broken: string },
): Promise<Passed> {
  const passed = { out: 0, in: 0 };
  let isAnswered = false;
  asked.on("error", () => {
    if (!isAnswered) sayNo(inside, 502, broken);
    else inside.destroy();
  });
  // Whoever has left meanwhile asks for nothing: nobody would ever end what came of it.
  if (inside.destroyed) {
    asked.destroy();
    return Promise.resolve(passed);
  }
  asked.once("timeout", () => asked.destroy());
  inside.on("error", () => inside.destroy());
  inside.once("close", () => asked.destroy());
  asked.once("upgrade", (answer, outside, first) => {
    isAnswered = true;
    // What waits for an answer no longer waits: a WebSocket may be silent for as long as it likes.
    outside.setTimeout(0);
    inside.write(toHead(answer, ["connection: Upgrade", "upgrade: websocket"]), "latin1");
    if (first.length > 0) inside.write(first);
    if (head.length > 0) outside.write(head);
    passed.in += first.length;
    passed.out += head.length;
    pass({ from: outside, to: inside }, (bytes) => (passed.in += bytes));
    pass({ from: inside, to: outside }, (bytes) => (passed.out += bytes));
  });
  // It wants no WebSocket, and says why in plain HTTP.
  asked.once("response", (answer) => {
    isAnswered = true;
    inside.write(toHead(answer, ["connection: close"]), "latin1");
    answer.once("error", () => inside.destroy());
    answer.once("end", () => hearNoMore(inside));
    inside.resume();
    answer.on("data", (bytes: Buffer) => (passed.in += bytes.length)).pipe(inside);
  });
  asked.end();
  return new Promise((resolve) => inside.once("close", () => resolve(passed)));
}

export function sayNo(inside: Socket, status: number, sentence: string): void {
  const body = `signalbox: ${sentence}\n`;
  const headers = `content-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  partWith(inside, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}\r\n\r\n${body}`);
}

/** Half of a connection may be over while the other goes on; one that was cut off on one side is cut off on the other. */
function pass({ from, to }: { readonly from: Socket; readonly to: Socket }, count: (bytes: number) => void): void {
  from.on("error", () => from.destroy());
  from.once("close", (wasCutOff) => (wasCutOff ? to.destroy() : closeAfterBytes(to)));
  from.on("data", (bytes: Buffer) => count(bytes.length)).pipe(to);
}

const unpassed = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "trailer"]);

function toHead({ statusCode = 502, rawHeaders }: IncomingMessage, more: readonly string[]): string {
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !unpassed.has(name.toLowerCase()) ? [`${name}: ${rawHeaders[at + 1] ?? ""}`] : [],
  );
  return `${[`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ""}`, ...lines, ...more].join("\r\n")}\r\n\r\n`;
}
