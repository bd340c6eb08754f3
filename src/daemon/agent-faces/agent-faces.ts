// Faces of agents, each on an origin of its own: who asks is looked at here, and the service behind answers.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FaceSpec } from "../../core/agent/agent-spec.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { membersOf } from "../../core/agent/instances.ts";
import type { CallableFace } from "../../node/egress/face-calls.ts";
import { toWireError, type WireError } from "../../protocol/errors.ts";
import { faceLabelOf, toFaceOrigin } from "../../protocol/face-host.ts";
import { hostOf } from "../http/guards.ts";
import { linkLifeMs } from "../http/once-links.ts";
import { turnAway } from "../http/turn-away.ts";
import type { DaemonParts } from "../parts.ts";
import { carryRequest, type NoAnswer, type Way } from "./carry-request.ts";
import { carrySocket } from "./carry-socket.ts";
import { checkFace, isSocket } from "./face-guard.ts";
import { toServiceHeaders } from "./face-headers.ts";
import { type FaceKey, faceKeyLifeMs, FaceKeys } from "./face-keys.ts";
import { findFace, type FoundFace, portOf } from "./find-face.ts";
import { sayOurselves, sendOn } from "./own-answer.ts";

/** What is ours at every face, and hidden from its service. */
const ownPaths = "/.signalbox/";
const openPath = `${ownPaths}open`;
/** Tools that models call may take minutes. */
const answerMsMax = 300_000;

const noAnswers: Readonly<Record<Exclude<NoAnswer, "slow">, string>> = {
  down: "took no connection or closed it without an answer",
  garbled: "answered in something that is not HTTP",
};

export type OpenedFace = { readonly url: string; readonly expiresInMs: number; readonly token: string | null };

export class AgentFaces {
  readonly #parts: Pick<DaemonParts, "engine" | "clock" | "onDefect">;
  readonly #port: number;
  readonly #keys: FaceKeys;
  readonly #sockets = new Set<Socket>();

  constructor(parts: Pick<DaemonParts, "engine" | "clock" | "token" | "onDefect">, port: number) {
    this.#parts = parts;
    this.#port = port;
    this.#keys = new FaceKeys(parts.clock, port, parts.token);
  }

  /** The label by which a request calls a face, whether there is such a face or not. */
  labelOf(request: IncomingMessage): string | undefined {
    return faceLabelOf(hostOf(request) ?? "", this.#port);
  }

  urlOf(agent: Agent, { name: face, path }: FaceSpec): string {
    return `${this.#originOf(agent, face)}${path}`;
  }

  /** A page opens by a link that works once, an endpoint for programs by a token. Either is good for this face alone. */
  open(agent: Agent, face: FaceSpec): OpenedFace {
    const key = keyOf({ agent, face });
    if (face.kind === "mcp")
      return { url: this.urlOf(agent, face), expiresInMs: faceKeyLifeMs, token: this.#keys.makeToken(key) };
    const url = `${this.#originOf(agent, face.name)}${openPath}?once=${this.#keys.makeLink(key)}`;
    return { url, expiresInMs: linkLifeMs, token: null };
  }

  /** How a face is called by whoever may, from a cage. */
  callable(label: string): CallableFace | undefined {
    const found = this.#find(label);
    if (found === undefined) return undefined;
    const { agent, face } = found;
    const host = new URL(this.#originOf(agent, face.name)).host;
    return { agent, face: face.name, port: this.#port, host, key: this.#keys.makeToken(keyOf(found)) };
  }

  answer(label: string, request: IncomingMessage, response: ServerResponse, expects = false): void {
    const say = (error: WireError): void => {
      if (response.headersSent) response.destroy();
      else sayOurselves(request, response, error);
    };
    const found = this.#find(label);
    if (found === undefined) return say(toNotFound(label));
    if (isOwnPath(request)) return this.#answerOurselves(found, request, response, say);
    this.#carry(found, request, say, (way) => carryRequest(request, response, way, expects));
  }

  upgrade(label: string, request: IncomingMessage, wire: Socket, head: Buffer): void {
    const say = (error: WireError): void => turnAway(wire, error);
    const found = this.#find(label);
    if (found === undefined || !isSocket(request.headers) || isOwnPath(request)) return say(toNotFound(label));
    this.#sockets.add(wire);
    wire.once("close", () => this.#sockets.delete(wire));
    this.#carry(found, request, say, (way) => carrySocket(request, wire, head, way));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #find(label: string): FoundFace | undefined {
    return findFace(this.#parts.engine.state, label);
  }

  #originOf(agent: Agent, face: string): string {
    return toFaceOrigin({ agent: agent.name, face }, this.#port);
  }

  #carry(found: FoundFace, request: IncomingMessage, say: (error: WireError) => void, go: (way: Way) => void): void {
    const { agent, face } = found;
    const { clock, onDefect } = this.#parts;
    const origin = this.#originOf(agent, face.name);
    const refused = checkFace(this.#keys, request, { key: keyOf(found), origin });
    if (refused !== undefined) return say(toWireError(refused, { agent: agent.name, face: face.name }));
    const port = portOf(found);
    if (port === undefined) return say(toDown(found, `has no place: its agent is ${agent.state}`));
    const isPage = face.kind === "web";
    // Servers of endpoints for programs know themselves by their address alone, and take a page's word for an attack.
    const host = isPage ? new URL(origin).host : `127.0.0.1:${port}`;
    const isOurs = (token: string): boolean => this.#keys.isOurs(token);
    const headers = toServiceHeaders(request.rawHeaders, { host, origin: isPage, isOurs });
    const onNoAnswer = (why: NoAnswer): void =>
      say(why === "slow" ? toSlow(found) : toDown(found, whatIsWrong(found, why)));
    try {
      go({ port, headers, clock, answerMsMax, onNoAnswer });
    } catch (error) {
      onDefect(error);
      say(toWireError("internal"));
    }
  }

  #answerOurselves(
    found: FoundFace,
    request: IncomingMessage,
    response: ServerResponse,
    say: (error: WireError) => void,
  ): void {
    const { agent, face } = found;
    const { pathname, searchParams } = new URL(request.url ?? "/", this.#originOf(agent, face.name));
    // A link is for one look by a person; programs that only ask for its headers must not use it up.
    if (pathname !== openPath || request.method !== "GET") return say(toNotFound(pathname));
    const key = keyOf(found);
    const once = searchParams.get("once") ?? "";
    // An earlier agent may have had the name: the browser forgets what it kept of its pages, and comes again. What those left
    // may still answer in its place, so it is the code that says whether it has been here, and not the address.
    const next = this.#keys.isOwner(request.headers.cookie, key) ? undefined : this.#keys.clear(once, key);
    if (next !== undefined)
      return sendOn(response, `${openPath}?once=${next}`, { "clear-site-data": '"cache", "cookies", "storage"' });
    const cookies = this.#keys.open(once, key);
    if (cookies !== undefined) return sendOn(response, face.path, { "set-cookie": cookies });
    // Whoever goes back to a link that has opened the face already has it open.
    if (this.#keys.hasCookie(request.headers.cookie, key)) return sendOn(response, face.path);
    say(toWireError("face-closed", { agent: agent.name, face: face.name }));
  }
}

function isOwnPath({ url }: IncomingMessage): boolean {
  return url?.startsWith(ownPaths) === true;
}

function keyOf({ agent, face }: FoundFace): FaceKey {
  return { agent: agent.id, face: face.name };
}

function toNotFound(id: string): WireError {
  return toWireError("not-found", { kind: "face", id });
}

function toDown({ agent, face }: FoundFace, what: string): WireError {
  return toWireError("face-down", { agent: agent.name, face: face.name, service: face.service, what });
}

function toSlow({ agent, face }: FoundFace): WireError {
  return toWireError("face-slow", { agent: agent.name, service: face.service, seconds: answerMsMax / 1000 });
}

function whatIsWrong({ agent, face }: FoundFace, why: Exclude<NoAnswer, "slow">): string {
  const members = membersOf(agent, face.service).filter((each) => each.wanted || each.group === null);
  const service = members.find(({ state }) => state === "up") ?? members[0];
  if (service === undefined || service.state === "up") return noAnswers[why];
  return `is ${service.state}${service.because === null ? "" : ` (${service.because})`}`;
}
