// Lines from viewers straight to the host: what is typed comes in, and what is said goes out as soon as it is recorded. The
// keeper is not on the way. Each viewer has a line of its own, and goes at its own pace: one that does not keep up reads the
// rest from the recording.

import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import {
  fromTypeFrame,
  LineFrames,
  lineKinds,
  type LineWish,
  type SaidFrame,
  toLineFrame,
  toSaidFrame,
} from "../../protocol/keeper/terminal-line-wire.ts";
import type { HostedTerminal, Listener } from "./hosted-terminal.ts";
import { readRecording } from "./recording.ts";
import { toMessage } from "../os/errno.ts";
import { say } from "../os/say.ts";

const readBytes = 256 * 1024;
/** A key and its echo are smaller than this, and never wait. */
const smallBytes = 1024;
/** What a flood says is sent in pieces of at least this size, unless it took as long as this to say it. */
const gatherBytes = 64 * 1024;
const gatherMs = 4;

/** What a line needs of a terminal. */
export type LinedTerminal = Pick<HostedTerminal, "folder" | "isClosed" | "listeners" | "total" | "type">;

type Find = (terminal: string) => LinedTerminal | undefined;

/** Listens for viewers. Where that cannot be, there are no lines: viewers go by the keeper, and every terminal lives on. */
export function serveLines(path: string, find: Find): Server {
  const server = createServer((socket) => void new ViewerLine(socket, find));
  const fail = (error: unknown): void => say(`lines to terminals cannot be served: ${toMessage(error)}`);
  server.on("error", fail);
  server.on("listening", () => {
    try {
      chmodSync(path, 0o600);
    } catch (error) {
      fail(error);
      server.close();
    }
  });
  try {
    rmSync(path, { force: true });
    server.listen(path);
  } catch (error) {
    fail(error);
  }
  return server;
}

class ViewerLine implements Listener {
  readonly #socket: Socket;
  readonly #find: Find;
  #terminal: LinedTerminal | undefined;
  /** Everything before this has been sent. */
  #at = 0;
  #isOver = false;
  #gathering: NodeJS.Timeout | undefined;
  #sentAtMs = 0;

  constructor(socket: Socket, find: Find) {
    this.#socket = socket;
    this.#find = find;
    const frames = new LineFrames((kind, content) => this.#take(kind, content));
    socket.on("data", (chunk: Buffer) => this.#safely(() => frames.feed(chunk) || socket.destroy()));
    socket.on("drain", () => this.#safely(() => this.#catchUp()));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(this.#gathering);
      this.#terminal?.listeners.delete(this);
    });
  }

  /** Said just now, and in the files. */
  said(offset: number, bytes: Uint8Array): void {
    if (this.#socket.writableNeedDrain) return;
    const end = offset + bytes.length;
    const isFlood = bytes.length > smallBytes && performance.now() - this.#sentAtMs < gatherMs;
    if (isFlood && end - this.#at < gatherBytes) {
      this.#gathering ??= setTimeout(() => this.#safely(() => this.#catchUp()), gatherMs);
    } else if (offset === this.#at) this.#send({ offset, totalBytes: end, bytes });
    else this.#safely(() => this.#catchUp());
  }

  over(): void {
    this.#isOver = true;
    if (!this.#socket.writableNeedDrain) this.#safely(() => this.#catchUp());
  }

  /** What fails for one viewer ends their line, and neither a terminal nor the line of anybody else. */
  #safely(act: () => unknown): void {
    try {
      act();
    } catch (error) {
      say(`a line to a terminal is cut: ${toMessage(error)}`);
      this.#socket.destroy();
    }
  }

  #take(kind: number, content: Uint8Array): void {
    // What came behind something that was not taken does not overtake it.
    if (this.#socket.destroyed) return undefined;
    if (kind === lineKinds.look && this.#terminal === undefined) return this.#look(toWish(content));
    if (kind !== lineKinds.type || this.#terminal === undefined) return void this.#socket.destroy();
    const { tag, bytes } = fromTypeFrame(content);
    // What is not taken now is asked for by the other way, which says what became of it.
    if (!this.#terminal.type(Buffer.from(bytes), tag)) return void this.#socket.destroy();
    this.#socket.write(toLineFrame(lineKinds.typed));
    return undefined;
  }

  #look({ terminal, from }: LineWish): void {
    const found = this.#find(terminal);
    if (found === undefined || found.isClosed) return this.#end();
    this.#terminal = found;
    this.#at = from;
    found.listeners.add(this);
    return this.#catchUp();
  }

  #catchUp(): void {
    const terminal = this.#terminal;
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (terminal === undefined) return undefined;
    while (!this.#socket.writableNeedDrain && this.#at < terminal.total) {
      const { bytes, offset, total } = readRecording(terminal.folder, this.#at, readBytes);
      if (bytes.length === 0) return this.#end();
      this.#send({ offset, totalBytes: total, bytes });
    }
    return this.#isOver && this.#at >= terminal.total ? this.#end() : undefined;
  }

  #send(said: SaidFrame): void {
    this.#at = said.offset + said.bytes.length;
    this.#sentAtMs = performance.now();
    this.#socket.write(toSaidFrame(said));
  }

  #end(): void {
    if (!this.#socket.writableEnded) this.#socket.end(toLineFrame(lineKinds.over));
  }
}

function toWish(content: Uint8Array): LineWish {
  return JSON.parse(Buffer.from(content).toString("utf8")) as LineWish;
}
