import { describe, expect, test } from "vitest";
import { makeState, type State } from "../core/state.ts";
import { DurableReads } from "./durable-reads.ts";
import type { DaemonParts } from "./parts.ts";

/** An engine whose state runs ahead of its log as far as a test says. */
class World {
  state: State = makeState();
  lastSeq = 0;
  nowMs = 0;
  #listeners: (() => void)[] = [];
  #timers: { atMs: number; callback: () => void }[] = [];
  readonly reads: DurableReads;

  constructor() {
    const subscribe = (listener: () => void): (() => void) => {
      this.#listeners.push(listener);
      return () => undefined;
    };
    this.reads = new DurableReads({
      // Both change under the reader's eyes.
      engine: Object.defineProperty({ subscribe }, "state", { get: () => this.state }),
      store: Object.defineProperty({}, "lastSeq", { get: () => this.lastSeq }),
      clock: {
        monotonicMs: () => this.nowMs,
        setTimer: (delayMs: number, callback: () => void) => {
          const timer = { atMs: this.nowMs + delayMs, callback };
          this.#timers.push(timer);
          return () => void this.#timers.splice(this.#timers.indexOf(timer), 1);
        },
      },
    } as unknown as DaemonParts);
  }

  read(): string[] {
    const heard: string[] = [];
    const fail = (error: unknown): void => void heard.push((error as { code?: string }).code ?? String(error));
    this.reads.read(
      (state) => `seq ${state.seq}`,
      (value) => heard.push(value),
      fail,
    );
    return heard;
  }

  reach(seq: number): void {
    this.lastSeq = seq;
    for (const listener of this.#listeners) listener();
  }

  pass(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const next = this.#timers.filter((timer) => timer.atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#timers.splice(this.#timers.indexOf(next), 1);
      this.nowMs = next.atMs;
      next.callback();
    }
    this.nowMs = untilMs;
  }
}

describe("a read", () => {
  test("is answered at once when all that it saw is durable", () => {
    const world = new World();
    expect(world.read()).toEqual(["seq 0"]);
  });

  test("waits until what it saw is durable, and then says what it saw", () => {
    const world = new World();
    world.state.seq = 5;
    const heard = world.read();
    expect(heard).toEqual([]);
    world.reach(4);
    expect(heard).toEqual([]);
    world.state.seq = 9;
    world.reach(5);
    expect(heard).toEqual(["seq 5"]);
  });

  test("looks again when the engine had to start over: what it saw never happened", () => {
    const world = new World();
    world.state.seq = 5;
    const heard = world.read();
    world.state = makeState();
    world.state.seq = 3;
    world.lastSeq = 3;
    world.pass(250);
    expect(heard).toEqual(["seq 3"]);
  });

  test("gives up when the log takes nothing for long, and when the daemon ends", () => {
    const world = new World();
    world.state.seq = 5;
    const heard = world.read();
    world.pass(9_000);
    expect(heard).toEqual([]);
    world.pass(2_000);
    expect(heard).toEqual(["store-unavailable"]);
    const last = world.read();
    world.reads.close();
    expect(last).toEqual(["closing"]);
  });
});
