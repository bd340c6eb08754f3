import { EventEmitter } from "node:events";
import { Duplex } from "node:stream";
import { describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { MemoryStore } from "../../adapters/store/memory-store.ts";
import type { Logged } from "../../core/events.ts";
import { makeState } from "../../core/state.ts";
import { EventSubjects } from "../event-subjects.ts";
import { History } from "../history.ts";
import type { DaemonParts } from "../parts.ts";
import { PublishedWords } from "./growing-words.ts";
import { StreamHub } from "./stream-hub.ts";
import { makeTextFrame } from "./text-frame.ts";

type Timer = { readonly atMs: number; readonly callback: () => void };

/** A hub whose clock, log and wires the test moves. */
class World {
  readonly store = new MemoryStore();
  readonly hub: StreamHub;
  readonly words = new PublishedWords(() => Promise.resolve([]));
  nowMs = 0;
  #timers: Timer[] = [];
  #deferred: (() => void)[] = [];
  #listeners: ((events: readonly Logged[]) => void)[] = [];

  constructor() {
    const state = makeState();
    const engine = {
      state,
      subscribe: (listener: (events: readonly Logged[]) => void) => {
        this.#listeners.push(listener);
        return () => undefined;
      },
    };
    const clock = {
      monotonicMs: () => this.nowMs,
      wallMs: () => this.nowMs,
      setTimer: (delayMs: number, callback: () => void) => {
        const timer = { atMs: this.nowMs + delayMs, callback };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((each) => each !== timer);
        };
      },
      defer: (callback: () => void) => this.#deferred.push(callback),
    };
    const parts = {
      words: this.words,
      engine,
      clock,
      store: this.store,
      onDefect: (error: unknown) => expect(error).toBeUndefined(),
    };
    const subjects = new EventSubjects(parts as unknown as DaemonParts);
    this.hub = new StreamHub(parts as unknown as DaemonParts, new History(this.store, subjects), subjects);
  }

  async happen(count: number, text = ""): Promise<void> {
    const events = Array.from({ length: count }, (_, at): Logged => {
      const seq = this.store.lastSeq + at + 1;
      return { seq, atMs: 0, cause: null, actor: "system", type: "run.said", v: 1, run: "r_1", text };
    });
    await new Promise<void>((resolve) => this.store.append(events, () => resolve()));
    for (const listener of this.#listeners) listener(events);
  }

  /** The end of a tick. */
  tick(): void {
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const callback of deferred) callback();
  }

  pass(ms: number): void {
    this.nowMs += ms;
    const due = this.#timers.filter((timer) => timer.atMs <= this.nowMs);
    this.#timers = this.#timers.filter((timer) => timer.atMs > this.nowMs);
    for (const timer of due) timer.callback();
  }
}

/** A connection whose other end takes bytes only when it is told to. */
class Wire {
  readonly socket = new EventEmitter() as EventEmitter & { terminated?: boolean };
  readonly frames: { events: { seq: number }[]; at: number }[] = [];
  readonly duplex: Duplex;
  open = true;
  mostUnsent = 0;
  #stopped: (() => void)[] = [];

  constructor(world: World, subscribe: object) {
    this.duplex = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        const take = (): void => {
          this.frames.push(
            JSON.parse(chunk.subarray(chunk[1] === 127 ? 10 : chunk[1] === 126 ? 4 : 2).toString()) as never,
          );
          done();
        };
        this.mostUnsent = Math.max(this.mostUnsent, this.duplex.writableLength);
        if (this.open) setImmediate(take);
        else this.#stopped.push(take);
      },
    });
    Object.assign(this.socket, { terminate: () => (this.socket.terminated = true) });
    world.hub.accept(this.socket as unknown as WebSocket, this.duplex);
    this.socket.emit("message", Buffer.from(JSON.stringify({ subscribe })), false);
  }

  resume(): void {
    this.open = true;
    for (const take of this.#stopped.splice(0)) take();
  }

  get seqs(): number[] {
    return this.frames.flatMap((frame) => (frame.events ?? []).map((event) => event.seq));
  }

  async until(seq: number): Promise<void> {
    while ((this.frames.findLast(({ at }) => at !== undefined)?.at ?? -1) < seq)
      await new Promise((resolve) => setImmediate(resolve));
  }
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);

describe("the stream hub", () => {
  test("sends what one tick brought in one frame, the same bytes to all", async () => {
    const world = new World();
    const wires = [new Wire(world, { after: 0 }), new Wire(world, { after: 0 })];
    for (const wire of wires) await wire.until(0);
    await world.happen(2);
    await world.happen(3);
    world.tick();
    for (const wire of wires) {
      await wire.until(5);
      expect(wire.frames.map((frame) => frame.events.length)).toEqual([0, 5]);
    }
  });

  test("keeps little for a reader that takes nothing, and leaves nothing out when it takes again", async () => {
    const world = new World();
    const wire = new Wire(world, { after: 0 });
    await wire.until(0);
    wire.open = false;
    for (let round = 0; round < 200; round++) {
      await world.happen(50, "x".repeat(1000));
      world.tick();
    }
    // 10 MB have happened; it may hold one and a frame.
    expect(wire.duplex.writableLength).toBeLessThan(1_300_000);
    wire.resume();
    await wire.until(10_000);
    expect(wire.seqs).toEqual(upTo(10_000));
    expect(wire.mostUnsent).toBeLessThan(1_300_000);
    await world.happen(5);
    world.tick();
    await wire.until(10_005);
    expect(wire.seqs).toEqual(upTo(10_005));
  });

  test("repeats nothing to a reader that had read further than was sent", async () => {
    const world = new World();
    await world.happen(5);
    const ahead = [3, 5].map((after) => new Wire(world, { after }));
    for (const wire of ahead) await wire.until(0);
    world.tick();
    await world.happen(2);
    world.tick();
    for (const wire of ahead) await wire.until(7);
    expect(ahead.map((wire) => wire.seqs)).toEqual([
      [4, 5, 6, 7],
      [6, 7],
    ]);
  });

  test("lets go of a reader that takes nothing for a minute", async () => {
    const world = new World();
    const wire = new Wire(world, { after: 0 });
    await wire.until(0);
    wire.open = false;
    await world.happen(1);
    world.tick();
    world.pass(59_000);
    expect(wire.socket.terminated).toBeUndefined();
    world.pass(10_000);
    expect(wire.socket.terminated).toBe(true);
  });

  test("says now and then how far a reader has got, also when its filter lets nothing through", async () => {
    const world = new World();
    const wire = new Wire(world, { after: 0, types: ["lease."] });
    await wire.until(0);
    await world.happen(7);
    world.tick();
    world.pass(10_000);
    await wire.until(7);
    expect(wire.frames).toEqual([
      { events: [], at: 0 },
      { events: [], at: 7 },
    ]);
  });
});

describe("[RN47] what assistants are just saying", () => {
  const words = (text: string) => [{ of: "message", text, from: 0, parent: null } as const];
  const sayings = (wire: Wire): unknown[] =>
    (wire.frames as object[]).flatMap((frame) => ("saying" in frame ? [frame.saying] : []));
  const settled = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
  };

  test("goes to those who want to know, gathered, and to who comes later as it is then", async () => {
    const world = new World();
    const [wants, wantsNot] = [new Wire(world, { after: 0, saying: true }), new Wire(world, { after: 0 })];
    const other = new Wire(world, { after: 0, saying: true, types: ["lease."] });
    for (const wire of [wants, wantsNot, other]) await wire.until(0);
    world.words.tell("r_1", words("I"));
    world.words.tell("r_1", words("I begin"));
    world.pass(100);
    await settled();
    const late = new Wire(world, { after: 0, saying: true });
    await late.until(0);
    world.pass(100);
    await settled();
    const saying = { run: "r_1", words: words("I begin") };
    expect([wants, late, wantsNot, other].map(sayings)).toEqual([[saying], [saying], [], []]);
    world.words.tell("r_1", []);
    world.words.tell("r_1", []);
    world.pass(100);
    await settled();
    expect(sayings(wants)).toEqual([saying, { run: "r_1", words: [] }]);
  });

  test("is left out for a reader that takes nothing, who gets the newest of it when it takes again", async () => {
    const world = new World();
    const wire = new Wire(world, { after: 0, saying: true });
    await wire.until(0);
    wire.open = false;
    for (let at = 0; at < 300; at++) {
      world.words.tell("r_1", words(`${"x".repeat(3000)}${at}`));
      world.pass(100);
    }
    expect(wire.mostUnsent).toBeLessThan(10_000);
    wire.resume();
    await settled();
    world.pass(100);
    await settled();
    expect(sayings(wire).at(-1)).toMatchObject({ words: [{ text: expect.stringMatching(/x299$/) as string }] });
    expect(sayings(wire).length).toBeLessThan(4);
  });
});

describe("a text frame", () => {
  test.each([0, 1, 125, 126, 65_535, 65_536])("of %i bytes has the right head", (size) => {
    const frame = makeTextFrame("x".repeat(size));
    const head = frame.length - size;
    expect(head).toBe(size < 126 ? 2 : size < 65_536 ? 4 : 10);
    expect(frame[0]).toBe(0x81);
    const announced = head === 2 ? frame[1] : head === 4 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
    expect(announced).toBe(size);
  });

  test("counts bytes, not letters", () => {
    expect(makeTextFrame("äöü")[1]).toBe(6);
  });
});
