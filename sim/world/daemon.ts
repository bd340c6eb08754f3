// The daemon's process: it opens the engine, dies, and is started again. The engine and the core in it are the real ones.

import { Fault } from "../../src/base/fault.ts";
import type { Act } from "../../src/core/acts.ts";
import type { Logged } from "../../src/core/events.ts";
import type { Given } from "../../src/core/inputs.ts";
import type { State } from "../../src/core/state.ts";
import { Engine, type Outcome } from "../../src/engine/engine.ts";
import type { Faults } from "./faults.ts";
import { Life, type CrashPoint } from "./life.ts";
import type { WorldOptions } from "./options.ts";
import type { Scheduler } from "./scheduler.ts";
import type { SimBus } from "./sim-bus.ts";
import { SimClock, type WallClock } from "./sim-clock.ts";
import type { SimDisk } from "./sim-disk.ts";
import { SimLink } from "./sim-link.ts";
import type { SimNode } from "./sim-node.ts";
import { SimStore } from "./sim-store.ts";

export type DaemonWorld = {
  readonly options: WorldOptions;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly disk: SimDisk;
  readonly wall: WallClock;
  readonly bus: () => SimBus;
  readonly nodes: ReadonlyMap<string, SimNode>;
  readonly monotonicStartMs: () => number;
  readonly onDurable: (texts: readonly string[]) => void;
  readonly onSettled: () => void;
  readonly onReply: (given: Given, outcome: Outcome) => void;
  readonly onHear: (events: readonly Logged[], to: "nodes" | "listeners") => void;
  readonly onAct: (act: Act) => void;
  readonly onBorn: (life: Life) => void;
  readonly onPrimed: (state: State) => void;
  readonly onOpened: (engine: Engine) => void;
  readonly onDown: (why: CrashPoint | "damaged" | "could not open") => void;
  readonly onDefect: (error: unknown) => void;
  readonly report: (kind: string, sentence: string) => void;
  readonly sometimes: (name: string) => void;
};

export class Daemon {
  readonly #world: DaemonWorld;
  #life: Life | undefined;
  #store: SimStore | undefined;
  #link: SimLink | undefined;
  #engine: Engine | undefined;
  #lives = 0;
  /** The crash that waits for the next life: some die while they open. */
  #armedNext: CrashPoint | undefined;
  #repliesAt = -1;
  readonly #asked = new Map<number, number>();
  #questions = 0;
  upSinceMs = 0;

  constructor(world: DaemonWorld) {
    this.#world = world;
  }

  get engine(): Engine | undefined {
    return this.#life?.alive === true ? this.#engine : undefined;
  }

  /** The place that checks fences. It is there while the daemon is. */
  get link(): SimLink | undefined {
    return this.engine === undefined ? undefined : this.#link;
  }

  /** When the oldest question that has no answer yet was asked. */
  get oldestQuestionMs(): number | undefined {
    return this.#asked.values().next().value;
  }

  get isOpening(): boolean {
    return this.#life?.alive === true && this.#engine === undefined;
  }

  get isAlive(): boolean {
    return this.#life?.alive === true;
  }

  start(): void {
    const { options, scheduler, faults, disk, wall, bus, nodes } = this.#world;
    if (this.isAlive) return;
    const life = new Life({
      number: ++this.#lives,
      bornMs: scheduler.nowMs,
      onCrash: (point) => this.#down(point),
      onDefect: this.#world.onDefect,
    });
    this.#life = life;
    this.#engine = undefined;
    this.#asked.clear();
    const { onDurable, onSettled, sometimes } = this.#world;
    this.#store = new SimStore({ disk, life, scheduler, faults, onDurable, onSettled, sometimes });
    const startMs = this.#world.monotonicStartMs();
    const clock = new SimClock({ scheduler, life, wall, startMs, lateMs: () => faults.timerLateMs() });
    const link = new SimLink({
      life,
      bus: bus(),
      nodes,
      isFar: options.farPlaces,
      onPrime: this.#world.onPrimed,
      onHear: (events) => this.#world.onHear(events, "nodes"),
      onAct: this.#world.onAct,
    });
    this.#link = link;
    this.#world.onBorn(life);
    if (this.#armedNext !== undefined) life.arm(this.#armedNext);
    this.#armedNext = undefined;
    if (!life.alive) return;
    const { batchMax, inboxMax, snapshotEvery } = options;
    const opening = Engine.open(
      { store: this.#store, clock, nodes: link },
      { version: "sim", batchMax, inboxMax, snapshotEvery, onHalt: (error) => this.#failed(life, error) },
    );
    opening.then(
      (engine) => this.#opened(life, engine),
      (error: unknown) => this.#failed(life, error),
    );
  }

  /** Arms a crash: the process dies when it next comes to this point. */
  arm(point: CrashPoint): void {
    if (this.#life?.alive === true && !isOpeningPoint(point)) return this.#life.arm(point);
    this.#armedNext = point;
    if (this.#life?.alive === true) this.#life.arm("anywhere");
  }

  submit(given: Given, reply: (outcome: Outcome) => void): void {
    const life = this.#life;
    const { engine } = this;
    if (engine === undefined || life === undefined) return;
    const { scheduler, onReply } = this.#world;
    const question = this.#questions++;
    this.#asked.set(question, scheduler.nowMs);
    life.run(() =>
      engine.submit(given, (outcome) => {
        if (life.reach("before-reply")) return;
        if (this.#repliesAt === scheduler.nowMs && life.reach("between-replies")) return;
        this.#repliesAt = scheduler.nowMs;
        this.#asked.delete(question);
        onReply(given, outcome);
        reply(outcome);
      }),
    );
  }

  stop(): void {
    this.#life?.end("anywhere");
  }

  #opened(life: Life, engine: Engine): void {
    if (life.reach("after-open")) return;
    this.#engine = engine;
    this.upSinceMs = this.#world.scheduler.nowMs;
    engine.subscribe((events) => {
      if (!life.reach("between-nodes-and-listeners")) this.#world.onHear(events, "listeners");
    });
    this.#world.onOpened(engine);
  }

  #failed(life: Life, error: unknown): void {
    if (!life.alive) return;
    const damaged = error instanceof Fault && error.code === "log-damaged";
    if (!(error instanceof Fault) && !(error instanceof Error && error.message.includes("store-unavailable"))) {
      return this.#world.onDefect(error);
    }
    if (damaged && !/event \d+/.test(error.message)) {
      this.#world.report("I21", `damage was reported without its place: ${error.message}`);
    }
    life.alive = false;
    this.#store?.crash();
    this.#world.onDown(damaged ? "damaged" : "could not open");
  }

  #down(point: CrashPoint): void {
    this.#store?.crash();
    this.#world.onDown(point);
  }
}

function isOpeningPoint(point: CrashPoint): boolean {
  return point === "during-load" || point === "during-fold" || point === "after-prime" || point === "after-open";
}
