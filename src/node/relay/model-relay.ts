// The relay: for every run a socket at which its assistant finds its model. It lets in whoever has the run's token, asks
// the engine before anything is sent, and puts in the credential that no assistant ever sees.

import { randomUUID, timingSafeEqual, createHash } from "node:crypto";
import { chmod, mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { Turns } from "../../base/turns.ts";
import type { Logged } from "../../core/events.ts";
import type { Given } from "../../core/inputs.ts";
import type { Run } from "../../core/run/run-state.ts";
import { isOver } from "../../core/run/run-states.ts";
import { makerOf, type OwnRunner } from "../../core/runner/own-runner.ts";
import { rootOf, type State } from "../../core/state.ts";
import type { SecretStore } from "../../ports/secret-store.ts";
import { bridgeGreeting } from "../../protocol/keeper/bridge-greeting.ts";
import { isErrorCode, ProtocolError, statusOf, toWireError, type WireError } from "../../protocol/errors.ts";
import type { EngineLine, LineOutcome } from "../engine-line.ts";
import { listenAt } from "../listen-at.ts";
import type { McpServers } from "../mcp-servers/mcp-servers.ts";
import { serverIn } from "../mcp-servers/server-path.ts";
import { readAsk, type Ask } from "./ask.ts";
import type { Credential, Credentials } from "./credentials.ts";
import { ExchangeFiles } from "./exchange-files.ts";
import {
  findRoute,
  guessProvider,
  providers,
  tokenIn,
  toProviderError,
  type ProviderName,
  type Route,
} from "./providers.ts";
import type { HeldBytes, Room } from "./held-bytes.ts";
import { readBody } from "./read-body.ts";
import { RepeatedNoes } from "./repeated-noes.ts";
import { relay, type Outcome } from "./relayed-request.ts";
import { providerOf, type Subscriptions } from "./subscriptions.ts";

export type ModelRelayOptions = {
  /** The node that its requests belong to. */
  readonly node: string;
  /** Where its sockets are; a short path, for sockets have no longer ones. */
  readonly socketFolder: string;
  /** Who may connect to them, where that is not ourselves. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Where requests and answers are kept. */
  readonly exchangeFolder: string;
  readonly credentials: Credentials;
  readonly subscriptions: Pick<Subscriptions, "credentialOf" | "renewed" | "values">;
  readonly secrets: Pick<SecretStore, "values">;
  /** Where providers are, when they are not where they usually are. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is held of requests and answers, of all cages. */
  readonly held: HeldBytes;
  readonly line: EngineLine;
  readonly state: () => State;
  /** The servers of tools that runs ask beside their models, by the same way. */
  readonly servers?: Pick<McpServers, "carry">;
  /** Something went wrong that no assistant can be told of. */
  readonly onDefect: (error: unknown) => void;
  readonly bodyBytesMax?: number;
  readonly idleMsMax?: number;
};

/** As much as the largest provider takes. */
const bodyBytesMaxDefault = 33_554_432;
const idleMsMaxDefault = 600_000;
/** Of one cage at the same time. */
const requestsMax = 64;
/** Of one cage at the same time, also such that ask nothing. */
const connectionsMax = 256;
const retryAfterMs = 5000;
/** How soon to ask again where a run is about to be let in. */
const comingMs = 1000;
/** How long a relay that closes tries to report; what it cannot, counts as lost. */
const reportMsMax = 5000;

type Door = { readonly server: Server; readonly token: string; readonly socket: string; open: number };
/** A request with its body, and what that takes of what may be held. */
type Passing = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bytes: Buffer;
  readonly room: Room;
};
/** A request that may be sent, and whether it is one whose answer broke off. */
type Reserved = { readonly id: string; readonly isAgain: boolean };
/** A sub-run at the socket of the run whose cage it is in. */
type Guest = { readonly agent: string; readonly token: string };

/** How a provider said no: its status, null where it was not reached, and when it wants to be asked again. */
export type ModelNo = { readonly status: number | null; readonly retryAfterMs: number | null };

/** A no on the way: the error, and the status that it is told with. */
class Refused extends Error {
  readonly status: number;
  readonly wire: WireError;

  constructor(wire: WireError, status = statusOf(wire.code)) {
    super(wire.message);
    this.wire = wire;
    this.status = status;
  }
}

export class ModelRelay {
  readonly #options: ModelRelayOptions;
  readonly #files: ExchangeFiles;
  readonly #doors = new Map<string, Door>();
  readonly #guests = new Map<string, Guest>();
  /** By run, as long as no later request went well. */
  readonly #noes = new Map<string, ModelNo>();
  readonly #repeated: RepeatedNoes;
  /** By run: the request whose answer its maker broke off, until it is asked once more or another one is answered. */
  readonly #broken = new Map<string, string>();
  /** What is still to be reported: the engine closes after it. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** By run: one socket is gone before the next one is made. */
  readonly #turns = new Turns();
  #isClosed = false;

  constructor(options: ModelRelayOptions) {
    this.#options = options;
    this.#files = new ExchangeFiles(options.exchangeFolder);
    this.#repeated = new RepeatedNoes(() => options.line.nowMs());
  }

  /** Takes away what was asked for a run; from then on it has all its room again. */
  forgetExchanges(run: string): Promise<void> {
    return this.#files.forget(run);
  }

  /** Takes up work: what an earlier life left open counts as lost (BG8), and what belongs to no run is removed. */
  async start(): Promise<void> {
    // Whoever may connect has to be able to walk there.
    await mkdir(this.#options.socketFolder, { recursive: true, mode: 0o711 });
    await chmod(this.#options.socketFolder, 0o711);
    const { node, line, state } = this.#options;
    await line.submit({ actor: "system", input: { type: "model.forget", node } });
    for (const run of await this.#files.runs()) if (!state().runs.has(run)) await this.#files.forget(run);
  }

  socketOf(run: string): string {
    return join(this.#options.socketFolder, `${run}.models`);
  }

  lastNoOf(run: string): ModelNo | null {
    return this.#noes.get(run) ?? null;
  }

  /** Opens the socket of a run, for whoever presents its token. Answers its path. */
  open(run: string, token: string): Promise<string> {
    const socket = this.socketOf(run);
    return this.#turns.take(run, async () => {
      if (this.#isClosed) throw new Fault("closing", { retry: "later", message: "the daemon is ending" });
      if (this.#doors.get(run)?.token === token) return socket;
      await this.#shut(run);
      const server = createServer((request, response) => this.#take(run, request, response));
      server.requestTimeout = 0;
      server.maxConnections = connectionsMax;
      server.on("connection", (connection) => connection.write(bridgeGreeting));
      // Before anybody can come: a program that waits for a daemon to be there again asks in the very first moment.
      this.#doors.set(run, { server, token, socket, open: 0 });
      try {
        await listenAt(server, socket, this.#options.owner);
      } catch (error) {
        this.#doors.delete(run);
        throw error;
      }
      return socket;
    });
  }

  /** Lets a sub-run in at the socket of its agent, by a token of its own. */
  admit(agent: string, run: string, token: string): void {
    this.#guests.set(run, { agent, token });
  }

  /** Closes the socket of a run and breaks off what is under way there. */
  shut(run: string): Promise<void> {
    return this.#turns.take(run, () => this.#shut(run));
  }

  async #shut(run: string): Promise<void> {
    this.#guests.delete(run);
    const door = this.#doors.get(run);
    if (door === undefined) return;
    this.#doors.delete(run);
    const closed = new Promise<void>((resolve) => door.server.close(() => resolve()));
    door.server.closeAllConnections();
    await closed;
  }

  /** A run that is over has no model any more; one that is removed leaves nothing. */
  hear(events: readonly Logged[]): void {
    for (const event of events) {
      // Whoever takes it up anew asks anew.
      if (event.type === "run.delayed" || event.type === "run.handed") this.#repeated.forget(event.run);
      if (event.type === "run.moved" && isOver(event.to)) {
        this.#repeated.forget(event.run);
        this.#noes.delete(event.run);
        this.#broken.delete(event.run);
        void this.shut(event.run);
      }
      if (event.type === "run.removed") void this.#files.forget(event.run).catch(this.#options.onDefect);
    }
  }

  /** Closes everything and waits until what was under way is reported. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const giveUp = setTimeout(() => this.#closing.abort(), reportMsMax);
    await Promise.all([...this.#turns.keys(), ...this.#doors.keys()].map((run) => this.shut(run)));
    await Promise.all(this.#underWay);
    clearTimeout(giveUp);
  }

  #take(run: string, request: IncomingMessage, response: ServerResponse): void {
    const done = this.#handle(run, request, response)
      .catch((error: unknown) => this.#refuse(request, response, error))
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  async #handle(agent: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: target = "", headers } = request;
    const door = this.#doors.get(agent);
    const run = door === undefined ? undefined : this.#runAt(agent, door, tokenIn(target, headers));
    if (door === undefined || run === undefined) {
      if (!this.#mayBeLetInYet(agent)) throw new Refused(toWireError("unauthorized"));
      throw new Refused(toWireError("overloaded", { retryAfterMs: comingMs }), 503);
    }
    const server = serverIn(target);
    if (server !== undefined && this.#options.servers !== undefined)
      return this.#options.servers.carry(run, server, request, response);
    const route = findRoute(method, target, headers);
    if (route === undefined) {
      const path = target.split("?", 1)[0]?.slice(0, 200);
      throw new Refused(toWireError("model-path-unknown", { method, path }));
    }
    if (door.open >= requestsMax) throw new Refused(toWireError("overloaded", { retryAfterMs }), 429);
    door.open++;
    try {
      const { bytes, room } = await this.#read(agent, request);
      try {
        await this.#forward(run, route, { request, response, bytes, room });
      } finally {
        room.release();
      }
    } finally {
      door.open--;
    }
  }

  /** A body, once there is room for it among what is held for its cage and for all. */
  async #read(cage: string, request: IncomingMessage): Promise<{ readonly bytes: Buffer; readonly room: Room }> {
    const { held, bodyBytesMax = bodyBytesMaxDefault } = this.#options;
    const body = await readBody(request, {
      bytesMax: bodyBytesMax,
      room: (bytes, left) => held.take(cage, bytes, left),
    });
    if (typeof body !== "string") return body;
    // To come again later is all that helps, whoever is in the way: the cage itself, or others.
    throw new Refused(toWireError("overloaded", { retryAfterMs }), body === "cage" ? 429 : 503);
  }

  /** Whose token it is, of those that are let in there. */
  #runAt(agent: string, door: Door, token: string): string | undefined {
    const guests = [...this.#guests].filter(([, guest]) => guest.agent === agent);
    const all = [[agent, door.token] as const, ...guests.map(([run, guest]) => [run, guest.token] as const)];
    return all.find(([, own]) => isSame(token, own))?.[0];
  }

  /**
   * Whether a run of an agent that goes on from before is to be let in yet: to its program, which may ask before that, a no for ever
   * would be the end.
   */
  #mayBeLetInYet(agent: string): boolean {
    const state = this.#options.state();
    const isOfAgent = (run: Run): boolean => (run.agent ?? rootOf(state, run).id) === agent;
    const isComing = (run: Run): boolean =>
      run.id !== agent && run.heard !== null && !isOver(run.state) && !this.#guests.has(run.id) && isOfAgent(run);
    return [...state.runs.values()].some(isComing);
  }

  async #forward(run: string, route: Route, { request, response, bytes, room }: Passing): Promise<void> {
    const ask = route.format === null ? null : readAsk({ ...route, format: route.format }, bytes, room.grow);
    if (typeof ask === "string") throw new Refused(toWireError("bad-input", { where: "the request", why: ask }), 400);
    if (this.#repeated.areEnough(run, ask?.same))
      throw new Refused(toWireError("model-refusing", { provider: route.provider }));
    const own = this.#ownOf(run, route);
    const credential = await this.#credentialOf(run, route, own);
    const url = urlOf(route, this.#options.env, credential.baseUrl ?? own?.baseUrl);
    const reserved = ask === null ? null : await this.#reserve(run, route.provider, ask, credential);
    const idleMsMax = this.#options.idleMsMax ?? idleMsMaxDefault;
    const { subscriptions } = this.#options;
    const renew = credential.from === "subscription" ? () => subscriptions.renewed(credential.name, credential) : null;
    const asked = { route, url, credential, body: ask?.body ?? bytes, grow: room.grow, ask, idleMsMax, renew };
    let unreachable: string | null = null;
    await relay(asked, { request, response }, async (outcome) => {
      ({ unreachable } = outcome);
      if (reserved !== null) await this.#settle(run, reserved, asked, request, outcome);
    });
    if (unreachable === null || response.destroyed) return;
    throw new Refused(toWireError("model-unreachable", { provider: route.provider, why: unreachable }));
  }

  /** What a person has defined of the runner that a run works with, where that is about this provider. */
  #ownOf(run: string, { provider }: Route): OwnRunner | undefined {
    const { runs, runners } = this.#options.state();
    const own = runners.get(runs.get(run)?.runner ?? "");
    return own !== undefined && makerOf(own.format) === provider ? own : undefined;
  }

  /** What pays for a run's request: the login of its runner, where a person gave one, or the key of the provider. */
  async #credentialOf(run: string, { provider }: Route, own: OwnRunner | undefined): Promise<Credential> {
    const { subscriptions, credentials, state } = this.#options;
    const runner = state().runs.get(run)?.runner ?? "";
    try {
      const login = providerOf(runner) === provider ? await subscriptions.credentialOf(runner) : null;
      const found = login ?? (await credentials.of(provider, own?.credential));
      if (found !== null) return found;
    } catch (error) {
      if (error instanceof ProtocolError) this.#noteNo(run, error.code === "subscription-expired" ? 401 : null);
      throw error;
    }
    this.#noteNo(run, 401);
    const name = own?.credential ?? providers[provider].credentials[0]?.name;
    throw new Refused(toWireError("credential-missing", { provider, name }));
  }

  /** What became of a request that was not sent, whatever its program makes of our answer. */
  #noteNo(run: string, status: number | null): void {
    this.#noes.set(run, { status, retryAfterMs: null });
  }

  /** Asks the engine whether it may be sent. */
  async #reserve(run: string, provider: ProviderName, ask: Ask, credential: Credential): Promise<Reserved> {
    const { model, same, inputTokens, outputTokens } = ask;
    // Whoever asks the same once more because the answer broke off does not go a step further, once for each time (PF14).
    const isAgain = same !== undefined && this.#broken.get(run) === same;
    if (isAgain) this.#broken.delete(run);
    const turn = ask.turn && !isAgain;
    const from = `${credential.from}:${credential.name}`;
    const about = { provider, model, credential: from, turn, inputTokens, outputTokens };
    const input = { type: "model.request", run, key: randomUUID(), ...about } as const;
    const outcome = await this.#submit({ actor: `agent:${run}`, input });
    if (outcome.ok && outcome.value.of === "id") return { id: outcome.value.id, isAgain };
    if (isAgain) this.#broken.set(run, same);
    const { code, ...data } = outcome.ok ? { code: "internal" as const } : outcome.refusal;
    const error = toWireError(isErrorCode(code) ? code : "internal", data);
    // A run that waits or is paused goes on some time: an assistant that asks again then finds its model.
    const waits = code === "wrong-state" && !isOver((data as { state: Parameters<typeof isOver>[0] }).state);
    throw waits
      ? new Refused({ ...error, retryAfterMs }, 503)
      : new Refused(error, code === "wrong-state" ? 403 : undefined);
  }

  async #settle(
    run: string,
    { id, isAgain }: Reserved,
    asked: {
      readonly route: Route;
      readonly body: Buffer;
      readonly credential: Credential;
      readonly ask: Pick<Ask, "same"> | null;
    },
    request: IncomingMessage,
    outcome: Outcome,
  ): Promise<void> {
    const { extent, status, model, usage, retryAfterMs } = outcome;
    this.#repeated.note(run, asked.ask?.same, status);
    if (status === null || status >= 400) this.#noes.set(run, { status, retryAfterMs });
    else {
      this.#noes.delete(run);
      this.#broken.delete(run);
    }
    // What its maker turned down can still be asked once more.
    const same = asked.ask?.same;
    if (same !== undefined && (outcome.broke || (isAgain && extent === "none"))) this.#broken.set(run, same);
    const about = { request: id, method: request.method ?? "", target: asked.route.target, body: asked.body };
    const artifact = await this.#keep(run, asked.credential, { ...about, ...outcome.exchange });
    const input = { type: "model.answer", request: id, ...usage, model, extent, status, artifact } as const;
    await this.#submit({ actor: "system", input });
  }

  #submit(given: Given): Promise<LineOutcome> {
    return this.#options.line.submit(given, this.#closing.signal);
  }

  /** What cannot be kept is not named: that costs a replay, never the sum. */
  async #keep(
    run: string,
    credential: Credential,
    exchange: Parameters<ExchangeFiles["keep"]>[1],
  ): Promise<string | null> {
    try {
      const token = this.#doors.get(run)?.token ?? this.#guests.get(run)?.token ?? "";
      const { secrets: store, subscriptions } = this.#options;
      const secrets = [credential.value, token, ...(await store.values()), ...(await subscriptions.values())];
      return await this.#files.keep(run, exchange, secrets);
    } catch {
      return null;
    }
  }

  #toRefused(error: unknown): Refused {
    if (error instanceof Refused) return error;
    if (error instanceof ProtocolError) return new Refused(error.toWire());
    if (error instanceof Fault && isErrorCode(error.code))
      return new Refused(toWireError(error.code, { message: error.message }));
    this.#options.onDefect(error);
    return new Refused(toWireError("internal"));
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const { wire, status } = this.#toRefused(error);
    if (response.headersSent || response.destroyed) return void response.destroy();
    const { method = "", url: target = "", headers } = request;
    const provider = findRoute(method, target, headers)?.provider ?? guessProvider(headers);
    const body = Buffer.from(JSON.stringify(toProviderError(provider, status, wire)));
    const again = wire.retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(wire.retryAfterMs / 1000)) };
    // Whoever still sends a body that nobody wants gets the answer first, and then no more of the connection.
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": String(body.length),
      "x-signalbox-code": wire.code,
      connection: "close",
      ...again,
    });
    response.end(body);
    request.resume();
  }
}

/** Where a provider is asked: what a person has defined for the runner, what the daemon's environment says, or its usual place. */
export function urlOf(
  route: Pick<Route, "provider" | "target">,
  env: Readonly<Record<string, string | undefined>>,
  own: string | null = null,
): URL {
  const { baseUrl, baseUrlName } = providers[route.provider];
  const named = own ?? env[baseUrlName];
  const base = (named === undefined || named === "" ? baseUrl : named).replace(/\/+$/, "");
  const url = URL.parse(`${base}${route.target}`);
  if (url !== null && (url.protocol === "https:" || url.protocol === "http:")) return url;
  throw new Refused(toWireError("model-unreachable", { provider: route.provider, why: `${baseUrlName} is no URL` }));
}

/** In a time that does not tell how much of it was right. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return wanted !== "" && timingSafeEqual(digest(given), digest(wanted));
}
