// Faces of agents, called from inside a cage: by a name that the forwarder knows, with a key that it adds outside. What is
// carried are requests; everything else about them is decided where faces are answered.

import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Agent } from "../../core/agent/agent-state.ts";
import type { Target } from "../../core/egress/egress.ts";
import { faceKeyHeader } from "../../protocol/face-host.ts";
import { framingOf, passHead } from "./carried.ts";
import { carrySocket, isSocket, type Passed, sayNo } from "./face-sockets.ts";
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
  /** The run by whose profile it may be called from an agent; left out, whoever has the cage may. */
  readonly tenant?: string;
};

/** A call that is under way, and how it is ended before its time. */
type Under = { readonly label: string; readonly tenant: string | undefined; readonly end: () => void };

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
  readonly #under = new Set<Under>();

  constructor(options: FaceCallsOptions) {
    this.#options = options;
    this.#tunnelled = createServer({ shouldUpgradeCallback: isSocket }, (asked, answer) => {
      const target = this.#targets.get(asked.socket);
      if (target === undefined) answer.destroy();
      else void this.call(asked, answer, target, asked.url ?? "/");
    });
    this.#tunnelled.on("upgrade", (asked: IncomingMessage, inside: Socket, head: Buffer) => {
      const target = this.#targets.get(inside);
      // A Node that does not ask which upgrades are wanted tells of all of them.
      if (target === undefined || !isSocket(asked)) inside.destroy();
      else void this.upgrade(asked, { inside, head }, target, asked.url ?? "/");
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

  /** Ends what may not be called any more, or by another run's profile than it was begun. */
  recheck(): void {
    for (const { label, tenant, end } of this.#under) {
      const found = this.#options.find(label);
      if (found === undefined || found.tenant !== tenant) end();
    }
  }

  call(asked: IncomingMessage, answer: ServerResponse, target: Target, path: string): Promise<void> {
    const no = (status: number, sentence: string): void => refuse(answer, status, sentence);
    const end = (): void => void answer.destroy();
    return this.#within(target, { no, end }, (found) =>
      carry(asked, answer, toFace(asked, found, target, path), brokeOff(found)),
    );
  }

  /** The same for a WebSocket. */
  upgrade(
    asked: IncomingMessage,
    { inside, head }: { readonly inside: Socket; readonly head: Buffer },
    target: Target,
    path: string,
  ): Promise<void> {
    // Whoever leaves while it is written down leaves nothing.
    inside.on("error", () => inside.destroy());
    const no = (status: number, sentence: string): void => sayNo(inside, status, sentence);
    const end = (): void => void inside.destroy();
    return this.#within(target, { no, end }, (found) => {
      const { headers, ...to } = toFace(asked, found, target, path);
      const upgrading = { ...headers, connection: "Upgrade", upgrade: "websocket" };
      const broken = brokeOff(found);
      return carrySocket(request({ ...to, headers: upgrading }), { inside, head, broken });
    });
  }

  /** Counts a call, and writes it down before its first byte and after its last. */
  async #within(
    target: Target,
    { no, end }: { readonly no: (status: number, sentence: string) => void; readonly end: () => void },
    go: (found: CallableFace) => Promise<Passed>,
  ): Promise<void> {
    const { ledger, find } = this.#options;
    if (this.#under.size >= callsMax) {
      await ledger.tried(target, null, "too-many");
      return no(429, `${callsMax} calls of faces are under way already; try again when one is over`);
    }
    const [, label = ""] = domains.exec(target.host) ?? [];
    const found = find(label);
    const by = found?.tenant === undefined ? {} : { tenant: found.tenant };
    const under: Under = { label, tenant: found?.tenant, end };
    this.#under.add(under);
    try {
      const isTold = await ledger.tried(target, null, found === undefined ? "not-listed" : null, by);
      if (found === undefined) return no(403, this.#whyNot(label));
      if (!isTold) return no(503, "it cannot be written down now; try again");
      const passed = await go(found);
      await ledger.ended(target, passed.out, passed.in, by);
    } finally {
      this.#under.delete(under);
    }
    return undefined;
  }

  #whyNot(label: string): string {
    return `there is no face ${label} that ${this.#options.name} may call. A person can name it in the profile: signalbox profile set PROFILE --face AGENT/FACE`;
  }
}

function brokeOff({ host }: CallableFace): string {
  return `${host.split(".")[0]} broke off`;
}

/** How a face is asked. A connection for each: whatever one run gets onto it is heard by nobody else. */
function toFace(asked: IncomingMessage, found: CallableFace, target: Target, path: string) {
  const headers: OutgoingHttpHeaders = { ...kept(asked), host: found.host, [faceKeyHeader]: found.key };
  // A page of the face, looked at from inside, is its own page there too.
  if (isOwnOrigin(asked.headers.origin, target)) headers["origin"] = `http://${found.host}`;
  const to = { host: "127.0.0.1", port: found.port, method: asked.method, path, headers, setHost: false };
  return { ...to, agent: false, timeout: answerMsMax } as const;
}

function isOwnOrigin(origin: string | undefined, { host, port }: Target): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { protocol, hostname, port: said } = new URL(origin);
  return protocol === "http:" && hostname === host && Number(said === "" ? 80 : said) === port;
}

async function carry(
  asked: IncomingMessage,
  answer: ServerResponse,
  { headers, ...to }: ReturnType<typeof toFace>,
  broken: string,
): Promise<Passed> {
  const passed = { out: 0, in: 0 };
  // Whoever has left meanwhile is not told of leaving once more.
  if (answer.destroyed) return passed;
  await new Promise<void>((resolve) => {
    answer.once("close", () => resolve());
    const framing = framingOf(asked.headers);
    const outside = request({ ...to, headers: { ...headers, ...framing } });
    outside.once("error", () => refuse(answer, 502, broken));
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
  return passed;
}

function refuse(answer: ServerResponse, status: number, sentence: string): void {
  if (answer.headersSent) return void answer.destroy();
  answer.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(`signalbox: ${sentence}\n`);
  return undefined;
}

function kept({ headers }: IncomingMessage): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !unforwarded.has(name)));
}
