// Carries requests to somebody who may come and go, and holds each of them until it is answered. What was under way when the
// other side died is asked again under the same name, so that it is not done twice.

import { randomUUID } from "node:crypto";
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as ask,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { requestHeader } from "../../protocol/keeper/held-request.ts";
import { limits } from "../../protocol/limits.ts";
import { endOfEvents, hasAnswer } from "./event-stream.ts";

const lookEveryMs = 100;
const ofOneConnection = ["connection", "keep-alive", "transfer-encoding", "content-length", "host", "expect"];

const tooLarge = `A request has at most ${limits.requestBytesMax} bytes. Write a large file in parts, or with a command.\n`;

type Held = { readonly incoming: IncomingMessage; readonly response: ServerResponse; readonly body: Buffer };

export class HeldRequests {
  readonly #path: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
    this.#server = createServer((incoming, response) => void this.#hold(incoming, response));
    // A model thinks between two calls for as long as it likes.
    this.#server.keepAliveTimeout = 0;
  }

  /** Serves a connection. */
  take(socket: Socket): void {
    this.#server.emit("connection", socket);
  }

  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }

  async #hold(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming, limits.requestBytesMax).catch(() => undefined);
    if (body === undefined) return void response.writeHead(413, { "content-type": "text/plain" }).end(tooLarge);
    const name = randomUUID();
    while (!this.#isClosed && !response.destroyed) {
      if (await this.#try({ incoming, response, body }, name)) return undefined;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
    return void response.destroy();
  }

  /** Asks once. False when the other side is away, or went away before it had answered. */
  #try({ incoming, response, body }: Held, name: string): Promise<boolean> {
    const { method, url, headers } = incoming;
    const outgoing = ask({
      ...{ socketPath: this.#path, agent: this.#agent, method, path: url },
      headers: { ...ofAll(headers), host: "door", [requestHeader]: name, "content-length": body.length },
    });
    const leave = (): void => void outgoing.destroy();
    response.once("close", leave);
    outgoing.end(body);
    return answerOf(outgoing)
      .then((answer) => (answer === undefined ? false : passOn(answer, response)))
      .finally(() => response.off("close", leave));
  }
}

function answerOf(outgoing: ClientRequest): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    outgoing.once("response", resolve);
    outgoing.on("error", () => resolve(undefined));
  });
}

/** Passes an answer on, as far as it comes. False when the same has to be asked again. */
function passOn(answer: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
  return isStream ? passEvents(answer, response) : passWhole(answer, response);
}

/** Whole events only: of one that was cut off, the next try has all. */
async function passEvents(answer: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (!response.headersSent) response.writeHead(answer.statusCode ?? 200, ofAll(answer.headers)).flushHeaders();
  let rest = "";
  let isAnswered = false;
  try {
    for await (const piece of answer.setEncoding("utf8") as AsyncIterable<string>) {
      rest += piece;
      const end = endOfEvents(rest);
      const whole = rest.slice(0, end);
      rest = rest.slice(end);
      isAnswered ||= hasAnswer(whole);
      if (whole !== "" && !response.write(whole)) await drained(response);
    }
  } catch {
    if (!isAnswered) return false;
  }
  response.end(rest);
  return true;
}

async function passWhole(answer: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const body = await bodyOf(answer, Infinity).catch(() => undefined);
  if (body === undefined || !answer.complete) return false;
  if (!response.headersSent) response.writeHead(answer.statusCode ?? 502, ofAll(answer.headers)).end(body);
  // A stream had begun before the other side died. What cannot be said in it ends it.
  else if (answer.statusCode === 200) response.end(`event: message\ndata: ${body.toString("utf8")}\n\n`);
  else response.destroy();
  return true;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}

/** All of what was sent; undefined when that is too much. */
async function bodyOf(message: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > bytesMax) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function ofAll(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneConnection.includes(name)));
}
