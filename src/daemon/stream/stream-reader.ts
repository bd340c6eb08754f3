// One reader of the event stream. While it keeps up it gets the frames that all readers of its filter share. When it
// falls behind, nothing is piled up for it: it goes back to reading the log, at its own pace, and joins the others again
// once it has caught up. Either way it sees every event once, in order.

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { EventFilter } from "../event-filter.ts";
import type { History } from "../history.ts";
import { makeTextFrame } from "./text-frame.ts";

const bufferedBytesMax = 1_048_576;
const pageEvents = 256;
const frameCharsMax = 262_144;

export type ReaderHub = {
  readonly history: History;
  /** The last event that has gone out to the readers that keep up. */
  sentSeq(): number;
  join(reader: StreamReader): void;
  leave(reader: StreamReader): void;
  fail(reader: StreamReader, error: unknown): void;
};

export class StreamReader {
  readonly filter: EventFilter;
  readonly socket: WebSocket;
  /** Everything up to here has been written to it. */
  at: number;
  /** When it last took something, or had nothing to take. */
  movedAtMs: number;
  /** Whether it wants to know what assistants are just saying, and the runs of which it does not know the newest. */
  readonly wantsWords: boolean;
  readonly wordsDue = new Set<string>();
  readonly #wire: Duplex;
  readonly #hub: ReaderHub;
  readonly #nowMs: () => number;
  #closed = false;
  #pending = 0;
  #whenDrained: (() => void) | undefined;

  constructor(
    hub: ReaderHub,
    ends: { socket: WebSocket; wire: Duplex; nowMs: () => number },
    { filter, after, wantsWords }: { filter: EventFilter; after: number; wantsWords: boolean },
  ) {
    this.#hub = hub;
    this.socket = ends.socket;
    this.#wire = ends.wire;
    this.#nowMs = ends.nowMs;
    this.movedAtMs = ends.nowMs();
    this.filter = filter;
    this.wantsWords = wantsWords;
    this.at = after;
  }

  get isBehind(): boolean {
    return this.#wire.writableLength > bufferedBytesMax;
  }

  get hasUnsent(): boolean {
    return this.#wire.writableLength > 0;
  }

  /** Writes a frame that others get, too. */
  send(frame: Buffer, at: number): void {
    if (this.#closed || this.#wire.destroyed) return;
    this.at = at;
    this.#pending++;
    this.#wire.write(frame, this.#written);
  }

  close(): void {
    this.#closed = true;
  }

  /** Reads the log until it has caught up, then joins those who get events as they come. */
  async catchUp(): Promise<void> {
    try {
      while (!this.#closed) {
        await this.#drained();
        const to = this.#hub.sentSeq();
        // Both happen in one go, so no event can fall between them.
        if (this.at >= to) return this.#hub.join(this);
        const page = await this.#hub.history.read(this.at, to, pageEvents, this.filter);
        for (const { events, at } of toFrames(page.events, page.next)) {
          await this.#drained();
          this.send(makeTextFrame(`{"events":[${events.join(",")}],"at":${at}}`), at);
        }
        if (page.events.length === 0) this.at = page.next;
      }
    } catch (error) {
      this.#hub.fail(this, error);
    }
  }

  readonly #written = (): void => {
    this.movedAtMs = this.#nowMs();
    this.#pending--;
    if (this.#pending > 0) return;
    const waiting = this.#whenDrained;
    this.#whenDrained = undefined;
    waiting?.();
  };

  /** Once everything has been handed to the system, or the connection is gone. */
  #drained(): Promise<void> {
    if (this.#pending === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenDrained = resolve;
    });
  }
}

/** Cuts a page into frames of bounded size. */
function toFrames(events: readonly LogEvent[], next: number): { events: string[]; at: number }[] {
  const frames: { events: string[]; at: number }[] = [];
  let texts: string[] = [];
  let chars = 0;
  for (const [index, event] of events.entries()) {
    const text = JSON.stringify(event);
    texts.push(text);
    chars += text.length;
    const last = index === events.length - 1;
    if (!last && chars < frameCharsMax) continue;
    frames.push({ events: texts, at: last ? next : event.seq });
    texts = [];
    chars = 0;
  }
  return frames;
}
