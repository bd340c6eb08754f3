// Servers of tools that a profile gives to its runs, asked for them outside of their cages: with secrets that no cage has, by the
// rules for the run's network, and written down with it. Neither the run nor the server need be honest.

import type { IncomingMessage, ServerResponse } from "node:http";
import { egressOf, type Target } from "../../core/egress/egress.ts";
import type { EgressInput } from "../../core/egress/egress-events.ts";
import type { Logged } from "../../core/events.ts";
import type { McpServer } from "../../core/profile/mcp-server.ts";
import type { Run } from "../../core/run/run-state.ts";
import { isOver, takesSlot } from "../../core/run/run-states.ts";
import { rootOf, type State } from "../../core/state.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SecretStore } from "../../ports/secret-store.ts";
import { ProtocolError, toWireError } from "../../protocol/errors.ts";
import { type CallableFace, FaceCalls } from "../egress/face-calls.ts";
import { Ledger } from "../egress/ledger.ts";
import { reach, type Resolve } from "../egress/reach.ts";
import { toRefusal } from "../egress/refusal-text.ts";
import type { HeldBytes } from "../relay/held-bytes.ts";
import { readBody } from "../relay/read-body.ts";
import { type Asked, askServer } from "./ask-server.ts";
import { headersFor } from "./server-headers.ts";
import { ServerNo } from "./server-no.ts";

export type McpServersOptions = {
  readonly state: () => State;
  readonly secrets: Pick<SecretStore, "get">;
  readonly resolve: Resolve;
  readonly clock: Pick<Clock, "setTimer">;
  /** What is held of requests, of all cages. */
  readonly held: HeldBytes;
  /** Resolves with whether it is durable. */
  readonly report: (input: EgressInput) => Promise<boolean>;
  /** Faces of agents by their labels. */
  readonly faces: (label: string) => CallableFace | undefined;
  readonly onDefect: (error: unknown) => void;
  readonly idleMsMax?: number;
};

type ByUrl = Extract<McpServer, { url: string }>;
type ByFace = Extract<McpServer, { face: string }>;
/** What passes between one run and all its servers. */
type Traffic = { readonly ledger: Ledger; open: number };

const methods = ["POST", "GET", "DELETE"];
const bodyBytesMax = 16_777_216;
/** Of one run at the same time; each may be a stream that stays. */
const requestsMax = 64;
/** A tool may take long. */
const idleMsMaxDefault = 600_000;
const facePathDefault = "/mcp";
const retryAfterS = 5;

export class McpServers {
  readonly #options: McpServersOptions;
  readonly #traffic = new Map<string, Traffic>();

  constructor(options: McpServersOptions) {
    this.#options = options;
  }

  /** Asks a server for a run that was let in. It never throws: whoever asks hears what is in the way. */
  async carry(id: string, name: string, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const run = this.#options.state().runs.get(id);
    // Of one that is over nothing is counted any more: nobody would forget it.
    if (run === undefined || isOver(run.state)) return refuse(answer, name, new ServerNo(404, `${id} is over`));
    const traffic = this.#trafficOf(id);
    if (traffic.open >= requestsMax)
      return refuse(answer, name, new ServerNo(429, `${requestsMax} requests are under way`));
    traffic.open++;
    try {
      await this.#carry(id, name, { asked, answer, ledger: traffic.ledger });
    } catch (error) {
      refuse(answer, name, this.#toNo(error));
      asked.resume();
    } finally {
      traffic.open--;
    }
  }

  /** A run that is over asks nobody; what passed is told. */
  hear(events: readonly Logged[]): void {
    for (const event of events) if (event.type === "run.moved" && isOver(event.to)) this.#forget(event.run);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#traffic.values()].map(({ ledger }) => ledger.close()));
  }

  #forget(run: string): void {
    const traffic = this.#traffic.get(run);
    this.#traffic.delete(run);
    void traffic?.ledger.close().catch(this.#options.onDefect);
  }

  #trafficOf(run: string): Traffic {
    const known = this.#traffic.get(run);
    if (known !== undefined) return known;
    const traffic = { ledger: new Ledger({ run }, this.#options.report, this.#options.clock), open: 0 };
    this.#traffic.set(run, traffic);
    return traffic;
  }

  async #carry(id: string, name: string, passing: Passing): Promise<void> {
    const { method = "" } = passing.asked;
    const run = this.#options.state().runs.get(id);
    const { mcpServers = {} } = run?.settings ?? {};
    const server = Object.hasOwn(mcpServers, name) ? mcpServers[name] : undefined;
    if (run === undefined || server === undefined || "command" in server)
      throw new ServerNo(404, "the run's profile names no such server");
    if (!methods.includes(method)) throw new ServerNo(405, `${method} is nothing that servers of tools are asked`);
    // Whoever waits or is paused does nothing; an assistant that asks again then is heard.
    if (run.lost || !takesSlot(run.state)) throw new ServerNo(503, `${id} is ${run.state}`);
    if ("face" in server) await this.#askFace(run, server, passing);
    else await this.#askUrl(run, server, passing);
  }

  async #askUrl(run: Run, server: ByUrl, { asked, answer, ledger }: Passing): Promise<void> {
    const { state, secrets, held } = this.#options;
    const { headers, values } = await headersFor(server, secrets);
    const cage = rootOf(state(), run).id;
    const body = await readBody(asked, {
      bytesMax: bodyBytesMax,
      room: (bytes, left) => held.take(cage, bytes, left),
    });
    if (body === "cage") throw new ServerNo(429, "requests of this run that are under way have no room for more");
    if (body === "pool") throw new ServerNo(503, "requests of all runs that are under way have no room for more");
    try {
      await this.#askJudged(run, server, { headers, values, body: body.bytes }, { asked, answer, ledger });
    } finally {
      body.room.release();
    }
  }

  async #askJudged(
    run: Run,
    server: ByUrl,
    sent: Pick<Asked, "headers" | "values" | "body">,
    { asked, answer, ledger }: Passing,
  ): Promise<void> {
    const { state, resolve, idleMsMax = idleMsMaxDefault } = this.#options;
    const url = new URL(server.url);
    const target = targetOf(url);
    const egress = egressOf(state(), run);
    const reached = await reach(egress, target, resolve);
    const isTold = await ledger.tried(target, reached.address, reached.ok ? null : reached.refused);
    if (!reached.ok) {
      const whose = { kind: "run", name: run.id, project: () => projectName(state(), run) } as const;
      const { status, body: why } = toRefusal(whose, egress, target, reached.refused);
      throw new ServerNo(status, why.replace(/^signalbox: /, "").trim());
    }
    const { socket } = reached;
    try {
      if (!isTold) throw new ServerNo(503, "it cannot be written down now; try again");
      await askServer({ ...sent, url, socket, idleMsMax }, asked, answer);
    } finally {
      socket.destroy();
      await ledger.ended(target, socket.bytesWritten, socket.bytesRead);
    }
  }

  /** A face that the profile names as a server may be called as one that it names as a face (FC15), by this way alone. */
  async #askFace(
    run: Run,
    { face, path = facePathDefault }: ByFace,
    { asked, answer, ledger }: Passing,
  ): Promise<void> {
    const { state, faces } = this.#options;
    const root = rootOf(state(), run);
    const label = face.replace("/", "-");
    const mayCall = ({ agent, face: name }: CallableFace): boolean =>
      root.caged && agent.project === run.project && `${agent.name}/${name}` === face;
    const find = (sought: string): CallableFace | undefined => {
      const found = faces(sought);
      return found !== undefined && mayCall(found) ? found : undefined;
    };
    // What lets the run in here is nobody else's to know.
    delete asked.headers.authorization;
    const calls = new FaceCalls({ name: run.id, find, ledger });
    await calls.call(asked, answer, { host: `${label}.faces`, port: 80 }, path);
  }

  #toNo(error: unknown): ServerNo {
    if (error instanceof ServerNo) return error;
    if (error instanceof ProtocolError)
      return new ServerNo(error.toWire().code === "too-large" ? 413 : 502, error.message);
    this.#options.onDefect(error);
    return new ServerNo(500, "something went wrong in the daemon; its output has more");
  }
}

type Passing = { readonly asked: IncomingMessage; readonly answer: ServerResponse; readonly ledger: Ledger };

function targetOf({ hostname, port, protocol }: URL): Target {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

function projectName(state: State, run: Run): string {
  return state.projects.get(run.project)?.name ?? run.project;
}

/** In the form of the protocol that these servers speak, so that assistants show the sentence. */
function refuse(answer: ServerResponse, server: string, { status, why }: ServerNo): void {
  if (answer.headersSent || answer.destroyed) return void answer.destroy();
  const wire = toWireError("tool-server-failed", { server, why });
  const error = { code: -32_000, message: `${wire.message} [signalbox: ${wire.code}]` };
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
  answer.writeHead(status, {
    ...{ "content-type": "application/json", "content-length": String(body.length), connection: "close" },
    ...(status === 503 || status === 429 ? { "retry-after": String(retryAfterS) } : {}),
    "x-signalbox-code": wire.code,
  });
  answer.end(body);
}
