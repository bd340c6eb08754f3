// A line to a terminal. It connects again when the connection breaks: what was shown goes on where it was, and what was
// typed is typed once.

import { ProtocolError } from "../protocol/errors.ts";
import {
  type AttachWish,
  fromFrame,
  type TerminalNews,
  terminalPath,
  type TerminalWord,
  toFrame,
  typedPieceBytesMax,
  untakenBytesMax,
} from "../protocol/terminal-stream.ts";

export type TerminalEnd = Extract<TerminalNews, { ended: unknown }>["ended"];

export type TerminalLineOptions = {
  /** Opens a WebSocket at a path of the daemon, wherever that is now. */
  readonly open: (path: string) => WebSocket;
  readonly wish: AttachWish;
  /** Bytes to show. With a size they are a whole screen: what was shown before is void. */
  readonly onShow: (
    bytes: Uint8Array,
    screen: Extract<TerminalNews, { screen: unknown }>["screen"] | undefined,
  ) => void;
  readonly onNews?: (news: TerminalNews) => void;
  readonly onConnection?: (isConnected: boolean) => void;
};

/** From the range that is free for applications. */
const refreshCode = 4000;
const retryMsMin = 50;
const retryMsMax = 2000;
/** Refusals that pass: it is tried again. */
const passing = new Set([
  "agent-down",
  "closing",
  "overloaded",
  "daemon-not-running",
  "store-unavailable",
  "timed-out",
]);

export class TerminalLine {
  /** How the terminal ended; undefined when we left it. Rejects when it cannot be attached to. */
  readonly done: Promise<TerminalEnd | undefined>;
  readonly #options: TerminalLineOptions;
  /** Typed, and not yet known to have arrived. */
  readonly #typed = new Map<number, Uint8Array>();
  #resolve: (end: TerminalEnd | undefined) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #size: AttachWish["size"];
  /** The one that is looked at: another one may have come in its place. */
  #terminal: string;
  #socket: WebSocket | undefined;
  #isOpen = false;
  #isOver = false;
  /** Begins later than with any line before: a window that comes again would else be taken to repeat itself. */
  #lastTyped = Date.now() * 1000;
  #offset: number | undefined;
  #screen: Extract<TerminalNews, { screen: unknown }>["screen"] | undefined;
  /** How often in a row nothing came of it: a connection that opens and breaks is one more. */
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TerminalLineOptions) {
    this.#options = options;
    this.#size = options.wish.size;
    this.#offset = options.wish.from;
    this.#terminal = options.wish.terminal;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#connect();
  }

  /** Types it whole, in pieces that a frame has room for; or nothing of it, where it is more than could ever wait there. */
  type(bytes: Uint8Array): void {
    if (bytes.length > untakenBytesMax) return this.#options.onNews?.({ refused: ++this.#lastTyped });
    for (let at = 0; at < bytes.length; at += typedPieceBytesMax)
      this.#typePiece(bytes.subarray(at, at + typedPieceBytesMax));
    return undefined;
  }

  resize(cols: number, rows: number): void {
    this.#size = { cols, rows };
    this.say({ resize: { cols, rows } });
  }

  say(word: TerminalWord): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(word));
  }

  /** Wants the screen as it is now in place of what is still to come. The keyboard waits meanwhile. */
  refresh(): void {
    const socket = this.#socket;
    if (this.#isOver || socket === undefined) return;
    this.#socket = undefined;
    this.#isOpen = false;
    this.#offset = undefined;
    // Not the number by which somebody leaves for good.
    socket.close(refreshCode);
    this.#connect();
  }

  leave(): void {
    this.#finish(() => this.#resolve(undefined));
  }

  #typePiece(bytes: Uint8Array): void {
    const number = ++this.#lastTyped;
    this.#typed.set(number, bytes);
    if (this.#isOpen) this.#socket?.send(toFrame(number, bytes));
  }

  #connect(): void {
    if (this.#isOver) return;
    let socket: WebSocket;
    try {
      socket = this.#options.open(terminalPath);
    } catch (error) {
      return this.#fail(error);
    }
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    let isLost = false;
    const lose = (): void => {
      if (isLost) return;
      isLost = true;
      this.#lose(socket);
    };
    socket.addEventListener("open", () => this.#greet(socket));
    socket.addEventListener("message", (event: MessageEvent<unknown>) => this.#take(socket, event.data));
    socket.addEventListener("close", lose);
    socket.addEventListener("error", lose);
  }

  #greet(socket: WebSocket): void {
    const { wish } = this.#options;
    const from = this.#offset === undefined ? {} : { from: this.#offset };
    const size = this.#size === undefined ? {} : { size: this.#size };
    socket.send(JSON.stringify({ attach: { ...wish, terminal: this.#terminal, ...size, ...from } }));
    for (const [number, bytes] of this.#typed) socket.send(toFrame(number, bytes));
    this.#isOpen = true;
    this.#options.onConnection?.(true);
  }

  #take(socket: WebSocket, data: unknown): void {
    if (this.#isOver || socket !== this.#socket) return;
    if (typeof data === "string") return this.#hear(JSON.parse(data) as TerminalNews);
    const frame = data instanceof ArrayBuffer ? fromFrame(new Uint8Array(data)) : undefined;
    if (frame === undefined) return;
    this.#failures = 0;
    this.#offset = frame.number;
    const screen = this.#screen;
    this.#screen = undefined;
    this.#options.onShow(frame.bytes, screen);
  }

  #hear(news: TerminalNews): void {
    if ("screen" in news) this.#screen = news.screen;
    else if ("typed" in news) this.#settle(news.typed);
    else if ("refused" in news) this.#typed.delete(news.refused);
    else if ("moved" in news) {
      // What was typed was meant for the other one, which is gone.
      this.#terminal = news.moved.terminal;
      this.#typed.clear();
      this.#offset = undefined;
    } else if ("error" in news) return this.#fail(new ProtocolError(news.error));
    this.#failures = 0;
    this.#options.onNews?.(news);
    if ("ended" in news) this.#finish(() => this.#resolve(news.ended));
  }

  /** Up to this number everything is there: that of an earlier one may not have been told. */
  #settle(upTo: number): void {
    for (const number of this.#typed.keys()) {
      if (number > upTo) return;
      this.#typed.delete(number);
    }
  }

  #fail(error: unknown): void {
    if (error instanceof ProtocolError && passing.has(error.code)) return this.#again();
    this.#finish(() => this.#reject(error));
  }

  #lose(socket: WebSocket): void {
    if (socket !== this.#socket || this.#isOver) return;
    if (this.#isOpen) this.#options.onConnection?.(false);
    this.#isOpen = false;
    this.#again();
  }

  #again(): void {
    clearTimeout(this.#timer);
    const ms = Math.min(retryMsMax, retryMsMin * 2 ** Math.min(this.#failures++, 8));
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  #finish(settle: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    settle();
    // This number says that nobody will come back.
    this.#socket?.close(1000);
  }
}
