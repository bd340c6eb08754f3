// Terminals over WebSockets: who connects says first which terminal they want, and then looks and types.

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { isOver } from "../../core/run/run-states.ts";
import type { State } from "../../core/state.ts";
import type { Terminal, TerminalOwner } from "../../core/terminal/terminal-events.ts";
import { isAwaited } from "../../core/terminal/agent-terminals.ts";
import type { Terminals, Seat } from "../../node/terminals/terminals.ts";
import type { ViewerLink } from "../../node/terminals/terminal-viewer.ts";
import { protocolError } from "../../protocol/errors.ts";
import { parseJson } from "../../protocol/json.ts";
import { parseInput } from "../../protocol/parse-input.ts";
import {
  type Attach,
  attachSchema,
  fromFrame,
  type TerminalNews,
  type TerminalWord,
  terminalWordSchema,
  toFrame,
} from "../../protocol/terminal-stream.ts";
import { toThrownError } from "../failure.ts";
import type { DaemonParts } from "../parts.ts";
import { Hearing } from "./hearing.ts";

const attachMsMax = 10_000;
/** How much may be on its way to one viewer. */
const unsentBytesMax = 512 * 1024;
/** How often a silent connection is tried. */
const pingMs = 15_000;

export class TerminalSockets {
  readonly #parts: DaemonParts;
  readonly #terminals: Terminals;
  readonly #sockets = new Set<WebSocket>();

  constructor(parts: DaemonParts, terminals: Terminals) {
    this.#parts = parts;
    this.#terminals = terminals;
  }

  get size(): number {
    return this.#sockets.size;
  }

  accept(socket: WebSocket, wire: Duplex): void {
    const cancel = this.#parts.clock.setTimer(attachMsMax, () =>
      this.#end(socket, protocolError("timed-out", { what: "Attaching" })),
    );
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      cancel();
      this.#sockets.delete(socket);
    });
    socket.once("message", (data: Buffer, isBinary) => {
      cancel();
      try {
        this.#attach(socket, wire, parseAttach(isBinary ? "" : data.toString("utf8")));
      } catch (error) {
        this.#end(socket, error);
      }
    });
  }

  close(): void {
    for (const socket of [...this.#sockets]) this.#end(socket, protocolError("closing"));
  }

  #attach(socket: WebSocket, wire: Duplex, wish: Attach): void {
    const { state } = this.#parts.engine;
    const terminal = lastOf(state, wish.terminal);
    if (terminal === undefined) throw protocolError("not-found", { kind: "terminal", id: wish.terminal });
    const { id, ended } = terminal;
    const link = new SocketLink(socket, wire);
    // What one that has ended showed last is there for as long as its agent is; for one that comes back they wait.
    if (ended !== null && !isAwaited(terminal) && !hasKeeper(state, terminal.owner)) {
      link.tell({ ended });
      return link.close();
    }
    const isMoved = id !== wish.terminal;
    if (isMoved) link.tell({ moved: { terminal: id } });
    const own = isMoved ? { ...wish, terminal: id, from: undefined } : wish;
    const seat = this.#terminals.attach(own, link, this.#parts.person);
    const stopPings = this.#pingEvery(socket, link.hearing);
    socket.on("close", (code) => {
      stopPings();
      link.release();
      seat.leave({ forGood: code === 1000 });
    });
    socket.on("message", (data: Buffer, isBinary) => {
      try {
        // What was typed for the terminal that is gone is typed nowhere (TM25).
        if (!isBinary || !link.hearing.isBehind) hear(seat, data, isBinary);
      } catch (error) {
        this.#end(socket, error);
      }
    });
    return undefined;
  }

  /** A connection that is broken without a word is found out. */
  #pingEvery(socket: WebSocket, hearing: Hearing): () => void {
    let isAlive = true;
    let cancel: () => void = () => undefined;
    socket.on("pong", () => (isAlive = true));
    const ping = (): void => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      hearing.ping();
      cancel = this.#parts.clock.setTimer(pingMs, ping);
      return undefined;
    };
    cancel = this.#parts.clock.setTimer(pingMs, ping);
    return () => cancel();
  }

  #end(socket: WebSocket, error: unknown): void {
    const wire = toThrownError(error, this.#parts.onDefect);
    socket.send(JSON.stringify({ error: wire } satisfies TerminalNews), () =>
      socket.close(wire.code === "closing" ? 1001 : 1008),
    );
  }
}

class SocketLink implements ViewerLink {
  readonly #socket: WebSocket;
  readonly #wire: Duplex;
  readonly hearing: Hearing;
  #unsent = 0;
  #whenReady: (() => void) | undefined;

  constructor(socket: WebSocket, wire: Duplex) {
    this.#socket = socket;
    this.#wire = wire;
    this.hearing = new Hearing(socket);
  }

  show(offset: number, bytes: Uint8Array): void {
    this.#unsent += bytes.length;
    // Where the viewer takes everything as it comes, packing it would only make it late.
    const compress = this.#wire.writableLength > 0;
    this.#socket.send(toFrame(offset, bytes), { binary: true, compress }, () => {
      this.#unsent -= bytes.length;
      if (this.#isReady) this.release();
    });
  }

  tell(news: TerminalNews): void {
    // One who takes nothing is not told everything either.
    if (this.#socket.readyState !== this.#socket.OPEN || this.#socket.bufferedAmount >= 2 * unsentBytesMax) return;
    this.#socket.send(JSON.stringify(news));
    if ("moved" in news) this.hearing.await();
  }

  ready(): Promise<void> {
    if (this.#isReady) return Promise.resolve();
    return new Promise((resolve) => (this.#whenReady = resolve));
  }

  /** Lets whoever waits go on. */
  release(): void {
    this.#whenReady?.();
    this.#whenReady = undefined;
  }

  close(): void {
    this.#socket.close(1000);
  }

  get #isReady(): boolean {
    return this.#wire.destroyed || (this.#unsent <= unsentBytesMax && this.#wire.writableLength <= unsentBytesMax);
  }
}

/** The terminal, or the one that stands in for it now. */
function lastOf({ terminals }: Pick<State, "terminals">, id: string): Terminal | undefined {
  const terminal = terminals.get(id);
  return terminal === undefined || terminal.heir === null ? terminal : lastOf({ terminals }, terminal.heir);
}

function hasKeeper({ runs, agents }: State, owner: TerminalOwner): boolean {
  if ("agent" in owner) return agents.get(owner.agent)?.isMade === true;
  const run = runs.get(owner.run);
  return run !== undefined && !isOver(run.state);
}

function hear(seat: Seat, data: Buffer, isBinary: boolean): void {
  if (!isBinary) return seat.hear(parseWord(data.toString("utf8")));
  const frame = fromFrame(data);
  if (frame === undefined) throw protocolError("bad-input", { why: "what is typed begins with its number" });
  return seat.type(frame.number, frame.bytes);
}

function parseAttach(text: string): Attach {
  const json = parseJson(text);
  if (!json.ok) throw protocolError(json.refusal.code, { why: json.refusal.why });
  const parsed = parseInput(attachSchema, json.value);
  if (parsed.ok) return parsed.value.attach;
  throw protocolError("bad-input", parsed.refusal);
}

function parseWord(text: string): TerminalWord {
  const json = parseJson(text);
  if (!json.ok) throw protocolError(json.refusal.code, { why: json.refusal.why });
  const parsed = terminalWordSchema.safeParse(json.value);
  if (parsed.success) return parsed.data;
  throw protocolError("bad-input", { why: "resize, keyboard, give or say is expected" });
}
