// A viewer's line to the host of a terminal, past its keeper: what is said comes by itself, and what is typed goes there at
// once. It promises nothing beyond that. Where it is over, whoever has it asks the keeper, which knows how everything ended.

import { connect, type Socket } from "node:net";
import {
  fromSaidFrame,
  LineFrames,
  lineKinds,
  type LineWish,
  type SaidFrame,
  toLineFrame,
  toTypeFrame,
} from "../../protocol/keeper/terminal-line-wire.ts";

/** How much may wait here for its viewer. */
const waitingBytesMax = 512 * 1024;

export class HostLine {
  readonly #socket: Socket;
  #waiting: SaidFrame[] = [];
  #waitingBytes = 0;
  #wake: (() => void) | undefined;
  /** Those who wait to hear that what they typed was taken, in order. */
  #typing: ((isTaken: boolean) => void)[] = [];
  #isOver = false;
  /** What comes next begins here. */
  at: number;

  constructor(path: string, wish: LineWish) {
    this.at = wish.from;
    this.#socket = connect(path);
    const frames = new LineFrames((kind, content) => this.#take(kind, content));
    this.#socket.on("data", (chunk: Buffer) => frames.feed(chunk) || this.#socket.destroy());
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => this.#end());
    this.#socket.write(toLineFrame(lineKinds.look, Buffer.from(JSON.stringify(wish))));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Everything that has come since; undefined when nothing more will, or as soon as the signal says so. */
  async next(signal: AbortSignal): Promise<SaidFrame | undefined> {
    if (this.#waiting.length === 0 && !this.#isOver && !signal.aborted) await this.#more(signal);
    const [first] = this.#waiting;
    if (first === undefined || signal.aborted) return undefined;
    const parts: Uint8Array[] = [];
    let [at, totalBytes] = [first.offset, first.totalBytes];
    // Where something was let go in between, what comes after it is for the next time.
    for (let each = this.#waiting[0]; each?.offset === at; each = this.#waiting[0]) {
      parts.push(each.bytes);
      at += each.bytes.length;
      totalBytes = each.totalBytes;
      this.#waiting.shift();
    }
    const bytes = parts.length === 1 ? first.bytes : Buffer.concat(parts);
    this.#waitingBytes -= bytes.length;
    this.#socket.resume();
    this.at = at;
    return { offset: first.offset, totalBytes, bytes };
  }

  /** Whether it was taken. What was not may have been taken all the same, and is sent again under its tag. */
  type(bytes: Uint8Array, tag: string): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    this.#socket.write(toTypeFrame({ tag, bytes }));
    return new Promise((resolve) => this.#typing.push(resolve));
  }

  close(): void {
    this.#socket.destroy();
    this.#end();
  }

  #more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener("abort", wake);
        this.#wake = undefined;
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener("abort", wake);
    });
  }

  #take(kind: number, content: Uint8Array): void {
    if (kind === lineKinds.typed) return this.#typing.shift()?.(true);
    if (kind !== lineKinds.said) return this.close();
    const said = fromSaidFrame(content);
    if (said === undefined) return this.close();
    this.#waiting.push(said);
    this.#waitingBytes += said.bytes.length;
    if (this.#waitingBytes > waitingBytesMax) this.#socket.pause();
    return this.#wake?.();
  }

  #end(): void {
    this.#isOver = true;
    for (const resolve of this.#typing.splice(0)) resolve(false);
    this.#wake?.();
  }
}
