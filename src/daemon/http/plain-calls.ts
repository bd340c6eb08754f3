// Plain calls of tools at the doors of runs, answered from the connection itself. Everything else goes on to the app as it came,
// and so does a plain call that would be refused: there is one place that says no.

import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { mayBePlain, readPlainCall, toPlainAnswer } from "../../mcp/plain-call.ts";
import { requestHeader } from "../../protocol/keeper/held-request.ts";
import { parseJson } from "../../protocol/json.ts";
import { type DoorFace, runOfDoorPath } from "./door-face.ts";
import { tokenOf } from "./guards.ts";

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export type PlainCallsOptions = {
  readonly doors: DoorFace;
  /** The agent whose runs are served; left out, all are. */
  readonly agent?: string;
  /** What every answer says. */
  readonly headers: Readonly<Record<string, string>>;
  /** Who answers everything else. */
  readonly otherwise: Listener;
};

/** How long an answer may take before its head goes ahead of it. Until then both go together, which is the cheapest way. */
const headMs = 1000;
/** How often a client that waits hears that somebody is there. */
const lifeEveryMs = 15_000;
const streamHeaders = { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" };

export function plainCallsFirst(options: PlainCallsOptions): Listener {
  return (request, response) => {
    const run = request.method === "POST" ? runOfDoorPath(request.url ?? "") : undefined;
    if (run === undefined || !mayBePlain(request.headers)) options.otherwise(request, response);
    // Keys that cannot be read open nothing.
    else maybeAnswer(options, run, request, response).catch(() => void response.destroy());
  };
}

async function maybeAnswer(
  options: PlainCallsOptions,
  run: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { doors, agent, otherwise } = options;
  const isTheirs = agent === undefined || doors.agentOf(run) === agent;
  const tools = isTheirs ? await doors.toolsFor(run, tokenOf(request.headers) ?? "") : undefined;
  if (tools === undefined) return otherwise(request, response);
  const body = await bodyOf(request);
  // Whoever broke off waits for nothing.
  if (body === undefined) return void response.destroy();
  const parsed = isUtf8(body) ? parseJson(body.toString("utf8")) : undefined;
  const call = parsed?.ok === true ? readPlainCall(parsed.value) : undefined;
  if (call === undefined || !tools.has(call.tool)) {
    // The app reads from here what is no longer in the connection.
    return otherwise(Object.assign(request, { rawBody: body }), response);
  }
  const name = request.headers[requestHeader];
  const named = { request: typeof name === "string" ? name : undefined, use: call.use };
  const answering = doors.call(run, call.tool, call.args, named);
  const answer = answering.catch((error: unknown) => ({ text: messageOf(error), isError: true }));
  return send(
    response,
    answer.then((given) => toPlainAnswer(call.id, given)),
    options.headers,
  );
}

async function send(
  response: ServerResponse,
  answer: Promise<string>,
  headers: PlainCallsOptions["headers"],
): Promise<void> {
  let timer: NodeJS.Timeout | undefined = setTimeout(() => {
    response.writeHead(200, { ...headers, ...streamHeaders }).flushHeaders();
    timer = setInterval(() => response.write(": keepalive\n\n"), lifeEveryMs);
  }, headMs);
  response.once("close", () => clearTimeout(timer));
  const text = await answer;
  clearTimeout(timer);
  if (response.headersSent) response.end(`event: message\ndata: ${text}\n\n`);
  else response.writeHead(200, { ...headers, "content-type": "application/json" }).end(text);
}

/** All of a body whose length its head has told; undefined where less came. */
function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    // Whoever has left meanwhile is not told of leaving once more.
    if (request.destroyed) return resolve(undefined);
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.once("end", () => resolve(Buffer.concat(pieces)));
    request.once("error", () => resolve(undefined));
    request.once("close", () => resolve(undefined));
    return undefined;
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
