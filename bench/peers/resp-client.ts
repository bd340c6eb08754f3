// A bare client of Redis: pipelined, one write per tick, nothing parsed that is not needed. A library would spend its own
// time, and the row is about the server.

import net from "node:net";

export type RespReply = string | number | null | Error | readonly RespReply[];

export class RespClient {
  readonly #socket: net.Socket;
  readonly #pending: ((reply: RespReply) => void)[] = [];
  #head = 0;
  #unsent = "";
  #rest = "";

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => this.#take(chunk));
  }

  static connect(path: string): Promise<RespClient> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(path);
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        socket.on("error", () => socket.destroy());
        resolve(new RespClient(socket));
      });
    });
  }

  /** Sends a command that `encode` has made. */
  send(encoded: string): Promise<RespReply> {
    return new Promise((resolve) => {
      this.#pending.push(resolve);
      if (this.#unsent === "") queueMicrotask(() => this.#flush());
      this.#unsent += encoded;
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #flush(): void {
    this.#socket.write(this.#unsent, "latin1");
    this.#unsent = "";
  }

  #take(chunk: string): void {
    const text = this.#rest + chunk;
    let at = 0;
    for (;;) {
      const parsed = parseReply(text, at);
      if (parsed === undefined) break;
      at = parsed.end;
      this.#settle(parsed.reply);
    }
    this.#rest = text.slice(at);
  }

  #settle(reply: RespReply): void {
    this.#pending[this.#head++]?.(reply);
    if (this.#head < this.#pending.length) return;
    this.#pending.length = 0;
    this.#head = 0;
  }
}

export function encode(...parts: readonly string[]): string {
  return `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join("")}`;
}

/** Reads the reply that starts at `at`, or nothing when it is not all there. */
export function parseReply(text: string, at: number): { reply: RespReply; end: number } | undefined {
  const lineEnd = text.indexOf("\r\n", at);
  if (lineEnd < 0) return undefined;
  const line = text.slice(at + 1, lineEnd);
  const next = lineEnd + 2;
  switch (text[at]) {
    case "+":
      return { reply: line, end: next };
    case ":":
      return { reply: Number(line), end: next };
    case "-":
      return { reply: new Error(line), end: next };
    case "$": {
      const length = Number(line);
      if (length < 0) return { reply: null, end: next };
      const end = next + length + 2;
      return text.length < end ? undefined : { reply: text.slice(next, end - 2), end };
    }
    case "*": {
      const items: RespReply[] = [];
      let end = next;
      for (let left = Number(line); left > 0; left--) {
        const item = parseReply(text, end);
        if (item === undefined) return undefined;
        items.push(item.reply);
        end = item.end;
      }
      return { reply: Number(line) < 0 ? null : items, end };
    }
    default:
      throw new Error(`not a reply of Redis: ${line.slice(0, 40)}`);
  }
}
