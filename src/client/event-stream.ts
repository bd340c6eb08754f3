// Reads the event stream: connects, resumes after a break from the last number seen, and so never misses or repeats an
// event. A reader that falls behind lets the connection go and takes it up again later, instead of piling events up.

import { ProtocolError } from "../protocol/errors.ts";
import { heartbeatMs, type Saying, type StreamMessage, type Subscribe } from "../protocol/stream.ts";
import type { LogEvent } from "../protocol/wire/log-event.ts";

/** What is needed of a WebSocket; the one that browsers and Node have is meant. */
export type OpenWebSocket = () => WebSocket;

export type EventStreamOptions = Subscribe & {
  readonly signal?: AbortSignal | undefined;
  /** Told whenever the connection comes or goes. */
  readonly onConnection?: ((connected: boolean) => void) | undefined;
  /** Told what assistants are just saying, in order with the events. */
  readonly onSaying?: ((saying: Saying) => void) | undefined;
};

export type EventBatch = { readonly events: readonly LogEvent[]; readonly at: number };

const queuedEventsMax = 20_000;
const retryMsMin = 100;
const retryMsMax = 5_000;
/** Refusals that no new attempt will change. */
const final = new Set([
  "bad-input",
  "unauthorized",
  "forbidden-host",
  "forbidden-origin",
  "forbidden",
  "not-found",
  "log-damaged",
]);

/**
 * Batches of events, each with the number up to which the reader has now seen everything. `probe` is asked when a
 * connection does not come about, because a browser does not say why; what it throws ends the stream if it is final.
 */
export async function* readBatches(
  open: OpenWebSocket,
  probe: () => Promise<unknown>,
  options: EventStreamOptions,
): AsyncGenerator<EventBatch> {
  const { signal, onConnection, onSaying, after, ...rest } = options;
  const filter = onSaying === undefined ? rest : { ...rest, saying: true };
  let at = after;
  let failures = 0;
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    let connection: Connection | undefined;
    try {
      connection = new Connection(open, { ...filter, ...(at === undefined ? {} : { after: at }) }, signal);
      for (;;) {
        const message = await connection.next();
        if (message === undefined) break;
        if ("error" in message) throw new ProtocolError(message.error);
        if (failures >= 0) onConnection?.(true);
        failures = -1;
        if ("saying" in message) {
          onSaying?.(message.saying);
          continue;
        }
        const known: number | undefined = at;
        const events = known === undefined ? message.events : message.events.filter((event) => event.seq > known);
        at = Math.max(at ?? 0, message.at);
        yield { events, at };
      }
    } catch (error) {
      if (error instanceof ProtocolError && final.has(error.code)) throw error;
      if (!(error instanceof ProtocolError)) throw error;
    } finally {
      connection?.close();
      if (failures < 0) onConnection?.(false);
    }
    failures = Math.max(0, failures) + 1;
    if (failures > 1) await probeOnce(probe);
    await pause(Math.min(retryMsMax, retryMsMin * 2 ** Math.min(failures - 1, 8)), signal);
  }
}

class Connection {
  readonly #socket: WebSocket;
  #queue: StreamMessage[] = [];
  #queuedEvents = 0;
  #wake: (() => void) | undefined;
  #closed = false;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => this.close();
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  constructor(open: OpenWebSocket, subscribe: Subscribe, signal: AbortSignal | undefined) {
    this.#socket = open();
    this.#socket.addEventListener("open", () => {
      this.#socket.send(JSON.stringify({ subscribe }));
    });
    this.#socket.addEventListener("message", (event: MessageEvent<unknown>) => this.#take(event.data));
    this.#socket.addEventListener("close", () => this.#end());
    this.#socket.addEventListener("error", () => this.#end());
    this.#signal = signal;
    signal?.addEventListener("abort", this.#abort);
    this.#watch();
  }

  /** The next message; undefined when the connection is over and everything that came has been read. */
  async next(): Promise<StreamMessage | undefined> {
    for (;;) {
      const message = this.#queue.shift();
      if (message !== undefined) {
        if ("events" in message) this.#queuedEvents -= message.events.length;
        return message;
      }
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#end();
    this.#socket.close();
  }

  #take(data: unknown): void {
    if (this.#closed || typeof data !== "string") return;
    this.#watch();
    const message = JSON.parse(data) as StreamMessage;
    // What is said now is all there is to know of it: what was said a moment ago need not be read any more.
    if ("saying" in message)
      this.#queue = this.#queue.filter((each) => !("saying" in each && each.saying.run === message.saying.run));
    this.#queue.push(message);
    if ("events" in message) this.#queuedEvents += message.events.length;
    this.#wake?.();
    if (this.#queuedEvents > queuedEventsMax) this.close();
  }

  #watch(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.close(), heartbeatMs * 3);
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#watchdog);
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#wake?.();
  }
}

async function probeOnce(probe: () => Promise<unknown>): Promise<void> {
  try {
    await probe();
  } catch (error) {
    if (error instanceof ProtocolError && final.has(error.code)) throw error;
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}
