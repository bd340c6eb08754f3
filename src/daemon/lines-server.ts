// JSON lines over a Unix socket. Requests of a connection run side by side; answers of one tick leave in one write. A
// client that asks without reading the answers is not read from until it does.

import { chmodSync, mkdirSync, rmSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { socketPathBytesMax } from "../base/socket-path.ts";
import { refuse } from "../base/result.ts";
import { toWireError } from "../protocol/errors.ts";
import { parseJson } from "../protocol/json.ts";
import { limits } from "../protocol/limits.ts";
import type { Caller, Reply } from "./context.ts";
import type { Dispatcher } from "./dispatcher.ts";

const underWayMax = 4096;
const unsentBytesMax = 8_388_608;

export type LinesServer = { readonly path: string; close(): Promise<void> };

export function socketPathOf(home: string): string {
  return path.join(home, "run", "signalbox.sock");
}

/** Listens in the home. Null when the path is longer than a socket's may be; HTTP then does everything. */
export async function startLinesServer(
  home: string,
  dispatcher: Dispatcher,
  person: string,
): Promise<LinesServer | null> {
  const file = socketPathOf(home);
  if (Buffer.byteLength(file) > socketPathBytesMax) return null;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  chmodSync(path.dirname(file), 0o700);
  // The home is ours alone, so whatever lies here was left by a daemon that is gone.
  rmSync(file, { force: true });
  const connections = new Set<LineConnection>();
  const server = net.createServer((socket) => {
    const connection = new LineConnection(socket, dispatcher, person);
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(file, resolve);
  });
  chmodSync(file, 0o600);
  return {
    path: file,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.end();
      await closed;
    },
  };
}

class LineConnection {
  readonly #socket: net.Socket;
  readonly #dispatcher: Dispatcher;
  readonly #person: string;
  readonly #gone = new AbortController();
  readonly #callers: { readonly person: Caller; readonly mcp: Caller };
  #rest = "";
  #out = "";
  #underWay = 0;

  constructor(socket: net.Socket, dispatcher: Dispatcher, person: string) {
    this.#socket = socket;
    this.#dispatcher = dispatcher;
    this.#person = person;
    const { signal } = this.#gone;
    this.#callers = {
      person: { actor: this.#person, face: "person", signal, connection: signal },
      mcp: { actor: "agent:mcp", face: "mcp", signal, connection: signal },
    };
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => this.#take(chunk));
    socket.on("drain", () => this.#regulate());
    socket.on("error", () => undefined);
    socket.on("close", () => this.#gone.abort());
  }

  /** Says what there is to say and hangs up. */
  end(): void {
    this.#gone.abort();
    this.#flush();
    this.#socket.end(() => this.#socket.destroy());
  }

  #take(chunk: string): void {
    const text = this.#rest === "" ? chunk : this.#rest + chunk;
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      if (end > start) this.#handle(text.slice(start, end));
      start = end + 1;
    }
    this.#rest = start === 0 ? text : text.slice(start);
    if (this.#rest.length > limits.requestBytesMax) {
      this.#rest = "";
      this.#say(null, refuse(toWireError("too-large", { why: `a line has at most ${limits.requestBytesMax} bytes` })));
      this.end();
    }
    this.#regulate();
  }

  #handle(line: string): void {
    if (line.length > limits.requestBytesMax) {
      return this.#say(
        null,
        refuse(toWireError("too-large", { why: `a line has at most ${limits.requestBytesMax} bytes` })),
      );
    }
    const parsed = parseJson(line);
    if (!parsed.ok) return this.#say(null, refuse(toWireError(parsed.refusal.code, { why: parsed.refusal.why })));
    const request = parsed.value as { id?: unknown; op?: unknown; input?: unknown; face?: unknown } | null;
    const id = request?.id;
    if (typeof id !== "number" || !Number.isSafeInteger(id)) {
      return this.#say(
        null,
        refuse(toWireError("bad-input", { where: "id", why: "a request has a whole number as id" })),
      );
    }
    if (typeof request?.op !== "string") {
      return this.#say(id, refuse(toWireError("bad-input", { where: "op", why: "a request names an operation" })));
    }
    this.#underWay++;
    // Whoever says anything about its face is a model: naming another one gains nothing.
    const caller = request.face === undefined ? this.#callers.person : this.#callers.mcp;
    this.#dispatcher.dispatch(request.op, request.input, caller, (outcome) => {
      this.#underWay--;
      this.#say(id, outcome);
      if (this.#socket.isPaused()) this.#regulate();
    });
    return undefined;
  }

  #say(id: number | null, outcome: Parameters<Reply>[0]): void {
    const reply = outcome.ok ? { id, ok: true, value: outcome.value } : { id, ok: false, error: outcome.refusal };
    if (this.#out === "") queueMicrotask(() => this.#flush());
    this.#out += `${JSON.stringify(reply)}\n`;
  }

  #flush(): void {
    const out = this.#out;
    this.#out = "";
    if (out !== "" && this.#socket.writable) this.#socket.write(out);
  }

  #regulate(): void {
    const full = this.#underWay >= underWayMax || this.#socket.writableLength > unsentBytesMax;
    if (full && !this.#socket.isPaused()) this.#socket.pause();
    else if (!full && this.#socket.isPaused()) this.#socket.resume();
  }
}
