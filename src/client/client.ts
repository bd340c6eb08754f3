// The typed client: `client.call("run.submit", { project, script })`. Types follow from the table of operations.

import type { InputOf, OperationName, OutputOf } from "../protocol/operations.ts";
import { streamPath } from "../protocol/stream.ts";
import type { Claim } from "../protocol/wire/claim.ts";
import type { LogEvent } from "../protocol/wire/log-event.ts";
import type { Run, RunState } from "../protocol/wire/run.ts";
import { type EventBatch, type EventStreamOptions, type OpenWebSocket, readBatches } from "./event-stream.ts";
import { type HttpOptions, makeHttpTransport } from "./http-transport.ts";
import { type LinesOptions, makeLinesTransport } from "./lines-transport.ts";
import type { Transport } from "./transport.ts";

export type CallOptions = { readonly signal?: AbortSignal | undefined };

/** One request of a long wait lasts this long; then it asks again. */
const pollMs = 30_000;

export class Client {
  readonly #transport: Transport;
  readonly #openWebSocket: OpenWebSocket | undefined;

  constructor(transport: Transport, openWebSocket?: OpenWebSocket) {
    this.#transport = transport;
    this.#openWebSocket = openWebSocket;
  }

  /** Asks for an operation. Throws a ProtocolError, with a code and a sentence, when the answer is no. */
  async call<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options: CallOptions = {},
  ): Promise<OutputOf<Name>> {
    return (await this.#transport.call(name, input, options.signal)) as OutputOf<Name>;
  }

  /** Events in order, each once, across any number of reconnections. Ends when the signal says so. */
  async *events(options: EventStreamOptions = {}): AsyncGenerator<LogEvent> {
    for await (const batch of this.batches(options)) yield* batch.events;
  }

  /** The same in batches, as they came; an empty one says how far the reader has got. */
  batches(options: EventStreamOptions = {}): AsyncGenerator<EventBatch> {
    const open = this.#openWebSocket;
    if (open === undefined) throw new Error("this client was made without an address for the event stream");
    return readBatches(open, () => this.call("status", {}), options);
  }

  /** Waits as long as it takes for a run to be over, or in one of the states. */
  async waitForRun(run: string, options: CallOptions & { readonly states?: readonly RunState[] } = {}): Promise<Run> {
    const states = options.states === undefined ? {} : { states: [...options.states] };
    for (;;) {
      const answer = await this.call("run.wait", { run, waitMs: pollMs, ...states }, options);
      if (answer.reached) return answer.run;
    }
  }

  /** Waits until a claim is granted or has ended, or the time is over; then it may still be queued. */
  async waitForClaim(claim: string, options: CallOptions & { readonly forMs?: number } = {}): Promise<Claim> {
    const untilMs = options.forMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.forMs;
    for (;;) {
      const leftMs = Math.max(0, Math.min(pollMs, untilMs - performance.now()));
      const answer = await this.call("claim.get", { claim, waitMs: Math.round(leftMs) }, options);
      if (answer.state !== "queued" || performance.now() >= untilMs) return answer;
    }
  }

  close(): void {
    this.#transport.close();
  }
}

/** A client over HTTP. With a token from the daemon's home; in the console the session cookie takes its place. */
export function connectHttp(options: HttpOptions): Client {
  return new Client(makeHttpTransport(options), () => openStream(options.url, options.token));
}

/** A client over the daemon's Unix socket; events come over HTTP's address, if it is given. */
export function connectLines(
  options: LinesOptions & { readonly stream?: { readonly url: string; readonly token: string } },
): Client {
  const { stream } = options;
  return new Client(
    makeLinesTransport(options),
    stream === undefined ? undefined : () => openStream(stream.url, stream.token),
  );
}

/** A browser cannot set headers on a WebSocket, so the token travels as a subprotocol; never in the address. */
function openStream(url: string, token: string | undefined): WebSocket {
  const base = url === "" ? globalThis.location.origin : url;
  const address = `${base.replace(/^http/, "ws")}${streamPath}`;
  return new WebSocket(address, token === undefined ? ["signalbox"] : ["signalbox", `bearer.${token}`]);
}
