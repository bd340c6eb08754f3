// A reader of a WebSocket that does next to nothing: it walks over the frames and counts. A hundred of them share one
// process with the bench, so whatever they did would be measured as if the server had done it.

import { randomBytes } from "node:crypto";
import net from "node:net";

export type SubscribeOptions = {
  readonly port: number;
  readonly path: string;
  readonly protocols?: readonly string[];
  /** Said once the connection stands. */
  readonly hello?: string;
  /** How far a message brings the reader: a sequence number, or one more than before. */
  readonly progress: (message: Buffer, before: number) => number;
};

export class Subscriber {
  readonly #socket: net.Socket;
  readonly #progress: SubscribeOptions["progress"];
  #rest: Buffer = Buffer.alloc(0);
  #at = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #reached: (() => void) | undefined;

  private constructor(socket: net.Socket, options: SubscribeOptions) {
    this.#socket = socket;
    this.#progress = options.progress;
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    if (options.hello !== undefined) socket.write(clientFrame(options.hello));
  }

  static connect(options: SubscribeOptions): Promise<Subscriber> {
    const { port, path, protocols = [] } = options;
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, "127.0.0.1").setNoDelay(true);
      socket.on("error", reject);
      socket.write(
        [
          `GET ${path} HTTP/1.1`,
          `Host: 127.0.0.1:${port}`,
          "Connection: Upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
          ...(protocols.length === 0 ? [] : [`Sec-WebSocket-Protocol: ${protocols.join(", ")}`]),
          "\r\n",
        ].join("\r\n"),
      );
      socket.once("data", (chunk: Buffer) => {
        const end = chunk.indexOf("\r\n\r\n");
        if (end < 0 || !chunk.toString("latin1", 0, 12).endsWith("101")) {
          reject(new Error(`the server does not want to: ${chunk.toString("latin1").split("\r\n")[0] ?? ""}`));
          return;
        }
        const subscriber = new Subscriber(socket, options);
        if (chunk.length > end + 4) subscriber.#take(chunk.subarray(end + 4));
        resolve(subscriber);
      });
    });
  }

  get at(): number {
    return this.#at;
  }

  /** Resolves when the reader has got this far. */
  reach(at: number): Promise<void> {
    if (this.#at >= at) return Promise.resolve();
    this.#wanted = at;
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (;;) {
      const frame = frameAt(bytes, at);
      if (frame === undefined) break;
      if (frame.isText) this.#at = this.#progress(bytes.subarray(frame.start, frame.end), this.#at);
      at = frame.end;
    }
    this.#rest = bytes.subarray(at);
    if (this.#at < this.#wanted) return;
    this.#wanted = Number.POSITIVE_INFINITY;
    this.#reached?.();
  }
}

/** The place of the frame that starts at `at`, or nothing when it is not all there. */
export function frameAt(bytes: Buffer, at: number): { isText: boolean; start: number; end: number } | undefined {
  if (bytes.length - at < 2) return undefined;
  const short = (bytes[at + 1] ?? 0) & 127;
  const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
  if (bytes.length < start) return undefined;
  const size = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
  const end = start + size;
  return bytes.length < end ? undefined : { isText: ((bytes[at] ?? 0) & 15) === 1, start, end };
}

/** What a client sends is masked; a mask of zeros leaves it readable. */
function clientFrame(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
}
