// Requests as JSON lines over a socket that somebody else opens: this file knows no Node. Many requests are under way at
// once; those of one tick leave in one write.

import { ProtocolError, protocolError } from "../protocol/errors.ts";
import type { LineReply, LineRequest } from "../protocol/lines.ts";
import type { OperationName } from "../protocol/operations.ts";
import type { Transport } from "./transport.ts";

/** What is needed of a socket. Node's `net.Socket` is one: `() => net.connect(path)`. */
export interface LineSocket {
  write(text: string): unknown;
  destroy(): unknown;
  setEncoding(encoding: "utf8"): unknown;
  on(event: "data", listener: (chunk: string) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

export type LinesOptions = {
  /** Opens the socket; called again when a request comes after the connection broke. */
  readonly open: () => LineSocket;
  /** Where it leads, for messages. */
  readonly where?: string | undefined;
  readonly face?: "mcp" | undefined;
};

type Pending = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

export function makeLinesTransport(options: LinesOptions): Transport {
  return new LinesTransport(options);
}

class LinesTransport implements Transport {
  readonly #options: LinesOptions;
  #pending = new Map<number, Pending>();
  #socket: LineSocket | undefined;
  #nextId = 1;
  #unsent = "";
  #rest = "";
  #heard = false;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  call(name: OperationName, input: unknown, signal?: AbortSignal): Promise<unknown> {
    if (signal?.aborted === true) return Promise.reject(toAbort(signal));
    return new Promise((resolve, reject) => {
      const socket = (this.#socket ??= this.#connect());
      const id = this.#nextId++;
      this.#pending.set(id, signal === undefined ? { resolve, reject } : this.#abortable(id, signal, resolve, reject));
      const { face } = this.#options;
      const request: LineRequest = face === undefined ? { id, op: name, input } : { id, op: name, input, face };
      if (this.#unsent === "") queueMicrotask(() => this.#flush(socket));
      this.#unsent += `${JSON.stringify(request)}\n`;
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#drop(undefined);
  }

  #abortable(id: number, signal: AbortSignal, resolve: Pending["resolve"], reject: Pending["reject"]): Pending {
    const abort = (): void => {
      if (this.#pending.delete(id)) reject(toAbort(signal));
    };
    signal.addEventListener("abort", abort, { once: true });
    return {
      resolve: (value) => {
        signal.removeEventListener("abort", abort);
        resolve(value);
      },
      reject: (error) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      },
    };
  }

  #connect(): LineSocket {
    const socket = this.#options.open();
    this.#rest = "";
    this.#heard = false;
    let cause: Error | undefined;
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      if (this.#socket === socket) this.#take(chunk);
    });
    socket.on("error", (error) => {
      cause = error;
    });
    socket.on("close", () => {
      if (this.#socket === socket) this.#drop(cause);
    });
    return socket;
  }

  #flush(socket: LineSocket): void {
    const text = this.#unsent;
    this.#unsent = "";
    if (this.#socket === socket && text !== "") socket.write(text);
  }

  #take(chunk: string): void {
    this.#heard = true;
    const text = this.#rest === "" ? chunk : this.#rest + chunk;
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#settle(JSON.parse(text.slice(start, end)) as LineReply);
      start = end + 1;
    }
    this.#rest = text.slice(start);
  }

  #settle(reply: LineReply): void {
    const pending = reply.id === null ? undefined : this.#pending.get(reply.id);
    if (pending === undefined || reply.id === null) return;
    this.#pending.delete(reply.id);
    if (reply.ok) pending.resolve(reply.value);
    else pending.reject(new ProtocolError(reply.error));
  }

  /** The connection is gone. What was asked may or may not have happened, unless nobody ever answered at all. */
  #drop(cause: Error | undefined): void {
    const pending = this.#pending;
    const refused = !this.#heard && isRefused(cause);
    this.#pending = new Map();
    this.#socket = undefined;
    this.#unsent = "";
    for (const { reject } of pending.values()) {
      reject(
        protocolError(refused ? "daemon-not-running" : "connection-lost", { where: this.#options.where }, { cause }),
      );
    }
  }
}

const nobodyThere: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED", "ENOTSOCK", "EACCES"]);

function isRefused(cause: Error | undefined): boolean {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && nobodyThere.has(code);
}

function toAbort(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error("the request was given up");
}
