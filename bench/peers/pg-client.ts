// A bare client of PostgreSQL over its socket: prepared statements that are pipelined, and COPY. Messages are prepared
// once where they do not change, so that the row measures the server and not a library.

import net from "node:net";

/** The tag of the command, `INSERT 0 1`, and its first value, or what the server complained about. */
export type PgReply = { readonly tag: string; readonly value: string | null; readonly error: string | null };

type Waiting = (reply: PgReply) => void;

export class PgClient {
  readonly #socket: net.Socket;
  readonly #pending: Waiting[] = [];
  #unsent: Buffer[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #tag = "";
  #value: string | null = null;
  #error: string | null = null;

  private constructor(socket: net.Socket, ready: Waiting) {
    this.#socket = socket;
    this.#pending.push(ready);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    // A server that is still starting complains and hangs up.
    socket.on("close", () => {
      const error = this.#error ?? "the connection is gone";
      for (const waiting of this.#pending.splice(0)) waiting({ tag: "", value: null, error });
    });
  }

  static connect(path: string, user: string): Promise<PgClient> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(path);
      socket.on("error", reject);
      socket.once("connect", () => {
        const client: PgClient = new PgClient(socket, ({ error }) => {
          if (error === null) resolve(client);
          else reject(new Error(error));
        });
        const body = Buffer.from(`\0\x03\0\0user\0${user}\0database\0postgres\0\0`, "latin1");
        socket.write(Buffer.concat([lengthOf(body), body]));
      });
    });
  }

  /** Sends messages that end with one answer. */
  send(messages: Buffer): Promise<PgReply> {
    return new Promise((resolve) => {
      this.#pending.push(resolve);
      if (this.#unsent.length === 0) queueMicrotask(() => this.#flush());
      this.#unsent.push(messages);
    });
  }

  async query(sql: string): Promise<PgReply> {
    const reply = await this.send(message("Q", Buffer.from(`${sql}\0`)));
    if (reply.error !== null) throw new Error(`${reply.error} in ${sql}`);
    return reply;
  }

  /** Prepares a statement under a name; `bind` then makes the messages that run it. */
  async prepare(name: string, sql: string): Promise<void> {
    const parse = message("P", Buffer.from(`${name}\0${sql}\0\0\0`));
    const reply = await this.send(Buffer.concat([parse, sync]));
    if (reply.error !== null) throw new Error(`${reply.error} in ${sql}`);
  }

  close(): void {
    this.#socket.end(message("X", Buffer.alloc(0)));
  }

  #flush(): void {
    this.#socket.write(this.#unsent.length === 1 ? (this.#unsent[0] ?? "") : Buffer.concat(this.#unsent));
    this.#unsent = [];
  }

  #take(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length - at >= 5) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      this.#hear(String.fromCharCode(bytes[at] ?? 0), bytes.subarray(at + 5, end));
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }

  #hear(type: string, body: Buffer): void {
    if (type === "C") this.#tag = body.toString("latin1", 0, body.length - 1);
    else if (type === "E") this.#error ??= body.toString("utf8").replaceAll("\0", " ").trim();
    else if (type === "D")
      this.#value ??= body.readInt32BE(2) < 0 ? null : body.toString("utf8", 6, 6 + body.readInt32BE(2));
    else if (type === "Z") {
      const reply = { tag: this.#tag, value: this.#value, error: this.#error };
      this.#tag = "";
      this.#value = null;
      this.#error = null;
      this.#pending.shift()?.(reply);
    }
  }
}

/** The messages that run a prepared statement with these values. */
export function bind(statement: string, values: readonly string[]): Buffer {
  const counts = Buffer.alloc(4);
  counts.writeInt16BE(values.length, 2);
  const parts = values.flatMap((value) => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length);
    return [length, bytes];
  });
  const body = Buffer.concat([Buffer.from(`\0${statement}\0`), counts, ...parts, Buffer.from([0, 0])]);
  return Buffer.concat([message("B", body), message("E", Buffer.from([0, 0, 0, 0, 0])), sync]);
}

/** The messages that copy lines into a table, all sent at once: waiting for leave would cost a round trip. */
export function copy(sql: string, lines: string): Buffer {
  return Buffer.concat([
    message("Q", Buffer.from(`${sql}\0`)),
    message("d", Buffer.from(lines)),
    message("c", Buffer.alloc(0)),
  ]);
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type, "latin1"), lengthOf(body), body]);
}

/** The length of a message counts itself. */
function lengthOf(body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return length;
}

const sync = message("S", Buffer.alloc(0));
