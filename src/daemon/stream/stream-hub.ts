// The event stream's sending side. Each event is written as JSON once, each filter's frame is made once per tick, and all
// readers of that filter get the same bytes.

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Logged } from "../../core/events.ts";
import { protocolError, toWireError } from "../../protocol/errors.ts";
import { parseJson } from "../../protocol/json.ts";
import { parseInput } from "../../protocol/parse-input.ts";
import { heartbeatMs, type ParsedSubscribe, subscribeSchema } from "../../protocol/stream.ts";
import {
  type EventFilter,
  filterName,
  matchesItself,
  matchesSubjects,
  needsSubjects,
  toEventFilter,
} from "../event-filter.ts";
import type { EventSubjects, Subject } from "../event-subjects.ts";
import { toThrownError } from "../failure.ts";
import type { History } from "../history.ts";
import type { DaemonParts } from "../parts.ts";
import { type ReaderHub, StreamReader } from "./stream-reader.ts";
import { makeTextFrame } from "./text-frame.ts";
import { WordsOut } from "./words-out.ts";

type Group = { readonly filter: EventFilter; readonly readers: Set<StreamReader> };

const subscribeMsMax = 10_000;
/** A reader that takes nothing for this long is let go; it resumes where it was. */
const stuckMs = 60_000;

export class StreamHub implements ReaderHub {
  readonly history: History;
  readonly #parts: DaemonParts;
  readonly #subjects: EventSubjects;
  readonly #groups = new Map<string, Group>();
  /** All of them, also those that read the log at the moment. */
  readonly #readers = new Set<StreamReader>();
  readonly #unsubscribe: () => void;
  readonly #growing: WordsOut;
  #fresh: Logged[] = [];
  #sentSeq: number;
  #cancelBeat: () => void;

  constructor(parts: DaemonParts, history: History, subjects: EventSubjects) {
    this.#parts = parts;
    this.history = history;
    this.#subjects = subjects;
    this.#sentSeq = parts.store.lastSeq;
    this.#unsubscribe = parts.engine.subscribe((events) => this.#hear(events));
    this.#cancelBeat = parts.clock.setTimer(heartbeatMs, () => this.#beat());
    const about = (run: string): Logged => ({ type: "run.heard", run }) as Logged;
    this.#growing = new WordsOut(parts, (filter, run) => this.#matches(filter, about(run), new Map()));
    parts.words?.listen((run) => this.#growing.note(run, this.#readers));
  }

  get size(): number {
    return this.#readers.size;
  }

  sentSeq(): number {
    return this.#sentSeq;
  }

  /** Takes a connection in; it has to say what it wants soon. */
  accept(socket: WebSocket, wire: Duplex): void {
    const cancel = this.#parts.clock.setTimer(subscribeMsMax, () =>
      end(socket, protocolError("timed-out", { what: "Subscribing" })),
    );
    socket.on("error", () => undefined);
    socket.on("close", cancel);
    socket.once("message", (data: Buffer, isBinary) => {
      cancel();
      try {
        this.#check(socket, wire, parseSubscribe(isBinary ? "" : data.toString("utf8")));
      } catch (error) {
        end(socket, error, this.#parts.onDefect);
      }
      socket.on("message", () => end(socket, protocolError("bad-input", { why: "one subscription per connection" })));
    });
  }

  join(reader: StreamReader): void {
    const name = filterName(reader.filter);
    const group = this.#groups.get(name) ?? { filter: reader.filter, readers: new Set() };
    this.#groups.set(name, group);
    group.readers.add(reader);
  }

  leave(reader: StreamReader): void {
    const name = filterName(reader.filter);
    const group = this.#groups.get(name);
    group?.readers.delete(reader);
    if (group?.readers.size === 0) this.#groups.delete(name);
  }

  fail(reader: StreamReader, error: unknown): void {
    end(reader.socket, error, this.#parts.onDefect);
  }

  close(): void {
    this.#unsubscribe();
    this.#cancelBeat();
    this.#growing.close();
    for (const reader of [...this.#readers]) end(reader.socket, protocolError("closing"));
  }

  /** A run that was removed is only in the log; one that never was would be waited for in vain. */
  #check(socket: WebSocket, wire: Duplex, wanted: ParsedSubscribe): void {
    const { run } = wanted;
    if (run === undefined || this.#parts.engine.state.runs.has(run)) return this.#subscribe(socket, wire, wanted);
    this.history
      .mustHaveRun(run)
      .then(() => {
        if (socket.readyState === socket.OPEN) this.#subscribe(socket, wire, wanted);
      })
      .catch((error: unknown) => end(socket, error, this.#parts.onDefect));
    return undefined;
  }

  #subscribe(socket: WebSocket, wire: Duplex, wanted: ParsedSubscribe): void {
    const { after, saying = false, ...rest } = wanted;
    const filter = toEventFilter(this.#parts.engine.state, rest);
    const last = this.#parts.store.lastSeq;
    if (after !== undefined && after > last) {
      throw protocolError("bad-input", {
        where: "after",
        why: `the log ends at ${last}: this number is from another log`,
      });
    }
    const nowMs = (): number => this.#parts.clock.monotonicMs();
    const reader = new StreamReader(
      this,
      { socket, wire, nowMs },
      {
        ...{ filter, after: after ?? this.#sentSeq, wantsWords: saying },
      },
    );
    this.#readers.add(reader);
    if (saying) for (const run of this.#parts.words?.runs() ?? []) this.#growing.note(run, [reader]);
    socket.on("close", () => {
      reader.close();
      reader.wordsDue.clear();
      this.leave(reader);
      this.#readers.delete(reader);
    });
    reader.send(makeTextFrame(`{"events":[],"at":${reader.at}}`), reader.at);
    void reader.catchUp();
  }

  /** Events of one tick go out together. */
  #hear(events: readonly Logged[]): void {
    if (this.#fresh.length === 0) this.#parts.clock.defer(() => this.#flush());
    for (const event of events) {
      this.#subjects.learn(event);
      if (event.seq > this.#sentSeq) this.#fresh.push(event);
    }
  }

  #flush(): void {
    const events = this.#fresh;
    this.#fresh = [];
    const last = events.at(-1);
    if (last === undefined) return;
    const about = new Map<Logged, readonly Subject[]>();
    const texts = new Map<Logged, string>();
    for (const { filter, readers } of [...this.#groups.values()]) {
      const wanted = events.filter((event) => this.#matches(filter, event, about));
      const frame = wanted.length === 0 ? undefined : makeTextFrame(toText(wanted, last.seq, texts));
      for (const reader of [...readers]) this.#send(reader, frame, last.seq);
    }
    this.#sentSeq = last.seq;
  }

  #send(reader: StreamReader, frame: Buffer | undefined, at: number): void {
    // Who fell behind reads the log; so does who had read further than was sent, or the frame would repeat something.
    if (reader.isBehind || reader.at > this.#sentSeq) {
      this.leave(reader);
      void reader.catchUp();
    } else if (frame === undefined) {
      reader.at = at;
    } else {
      reader.send(frame, at);
    }
  }

  #matches(filter: EventFilter, event: Logged, about: Map<Logged, readonly Subject[]>): boolean {
    if (!matchesItself(filter, event)) return false;
    if (!needsSubjects(filter)) return true;
    const subjects = about.get(event) ?? this.#subjects.of(event) ?? [];
    about.set(event, subjects);
    return matchesSubjects(filter, subjects);
  }

  /** Tells every reader that keeps up how far it has got, and lets go of those that take nothing. */
  #beat(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    for (const reader of [...this.#readers]) {
      if (reader.hasUnsent && reader.movedAtMs + stuckMs <= nowMs) reader.socket.terminate();
    }
    for (const { readers } of this.#groups.values()) {
      for (const reader of readers) reader.send(makeTextFrame(`{"events":[],"at":${reader.at}}`), reader.at);
    }
    this.#cancelBeat = this.#parts.clock.setTimer(heartbeatMs, () => this.#beat());
  }
}

function toText(events: readonly Logged[], at: number, texts: Map<Logged, string>): string {
  const parts = events.map((event) => {
    const known = texts.get(event);
    if (known !== undefined) return known;
    const text = JSON.stringify(event);
    texts.set(event, text);
    return text;
  });
  return `{"events":[${parts.join(",")}],"at":${at}}`;
}

function parseSubscribe(text: string): ParsedSubscribe {
  const json = parseJson(text);
  if (!json.ok) throw protocolError(json.refusal.code, { why: json.refusal.why });
  const parsed = parseInput(subscribeSchema, json.value);
  if (parsed.ok) return parsed.value.subscribe;
  const { where, why } = parsed.refusal;
  throw protocolError("bad-input", { where, why });
}

function end(socket: WebSocket, error: unknown, onDefect: (error: unknown) => void = () => undefined): void {
  const wire = toThrownError(error, onDefect);
  socket.send(JSON.stringify({ error: wire }), () => socket.close(wire.code === "closing" ? 1001 : 1008));
}

/** What is answered when there are too many. */
export const tooManyReaders = toWireError("overloaded", { retryAfterMs: 1000 });
