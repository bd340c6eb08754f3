// Carries one request to a service and its answer back, byte for byte as it comes: whoever is slow to read slows whoever
// writes, and nothing is kept. Redirects are answers like any others.

import { type ClientRequest, type IncomingMessage, request as ask, type ServerResponse, STATUS_CODES } from "node:http";
import { pipeline } from "node:stream";
import type { Clock } from "../../ports/clock.ts";
import { outerHost } from "../../protocol/keeper/outer-host.ts";
import { type HeaderList, toPersonHeaders } from "./face-headers.ts";

/** Why there was no answer: nobody there, nothing that we could pass on, or nothing in time. */
export type NoAnswer = "down" | "garbled" | "slow";

export type Way = {
  /** A port of the agent's; its keeper leads from here to the same one inside, and nowhere else. */
  readonly port: number;
  readonly headers: HeaderList;
  readonly clock: Pick<Clock, "setTimer">;
  /** How long a service may take to begin its answer, while no byte of the request moves. */
  readonly answerMsMax: number;
  readonly onNoAnswer: (why: NoAnswer) => void;
};

const answerHeadBytesMax = 65_536;
/** How long a person who asked for leave to send a body waits for a service that knows no such question. */
const leaveMs = 1000;

export function toService(request: IncomingMessage, { port, headers }: Pick<Way, "port" | "headers">): ClientRequest {
  return ask({
    ...{ host: outerHost, port, method: request.method, path: request.url, headers: [...headers] },
    // A connection for each: one that was kept might be gone when it is used, and nobody could tell whether it arrived.
    agent: false,
    maxHeaderSize: answerHeadBytesMax,
  });
}

/** With `expects`, the body is sent when the service says so. */
export function carryRequest(request: IncomingMessage, response: ServerResponse, way: Way, expects: boolean): void {
  const framing = framingOf(request);
  const expecting = expects ? ["expect", "100-continue"] : [];
  // Servers that are told to close do so without reading what is left, and then their answer is lost.
  const headers = [...way.headers, "connection", "keep-alive", ...framing, ...expecting];
  const asked = toService(request, { port: way.port, headers });
  let isOver = false;
  let cancel = (): void => undefined;
  const patience = (): void => {
    cancel();
    if (!isOver) cancel = way.clock.setTimer(way.answerMsMax, () => giveUp("slow"));
  };
  const settle = (): boolean => {
    const isFirst = !isOver;
    isOver = true;
    cancel();
    return isFirst;
  };
  const giveUp = (why: NoAnswer): void => {
    if (!settle()) return;
    asked.destroy();
    way.onNoAnswer(why);
  };
  asked.on("error", (error: NodeJS.ErrnoException) => giveUp(error.code?.startsWith("HPE_") ? "garbled" : "down"));
  asked.once("close", () => {
    giveUp("down");
    // What is left of a body that nobody wants is read and forgotten, so that the answer can be heard.
    request.unpipe(asked).resume();
  });
  response.once("close", () => {
    settle();
    asked.destroy();
  });
  asked.once("response", (answer) => {
    if (!settle()) return void answer.destroy();
    if (!request.complete) response.shouldKeepAlive = false;
    if (passHead(answer, response)) pipeline(answer, response, () => undefined);
    else {
      answer.destroy();
      way.onNoAnswer("garbled");
    }
    return undefined;
  });
  patience();
  const send = (): void => {
    if (framing.length === 0) return void asked.end();
    request.on("data", patience);
    request.pipe(asked);
    return undefined;
  };
  if (!expects) return send();
  onceAllowed(asked, way.clock, () => {
    if (isOver) return;
    response.writeContinue();
    send();
  });
}

/** How long a body is stands in the head, and in one way only: what we say and what we send must not differ. */
function framingOf({ headers }: IncomingMessage): string[] {
  if (headers["transfer-encoding"] !== undefined) return ["transfer-encoding", "chunked"];
  const length = headers["content-length"];
  return length === undefined ? [] : ["content-length", length];
}

function onceAllowed(asked: ClientRequest, clock: Pick<Clock, "setTimer">, then: () => void): void {
  let isDone = false;
  const go = (): void => {
    if (!isDone) then();
    isDone = true;
  };
  const cancel = clock.setTimer(leaveMs, go);
  const refused = (): void => {
    isDone = true;
    cancel();
  };
  asked.once("continue", () => {
    cancel();
    go();
  });
  asked.once("response", refused);
  asked.once("close", refused);
  asked.flushHeaders();
}

/** False where it is nothing that may be passed on. */
function passHead(answer: IncomingMessage, response: ServerResponse): boolean {
  const { statusCode = 0, statusMessage = "" } = answer;
  if (statusCode < 200) return false;
  const reason = /^[\t\x20-\x7e]*$/.test(statusMessage) ? statusMessage : (STATUS_CODES[statusCode] ?? "");
  try {
    response.writeHead(statusCode, reason, toPersonHeaders(answer.rawHeaders));
    return true;
  } catch {
    return false;
  }
}
