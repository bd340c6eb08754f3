// The daemon's side of a keeper's socket: requests and their answers, in any order. A keeper that was lost says so to all
// who wait; the next request connects again.

import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { keeperSocketName } from "../../protocol/keeper/keeper-command.ts";
import {
  type CageOrder,
  type CommandEnd,
  type HelloAnswer,
  type KeepAnswer,
  type KeeperAnswer,
  keeperLineBytesMax,
  type KeeperOp,
  keeperProtocol,
  type ListAnswer,
  type LongKeeperRequest,
  type OpenAnswer,
  type OutputAnswer,
  type PlaceAnswer,
  type PlaceChange,
  type ProbeAnswer,
  type ProbeOp,
  type ReadAnswer,
  type ScanAnswer,
  type SearchAnswer,
  type StartAnswer,
  type StartOp,
  type StopAnswer,
} from "../../protocol/keeper/keeper-wire.ts";
import { readHanded } from "../handed-file.ts";
import { lendFile } from "../lend-file.ts";

export type RequestOptions = { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number | undefined };

type Asked = { readonly id: number; readonly op: KeeperOp["op"]; readonly line: string };

type Pending = {
  readonly socket: Socket;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** A fault that came from a keeper, with what it had to say about it. */
export class KeeperRefusal extends Fault {
  readonly data: unknown;

  constructor(answer: Extract<KeeperAnswer, { ok: false }>) {
    super(answer.code, { message: answer.message, retry: answer.retry ?? "never" });
    this.data = answer.data;
  }
}

const connectMsMax = 5000;
/** Of an answer that comes as a file. */
const answerBytesMax = 256 * 1024 * 1024;

export class KeeperClient {
  readonly folder: string;
  readonly #pending = new Map<number, Pending>();
  #socket: Promise<Socket> | undefined;
  #open: Socket | undefined;
  #lastId = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Whether its socket is open. The kernel closes that of a keeper that is gone, however it went. */
  get isConnected(): boolean {
    return this.#open?.destroyed === false;
  }

  hello(options?: RequestOptions): Promise<HelloAnswer> {
    return this.request<HelloAnswer>({ op: "hello", protocol: keeperProtocol }, options);
  }

  open(cage: CageOrder, options?: RequestOptions): Promise<OpenAnswer> {
    return this.request<OpenAnswer>({ op: "open", cage }, options);
  }

  read(path: string, options?: RequestOptions): Promise<ReadAnswer> {
    return this.request<ReadAnswer>({ op: "read", path }, options);
  }

  list(
    wish: { path: string; depth: number; limit: number; all?: boolean },
    options?: RequestOptions,
  ): Promise<ListAnswer> {
    return this.request<ListAnswer>({ op: "list", ...wish }, options);
  }

  search(
    wish: { text: string; regex: boolean; under: string; limit: number },
    options?: RequestOptions,
  ): Promise<SearchAnswer> {
    return this.request<SearchAnswer>({ op: "search", ...wish }, options);
  }

  place(tag: string, changes: readonly PlaceChange[], options?: RequestOptions): Promise<PlaceAnswer> {
    return this.request<PlaceAnswer>({ op: "place", tag, changes }, options);
  }

  scan(options?: RequestOptions & { readonly all?: boolean }): Promise<ScanAnswer> {
    return this.request<ScanAnswer>({ op: "scan", all: options?.all ?? false }, options);
  }

  keep(paths: readonly string[], outbox: string, options?: RequestOptions): Promise<KeepAnswer> {
    return this.request<KeepAnswer>({ op: "keep", paths, outbox }, options);
  }

  start(order: Omit<StartOp, "op">, options?: RequestOptions): Promise<StartAnswer> {
    return this.request<StartAnswer>({ op: "start", ...order }, options);
  }

  wait(call: string, options?: RequestOptions): Promise<CommandEnd> {
    return this.request<CommandEnd>({ op: "wait", call }, options);
  }

  async input(call: string, bytes: Uint8Array, end: boolean, options?: RequestOptions): Promise<boolean> {
    const base64 = Buffer.from(bytes).toString("base64");
    return (await this.request<{ taken: boolean }>({ op: "input", call, base64, end }, options)).taken;
  }

  output(
    call: string,
    from: { offset: number; limit: number; wait?: boolean },
    options?: RequestOptions,
  ): Promise<OutputAnswer> {
    return this.request<OutputAnswer>({ op: "output", call, ...from }, options);
  }

  stop(call: string, graceMs: number, options?: RequestOptions): Promise<StopAnswer> {
    return this.request<StopAnswer>({ op: "stop", call, graceMs }, options);
  }

  halt(on: boolean): Promise<object> {
    return this.request<object>({ op: "halt", on });
  }

  stopAll(graceMs: number, options?: RequestOptions): Promise<StopAnswer> {
    return this.request<StopAnswer>({ op: "stop-all", graceMs }, options);
  }

  probe(wish: Omit<ProbeOp, "op">, options?: RequestOptions): Promise<ProbeAnswer> {
    return this.request<ProbeAnswer>({ op: "probe", ...wish }, options);
  }

  async forget(call: string, options?: RequestOptions): Promise<void> {
    await this.request({ op: "forget", call }, options);
  }

  /** Ends everything of the agent, and the keeper. */
  async close(graceMs: number, options?: RequestOptions): Promise<void> {
    await this.request({ op: "close", graceMs }, options);
    this.disconnect();
  }

  /** Leaves; what was asked for goes on. */
  disconnect(): void {
    void this.#socket?.then(
      (socket) => socket.destroy(),
      () => undefined,
    );
    this.#socket = undefined;
  }

  async request<T>(op: KeeperOp, options: RequestOptions = {}): Promise<T> {
    options.signal?.throwIfAborted();
    const id = ++this.#lastId;
    const text = JSON.stringify({ id, ...op });
    // A keeper of an earlier release takes nothing but lines, up to this size.
    if (Buffer.byteLength(text) <= keeperLineBytesMax) return this.#ask({ id, op: op.op, line: text }, options);
    const file = join(this.folder, `request-${randomUUID()}.json`);
    try {
      // The keeper may be another user; nobody else gets into its folder.
      await lendFile(file, text);
      const line = JSON.stringify({ id, file } satisfies LongKeeperRequest);
      return await this.#ask({ id, op: op.op, line }, options);
    } finally {
      // A keeper that has read it took it away; one that was lost, or is not waited for any more, may not have.
      await rm(file, { force: true });
    }
  }

  async #ask<T>({ id, op, line }: Asked, { signal, timeoutMs }: RequestOptions): Promise<T> {
    const socket = await this.#connected();
    signal?.throwIfAborted();
    // Whoever waits for an answer is told when the socket closes, but not when it has.
    if (socket.destroyed) throw unavailable("the keeper closed the connection");
    let timer: NodeJS.Timeout | undefined;
    let abort: (() => void) | undefined;
    try {
      return (await new Promise<unknown>((resolve, reject) => {
        this.#pending.set(id, { socket, resolve, reject });
        abort = () => reject(toError(signal?.reason));
        signal?.addEventListener("abort", abort, { once: true });
        if (timeoutMs !== undefined) {
          timer = setTimeout(() => reject(unavailable(`no answer to ${op} within ${timeoutMs} ms`)), timeoutMs);
        }
        socket.write(`${line}\n`);
      })) as T;
    } finally {
      clearTimeout(timer);
      if (abort !== undefined) signal?.removeEventListener("abort", abort);
      this.#pending.delete(id);
    }
  }

  #connected(): Promise<Socket> {
    if (this.#socket !== undefined) return this.#socket;
    const connecting = this.#connect(() => {
      if (this.#socket === connecting) this.#socket = undefined;
    });
    connecting.catch(() => undefined);
    this.#socket = connecting;
    return connecting;
  }

  #connect(onClosed: () => void): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(join(this.folder, keeperSocketName));
      socket.setTimeout(connectMsMax, () => socket.destroy(unavailable("the keeper does not answer")));
      socket.once("connect", () => {
        socket.setTimeout(0);
        this.#open = socket;
        resolve(socket);
      });
      socket.on("error", (cause) => {
        onClosed();
        reject(unavailable(cause.message, cause));
      });
      socket.on("close", () => {
        onClosed();
        reject(unavailable("the keeper closed the connection"));
        // Whether it happened is not known; asking again under the same call or tag tells.
        for (const each of this.#pending.values()) {
          if (each.socket === socket) each.reject(unavailable("the keeper was lost"));
        }
      });
      readLines(socket, (line) => this.#take(line));
    });
  }

  #take(line: string): void {
    const answer = JSON.parse(line) as KeeperAnswer;
    const pending = this.#pending.get(answer.id);
    if (pending === undefined) return;
    if (!answer.ok) pending.reject(new KeeperRefusal(answer));
    else if ("value" in answer) pending.resolve(answer.value);
    else pending.resolve(takeFile(answer.file, this.folder));
  }
}

function readLines(socket: Socket, take: (line: string) => void): void {
  let held: Buffer[] = [];
  socket.on("data", (data: Buffer) => {
    let rest = data;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...held, rest.subarray(0, end)]);
      held = [];
      rest = rest.subarray(end + 1);
      take(line.toString("utf8"));
    }
    if (rest.length > 0) held.push(rest);
  });
}

async function takeFile(file: string, folder: string): Promise<unknown> {
  const bytes = await readHanded({ file, folder, bytesMax: answerBytesMax });
  await rm(file, { force: true });
  return JSON.parse(bytes.toString("utf8")) as unknown;
}

function unavailable(why: string, cause?: unknown): Fault {
  return new Fault("keeper-unavailable", { retry: "later", cause, message: `the keeper cannot be reached: ${why}` });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
