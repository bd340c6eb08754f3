// Faces of agents, called from inside a cage: by a name that the forwarder knows, with a key that it adds outside. What is
// carried are requests; everything else about them is decided where faces are answered.

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Agent } from "../../core/agent/agent-state.ts";
import type { Target } from "../../core/egress/egress.ts";
import { faceKeyHeader } from "../../protocol/face-host.ts";
import { framingOf, passHead } from "./carried.ts";
import type { Ledger } from "./ledger.ts";

/** A face that there is, and how it is called. */
export type CallableFace = {
  readonly agent: Agent;
  readonly face: string;
  /** The daemon's own port, and the host that means the face there. */
  readonly port: number;
  readonly host: string;
  /** What opens this face alone. It is never inside a cage. */
  readonly key: string;
};

export type FaceCallsOptions = {
  /** Whose calls these are, for messages. */
  readonly name: string;
  /** Undefined where there is no such face, or it may not be called. */
  readonly find: (label: string) => CallableFace | undefined;
  readonly ledger: Ledger;
};

/** What stands behind a face's label. Most programs take names below localhost for their own machine, and ask nobody. */
const domains = /^([a-z0-9-]+)\.(?:faces|localhost)$/;
const answerMsMax = 300_000;
/** Of one cage at once: each is a connection of the daemon's own. */
const callsMax = 64;
/** Between a client and us alone, or for us alone. */
const unforwarded = new Set([
  ...["connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer", "upgrade", "host"],
  ...["transfer-encoding", "content-length", "expect", faceKeyHeader],
]);

export class FaceCalls {
  readonly #options: FaceCallsOptions;
  /** Reads requests off connections that were asked for as tunnels. */
  readonly #tunnelled: Server;
  readonly #targets = new WeakMap<Duplex, Target>();
  #under = 0;

  constructor(options: FaceCallsOptions) {
    this.#options = options;
    this.#tunnelled = createServer((asked, answer) => {
      const target = this.#targets.get(asked.socket);
      if (target === undefined) answer.destroy();
      else void this.call(asked, answer, target, asked.url ?? "/");
    });
  }

  /** Whether a host is a face's, whether there is such a face or not. */
  isFace({ host }: Target): boolean {
    return domains.test(host);
  }

  /** Takes a connection over, as if it went to the face. */
  tunnel(inside: Duplex, head: Buffer, target: Target): void {
    inside.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) inside.unshift(head);
    this.#targets.set(inside, target);
    this.#tunnelled.emit("connection", inside);
  }

  async call(asked: IncomingMessage, answer: ServerResponse, target: Target, path: string): Promise<void> {
    if (this.#under >= callsMax) {
      await this.#options.ledger.tried(target, null, "too-many");
      return refuse(answer, 429, `${callsMax} calls of faces are under way already; try again when one is over`);
    }
    this.#under++;
    try {
      await this.#carry(asked, answer, target, path);
    } finally {
      this.#under--;
    }
  }

  async #carry(asked: IncomingMessage, answer: ServerResponse, target: Target, path: string): Promise<void> {
    const { ledger, find } = this.#options;
    const [, label = ""] = domains.exec(target.host) ?? [];
    const found = find(label);
    const isTold = await ledger.tried(target, null, found === undefined ? "not-listed" : null);
    if (found === undefined) return refuse(answer, 403, this.#whyNot(label));
    if (!isTold) return refuse(answer, 503, "it cannot be written down now; try again");
    const passed = { out: 0, in: 0 };
    // Whoever has left meanwhile is not told of leaving once more.
    if (answer.destroyed) return ledger.ended(target, passed.out, passed.in);
    await new Promise<void>((resolve) => {
      answer.once("close", () => resolve());
      const framing = framingOf(asked.headers);
      const headers = { ...kept(asked), ...framing, host: found.host, [faceKeyHeader]: found.key };
      const to = { host: "127.0.0.1", port: found.port, method: asked.method, path, headers, setHost: false };
      // A connection for each: whatever one run gets onto it is heard by nobody else.
      const outside = request({ ...to, agent: false, timeout: answerMsMax });
      outside.once("error", () => refuse(answer, 502, `${label} broke off`));
      outside.once("timeout", () => outside.destroy());
      outside.once("response", (got) => {
        if (!passHead(got, answer, (name) => name !== "content-length" && unforwarded.has(name)))
          return void outside.destroy(new Error("garbled"));
        got.on("data", (bytes: Buffer) => (passed.in += bytes.length)).once("error", () => answer.destroy());
        got.pipe(answer);
        return undefined;
      });
      answer.once("close", () => outside.destroy());
      asked.on("data", (bytes: Buffer) => (passed.out += bytes.length)).once("error", () => outside.destroy());
      if (framing === undefined) outside.end();
      else asked.pipe(outside);
    });
    await ledger.ended(target, passed.out, passed.in);
  }

  #whyNot(label: string): string {
    return `there is no face ${label} that ${this.#options.name} may call. A person can name it in the profile: signalbox profile set PROFILE --face AGENT/FACE`;
  }
}

function refuse(answer: ServerResponse, status: number, sentence: string): void {
  if (answer.headersSent) return void answer.destroy();
  answer.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(`signalbox: ${sentence}\n`);
  return undefined;
}

function kept({ headers }: IncomingMessage): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !unforwarded.has(name)));
}
