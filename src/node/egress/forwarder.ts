// The one way out of a cage: a forwarder as every package manager knows it, on a Unix socket that a bridge leads to. It
// connects whoever it may, says to others why not and what a person can do about it, and writes all of it down.

import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RunEgress, Target } from "../../core/egress/egress.ts";
import type { EgressRefusal } from "../../core/egress/egress-events.ts";
import { bridgeGreeting } from "../../protocol/keeper/bridge-greeting.ts";
import { framingOf, passHead } from "./carried.ts";
import { FaceCalls, type FaceCallsOptions } from "./face-calls.ts";
import { isSocket } from "./face-sockets.ts";
import type { Ledger } from "./ledger.ts";
import { partWith } from "./parting.ts";
import { reach, type Reaching, type Resolve } from "./reach.ts";
import { readAddress, readAuthority } from "./read-target.ts";
import { toRefusal, type WhoseEgress } from "./refusal-text.ts";
import { passOn } from "./tunnel.ts";

export type ForwarderOptions = WhoseEgress & {
  /** What the run may now: it can change while it works. */
  readonly egress: () => RunEgress;
  readonly resolve: Resolve;
  readonly ledger: Ledger;
  /** Faces of agents that may be called; left out, none may. */
  readonly faces?: FaceCallsOptions["find"];
};

const headerBytesMax = 16 * 1024;
const headersMsMax = 20_000;
const idleMsMax = 10 * 60_000;
const connectionsMax = 200;
const socketsMax = 512;

/** Between a forwarder and its client alone. */
const ownHeaders = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authorization",
  "proxy-authenticate",
  "trailer",
];
const hopHeaders = [...ownHeaders, "te", "transfer-encoding", "content-length", "upgrade", "host"];

export class Forwarder {
  readonly server: Server;
  readonly #options: ForwarderOptions;
  readonly #inside = new Set<Duplex>();
  readonly #faces: FaceCalls | undefined;
  #open = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    const { name, faces: find, ledger } = options;
    this.#faces = find === undefined ? undefined : new FaceCalls({ name, find, ledger });
    const bounds = { maxHeaderSize: headerBytesMax, headersTimeout: headersMsMax, requestTimeout: 0 };
    // To any other protocol, and with anybody else, nothing is changed: that is a request like others.
    const shouldUpgradeCallback = (asked: IncomingMessage): boolean =>
      isSocket(asked) && this.#faceOf(asked) !== undefined;
    this.server = createServer({ ...bounds, shouldUpgradeCallback });
    // Each is a file of the daemon's, whatever its bridge thinks of it.
    this.server.maxConnections = socketsMax;
    this.server.on("connection", (socket) => {
      this.#keep(socket);
      socket.write(bridgeGreeting);
    });
    this.server.on("connect", (asked, socket, head) => void this.#connect(asked, socket, head));
    this.server.on("upgrade", (asked: IncomingMessage, inside: Socket, head: Buffer) => {
      const target = this.#faceOf(asked);
      // An older Node asks nobody whether to.
      if (target === undefined || this.#faces === undefined)
        return say(inside, 501, "Not Implemented", "signalbox: ask without Upgrade; this is changed to nothing else\n");
      const { host, port, path } = target;
      return void this.#faces.upgrade(asked, { inside, head }, { host, port }, path);
    });
    this.server.on("request", (asked, answer) => void this.#forward(asked, answer));
  }

  /** Ends calls of faces that may not be made any more. */
  recheckFaces(): void {
    this.#faces?.recheck();
  }

  /** Ends every connection; what they carried is told by then. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.server.close(() => resolve()));
    for (const socket of this.#inside) socket.destroy();
    this.server.closeAllConnections();
    await closed;
  }

  async #connect(asked: IncomingMessage, inside: Duplex, head: Buffer): Promise<void> {
    const target = readAuthority(asked.url ?? "");
    if (target === undefined) return say(inside, 400, "Bad Request", "signalbox: CONNECT wants HOST:PORT\n");
    if (this.#faces?.isFace(target) === true) return this.#faces.tunnel(inside, head, target);
    const reached = await this.#reach(target);
    if (!reached.ok) {
      const { status, phrase, body } = toRefusal(this.#options, this.#options.egress(), target, reached.refused);
      return say(inside, status, phrase, body);
    }
    inside.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    const { ledger } = this.#options;
    const isSame = await passOn({ inside, outside: reached.socket, head, host: target.host, idleMs: idleMsMax });
    this.#open--;
    if (!isSame) await ledger.tried(target, reached.address, "other-name");
    await ledger.ended(target, reached.socket.bytesWritten, reached.socket.bytesRead);
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const target = readAddress(asked.url ?? "");
    if (target === undefined) {
      const body = "signalbox: this is a forwarder; ask for http://HOST/PATH, or CONNECT to HOST:PORT\n";
      return void answer.writeHead(400, { "content-type": "text/plain", connection: "close" }).end(body);
    }
    const { host, port, path, authority } = target;
    if (this.#faces?.isFace(target) === true) return this.#faces.call(asked, answer, { host, port }, path);
    const reached = await this.#reach({ host, port });
    if (!reached.ok) {
      const { status, phrase, body } = toRefusal(this.#options, this.#options.egress(), target, reached.refused);
      return void answer.writeHead(status, phrase, { "content-type": "text/plain", connection: "close" }).end(body);
    }
    const { socket } = reached;
    await new Promise<void>((resolve) => {
      socket.once("close", () => resolve());
      socket.setTimeout(idleMsMax, () => socket.destroy());
      answer.once("close", () => socket.destroy());
      const framing = framingOf(asked.headers);
      const headers = { ...without(asked.headers, hopHeaders), ...framing, host: authority, connection: "close" };
      const outside = request({ createConnection: () => socket, method: asked.method, path, headers, setHost: false });
      outside.once("error", () => fail(answer));
      outside.once("response", (got) => {
        if (!passHead(got, answer, (name) => ownHeaders.includes(name)))
          return void outside.destroy(new Error("garbled"));
        got.once("error", () => answer.destroy());
        got.pipe(answer);
        return undefined;
      });
      asked.once("error", () => socket.destroy());
      if (framing === undefined) outside.end();
      else asked.pipe(outside);
    });
    this.#open--;
    await this.#options.ledger.ended({ host, port }, socket.bytesWritten, socket.bytesRead);
    return undefined;
  }

  /** The face that a request is for. */
  #faceOf({ url = "" }: IncomingMessage): ReturnType<typeof readAddress> {
    const target = readAddress(url);
    return target !== undefined && this.#faces?.isFace(target) === true ? target : undefined;
  }

  /** A connection that is allowed and written down, or why there is none. */
  async #reach(target: Target): Promise<Reaching> {
    const { ledger, egress, resolve } = this.#options;
    if (this.#open >= connectionsMax) {
      await ledger.tried(target, null, "too-many");
      return { ok: false, refused: "too-many", address: null };
    }
    this.#open++;
    const reached = await reach(egress(), target, resolve);
    const refused: EgressRefusal | null = reached.ok ? null : reached.refused;
    const isTold = await ledger.tried(target, reached.address, refused);
    if (reached.ok && isTold) {
      reached.socket.on("error", () => reached.socket.destroy());
      return reached;
    }
    this.#open--;
    if (reached.ok) reached.socket.destroy();
    return reached.ok ? { ok: false, refused: "no-network", address: null } : reached;
  }

  #keep(socket: Socket): void {
    this.#inside.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#inside.delete(socket));
  }
}

function say(inside: Duplex, status: number, phrase: string, body: string): void {
  const headers = `Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  partWith(inside, `HTTP/1.1 ${status} ${phrase}\r\n${headers}\r\n\r\n${body}`);
}

function fail(answer: ServerResponse): void {
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(502, { "content-type": "text/plain", connection: "close" }).end("signalbox: it broke off\n");
}

function without<T extends object>(headers: T, names: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))) as Partial<T>;
}
