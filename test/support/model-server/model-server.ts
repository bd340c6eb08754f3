// A model that says what is written down: a server on loopback that speaks the four formats, follows a scenario, and keeps
// everything that it was sent. What does not fit the scenario is a problem, and is answered as an error, so that no test
// passes by accident.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { geminiAgent } from "../../../src/adapters/assistant/acp/gemini-agent.ts";
import { anthropicFormat } from "./anthropic-format.ts";
import { chatFormat } from "./chat-format.ts";
import { geminiFormat } from "./gemini-format.ts";
import { responsesFormat } from "./responses-format.ts";
import { findConversation, firstTurn, isUnheard, threadOf, turnAt } from "./find-turn.ts";
import { plainTurn, readScenario, type Scenario, type Turn } from "./scenario.ts";
import { type Json, json, type Read, type WireFormat } from "./wire-format.ts";

export type Received = {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** When all of it was there, by a clock that rises steadily. */
  readonly atMs: number;
};

const formats: readonly (readonly [RegExp, WireFormat])[] = [
  [/^\/v1\/messages$/, anthropicFormat],
  [/^\/v1\/responses$/, responsesFormat],
  [/^\/v1\/chat\/completions$/, chatFormat],
  [/^\/v1beta\/models\/[^/]+:(stream)?[gG]enerateContent$/, geminiFormat],
];

export class ModelServer {
  readonly #server: Server;
  readonly #scenario: Scenario;
  readonly #turns = new Map<string, number>();
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();
  readonly #released = new Set<string>();
  readonly #watchers = new Set<() => void>();
  /** Everything that it was sent, the oldest first. */
  readonly received: Received[] = [];
  /** Everything that did not fit the scenario. */
  readonly problems: string[] = [];
  /** Turns that were begun, by conversation: `edit 0`. */
  readonly begun: string[] = [];
  /** Answers whose client hung up before their end. */
  hungUp = 0;

  private constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  /** Starts one on loopback, on a free port if none is named. */
  static async start(scenario: string, port = 0): Promise<ModelServer> {
    const server = new ModelServer(readScenario(scenario));
    await new Promise<void>((resolve, reject) => {
      server.#server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Whether a text is in anything that it was sent. */
  wasSent(text: string): boolean {
    return this.received.some((each) => JSON.stringify(each).includes(text) || each.body.includes(text));
  }

  /** Lets a turn go on that holds under this name, now or whenever it comes. */
  release(name: string): void {
    this.#released.add(name);
    this.#gate(name).resolve();
  }

  /** Resolves as soon as it is so; looked at whenever something happens here. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Breaks every connection at once, as a machine that goes down. */
  breakAll(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    for (const gate of this.#gates.values()) gate.resolve();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once("close", () => {
      if (!response.writableFinished) this.hungUp++;
      this.#tell();
    });
    const { method = "", url: target = "", headers } = request;
    const body = await readText(request).catch(() => "");
    this.received.push({ method, target, headers, body, atMs: performance.now() });
    const path = target.split("?", 1)[0] ?? "";
    const format = method === "POST" ? formats.find(([pattern]) => pattern.test(path))?.[1] : undefined;
    if (format === undefined) return answerAside(response, method, path, body);
    const asked = json(parseJson(body));
    const read = format.read(asked, path);
    const turn = this.#turnFor(read);
    this.#tell();
    if (turn.error !== undefined) {
      const { retryAfter } = turn.error;
      if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
      return answerJson(response, turn.error.status, format.error(turn.error));
    }
    const call = turn.call.map((each) => ({ ...each, tool: toOffered(each.tool, read.offers) }));
    if (turn.again) response.once("close", () => response.writableFinished || this.#repeat(read));
    const { model, offers } = read;
    const answer = { id: String(this.received.length), model: turn.model ?? model, offers, turn: { ...turn, call } };
    if (!read.stream) return this.#answerWhole(response, turn, format.whole(answer));
    const inPieces = /[?&]alt=sse/.test(target) || format !== geminiFormat;
    if (inPieces) return this.#answerPieces(response, turn, format.pieces(answer));
    const chunks = format.pieces(answer).map((piece) => parseJson(piece.slice("data: ".length)));
    return answerJson(response, 200, chunks);
  }

  async #answerWhole(response: ServerResponse, turn: Turn, body: Json): Promise<void> {
    if (turn.hold !== undefined) await this.#gate(turn.hold).promise;
    if (turn.cut !== undefined) return void response.destroy();
    return answerJson(response, 200, body);
  }

  async #answerPieces(response: ServerResponse, turn: Turn, pieces: readonly string[]): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
    response.flushHeaders();
    const holdsAt = turn.again ? 0 : turn.midway ? Math.floor(pieces.length / 2) : pieces.length - 1;
    for (const [at, piece] of pieces.entries()) {
      if (turn.hold !== undefined && at === holdsAt) await this.#gate(turn.hold).promise;
      if (turn.slow !== undefined && at > 0) await new Promise((resolve) => setTimeout(resolve, turn.slow));
      if (response.destroyed) return;
      if (turn.cut === at) return void response.destroy();
      if (!response.write(piece))
        await new Promise<void>((resolve) => void response.once("drain", resolve).once("close", resolve));
      if (turn.cut !== undefined) await new Promise((resolve) => setImmediate(resolve));
    }
    if (turn.cut === undefined) response.end();
    else response.destroy();
  }

  /** The next turn of the conversation that the request belongs to. */
  #turnFor(read: Read): Turn {
    const found = findConversation(this.#scenario, read);
    if (found === undefined) return plainTurn;
    const isPast = (turn: Turn | undefined): boolean => this.#released.has(turn?.error?.until ?? "");
    const thread = threadOf(found, read);
    let at = this.#turns.get(thread) ?? firstTurn(found, read);
    while (isPast(turnAt(found, at))) at++;
    const turn = turnAt(found, at);
    // One that repeats moves on by what its clients have heard, and by itself only past what they could not hear.
    if (turn?.error?.until === undefined && (!found.repeat || isUnheard(turn))) this.#turns.set(thread, at + 1);
    this.begun.push(`${found.name} ${at}`);
    if (turn === undefined) return this.#problem(`${found.name} has no turn ${at}`);
    const lacks = findLack(turn, read);
    return lacks === undefined ? turn : this.#problem(`${found.name}, turn ${at}: ${lacks}`);
  }

  #repeat(read: Read): void {
    const found = findConversation(this.#scenario, read);
    if (found === undefined || found.repeat) return;
    this.#turns.set(found.name, (this.#turns.get(found.name) ?? 1) - 1);
  }

  #problem(message: string): Turn {
    this.problems.push(message);
    return { ...plainTurn, error: { status: 400, type: "invalid_request_error", message } };
  }

  #gate(name: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(name) ?? Promise.withResolvers<void>();
    this.#gates.set(name, gate);
    return gate;
  }

  #tell(): void {
    for (const look of [...this.#watchers]) look();
  }
}

function findLack({ expect }: Turn, read: Read): string | undefined {
  const { said, toolResult, offers } = expect ?? {};
  if (said !== undefined && !read.lastSaid.includes(said)) return `"${said}" was not said`;
  if (toolResult !== undefined && !read.toolResults.includes(toolResult))
    return `no tool result has "${toolResult}"; there was: ${read.toolResults.slice(0, 200)}`;
  if (offers !== undefined && !read.offers.includes(toOffered(offers, read.offers)))
    return `there is no tool "${offers}"`;
  return undefined;
}

/** Clients give the tools of a server names of their own: `claim` is `mcp__door__claim` here and `mcp_door_claim` there. */
function toOffered(tool: string, offers: readonly string[]): string {
  // What Gemini would hide is offered to it by another name.
  const names = [tool, geminiAgent.toolNames?.[tool] ?? tool];
  const isCalled = (offer: string, name: string): boolean =>
    offer.endsWith(name) && /[._]$/.test(offer.slice(0, -name.length));
  return (
    names.find((name) => offers.includes(name)) ??
    offers.find((offer) => names.some((name) => isCalled(offer, name))) ??
    tool
  );
}

/** What assistants ask besides: how long a prompt is, and which models there are. */
function answerAside(response: ServerResponse, method: string, path: string, body: string): void {
  const tokens = Math.ceil(body.length / 4);
  if (method === "POST" && path === "/v1/messages/count_tokens")
    return answerJson(response, 200, { input_tokens: tokens });
  if (method === "POST" && path.endsWith(":countTokens")) return answerJson(response, 200, { totalTokens: tokens });
  if (method === "GET" && path === "/v1/models")
    return answerJson(response, 200, { object: "list", data: [{ id: "scripted", object: "model", type: "model" }] });
  return answerJson(response, 404, { error: { type: "not_found_error", message: `no ${method} ${path} here` } });
}

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
