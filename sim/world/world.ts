// A world from a seed. First it is hurt, and nothing that must never happen may happen; then it heals, and everything that
// was begun has to end.

import { Prng } from "../../src/base/prng.ts";
import type { Logged } from "../../src/core/events.ts";
import { evolve } from "../../src/core/evolve.ts";
import { makeState } from "../../src/core/state.ts";
import type { Given } from "../../src/core/inputs.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import { Clerk } from "./clerk.ts";
import { Crowd } from "./crowd.ts";
import { Daemon } from "./daemon.ts";
import { Depot } from "./depot.ts";
import { Faults } from "./faults.ts";
import { Ground } from "./ground.ts";
import type { Longest } from "../longest.ts";
import { LadderTimes } from "./ladder-times.ts";
import { findUnfinished } from "./liveness.ts";
import { makeOptions, type WorldOptions } from "./options.ts";
import { planFaults } from "./plan.ts";
import { Services } from "./services.ts";
import { Scheduler } from "./scheduler.ts";
import { SimBus } from "./sim-bus.ts";
import type { WallClock } from "./sim-clock.ts";
import { SimDisk } from "./sim-disk.ts";
import { SimNode, type NodeWorld } from "./sim-node.ts";
import type { Checker, Standing } from "./watch.ts";

export type Violation = {
  readonly kind: string;
  readonly tick: number;
  readonly sentence: string;
  readonly events: readonly string[];
};

export type WorldResult = {
  readonly seed: number;
  readonly steps: number;
  readonly faults: number;
  readonly violation: Violation | undefined;
  readonly reached: ReadonlySet<string>;
  readonly longest: readonly Longest[];
};

export type WorldSetting = {
  readonly seed: number;
  readonly steps: number | undefined;
  readonly checkers: (world: {
    readonly ground: Ground;
    readonly depot: Depot;
    readonly node: NodeWorld;
    readonly isFar: boolean;
    readonly textOf: (seq: number) => string | undefined;
  }) => readonly Checker[];
  /** Lets every promise that can go on go on. */
  readonly drain: () => Promise<void>;
};

const wallStartMs = 1_780_000_000_000;
const sampleEvery = 200;
const healMsMax = 3 * 3_600_000;
const healStepsMax = 60_000;

export class World {
  readonly options: WorldOptions;
  readonly #setting: WorldSetting;
  readonly #prng: Prng;
  readonly #scheduler = new Scheduler();
  readonly #disk = new SimDisk();
  readonly #faults: Faults;
  readonly #wall: WallClock = { offsetMs: wallStartMs };
  readonly #shadow = makeState();
  readonly #ladders = new LadderTimes();
  readonly #nodes = new Map<string, SimNode>();
  readonly #clerk: Clerk;
  readonly #bus: SimBus;
  readonly #daemon: Daemon;
  readonly #crowd: Crowd;
  readonly #restarts: Prng;
  #steps = 0;
  #settled = false;
  #violation: Violation | undefined;
  #restartNowMs = 0;
  /** How long it took to heal. */
  #healMs = 0;

  constructor(setting: WorldSetting) {
    const prng = new Prng(setting.seed);
    this.#setting = setting;
    this.#prng = prng;
    this.options = makeOptions(setting.seed, prng.stream("options"), setting.steps);
    this.#faults = new Faults(this.options, prng);
    this.#restarts = prng.stream("restarts");
    const submit = (given: Given, reply: (outcome: Outcome) => void): void => this.#daemon.submit(given, reply);
    this.#bus = new SimBus(this.#scheduler, this.#faults, submit);
    const ground = new Ground((deed) => this.#clerk.deed(deed));
    const report = (kind: string, sentence: string): void => this.#report(kind, sentence);
    this.#clerk = new Clerk({ report, nowMs: () => this.#scheduler.nowMs, tick: () => this.#steps });
    const { model } = this.#clerk;
    const depot = new Depot(model, (made) => this.#clerk.made(made));
    const troubles = prng.stream("troubles");
    const node: NodeWorld = {
      scheduler: this.#scheduler,
      bus: this.#bus,
      ground,
      model,
      prng: prng.stream("nodes"),
      link: () => this.#daemon.link,
      sometimes: (name) => this.#clerk.sometimes(name),
      depot,
      lodging: prng.stream("lodging of nodes"),
      ills: prng.stream("ills of nodes"),
      trouble: (where) => this.#trouble(troubles, where),
      landings: new Map(),
      validations: new Map(),
      proofs: new Set(),
      services: new Services((first, second) =>
        report(
          "I37",
          `${second.service} of ${second.agent} began in life ${second.life} while its life ${first.life} ran`,
        ),
      ),
      isHurt: () => this.#faults.on,
    };
    this.#clerk.use(
      setting.checkers({ ground, depot, node, isFar: this.options.farPlaces, textOf: (seq) => this.#disk.truth(seq) }),
    );
    this.#daemon = this.#makeDaemon();
    for (let number = 1; number <= this.options.nodes; number++)
      this.#nodes.set(`n${number}`, new SimNode(`n${number}`, node));
    const clearByHand = (input: { type: "unit.clear"; project: string; unit: string }, key: string): void => {
      ground.kill((deed) => deed.project === input.project && deed.unit.key === key);
      submit({ actor: "person:ann", input }, () => undefined);
    };
    this.#crowd = new Crowd({
      options: this.options,
      prng,
      scheduler: this.#scheduler,
      faults: this.#faults,
      bus: this.#bus,
      model,
      nodes: [...this.#nodes.keys()],
      clearByHand,
      depot,
      report,
    });
  }

  /** Between two steps of a landing: its machine dies, the daemon dies, or somebody commits. */
  #trouble(prng: Prng, node: SimNode): void {
    if (!this.#faults.on || !prng.chance(this.options.troubleChance)) return;
    this.#faults.count++;
    const roll = prng.unit();
    if (this.options.worksByHand && roll < 0.7) this.#crowd.commitByHand();
    if (roll < 0.4) {
      node.crash();
      this.#scheduler.after(prng.pick([200, 15_000, 70_000]), () => node.boot());
    } else if (roll < 0.8) this.#daemon.arm("anywhere");
  }

  async run(): Promise<WorldResult> {
    this.#daemon.start();
    this.#crowd.start();
    planFaults({
      options: this.options,
      prng: this.#prng.stream("plan"),
      scheduler: this.#scheduler,
      faults: this.#faults,
      disk: this.#disk,
      wall: this.#wall,
      nodes: [...this.#nodes.values()],
      daemon: this.#daemon,
      sometimes: (name) => this.#clerk.sometimes(name),
      sleep: (asleep) => this.#crowd.sleep(asleep),
    });
    await this.#runUntil(() => this.#steps >= this.options.steps);
    if (this.#violation === undefined) await this.#heal();
    if (this.#violation === undefined) this.#checkPhase();
    const { seed } = this.options;
    const reached = this.#clerk.reached;
    const { longestMs } = this.#ladders;
    const longest: Longest[] = [{ span: "heal", ms: this.#healMs, seed }];
    if (longestMs !== undefined) longest.push({ span: "ladder", ms: longestMs, seed });
    return { seed, steps: this.#steps, faults: this.#faults.count, violation: this.#violation, reached, longest };
  }

  /** Everything that became durable, as it was written. */
  log(): string[] {
    return Array.from({ length: this.#disk.lastSeq }, (_, at) => this.#disk.truth(at + 1) ?? "");
  }

  async #heal(): Promise<void> {
    this.#faults.on = false;
    this.#disk.isFull = false;
    this.#disk.slowMs = 0;
    this.#checkPhase();
    for (const node of this.#nodes.values()) {
      node.thaw();
      node.boot();
    }
    if (!this.#daemon.isAlive) this.#daemon.start();
    const startMs = this.#scheduler.nowMs;
    const startSteps = this.#steps;
    this.#crowd.finish(() => this.#daemon.engine !== undefined);
    let unfinished: string | undefined = "the world has not begun to heal";
    let lookAt = 0;
    await this.#runUntil(() => {
      if (this.#steps >= lookAt) {
        unfinished =
          this.#daemon.engine === undefined
            ? "the daemon is not open"
            : findUnfinished(this.#clerk.model, [...this.#nodes.keys()]);
        lookAt = this.#steps + 50;
      }
      const late = this.#scheduler.nowMs - startMs > healMsMax || this.#steps - startSteps > healStepsMax;
      return unfinished === undefined || late;
    });
    this.#healMs = this.#scheduler.nowMs - startMs;
    if (unfinished !== undefined && this.#violation === undefined) this.#report("LIVENESS", unfinished);
  }

  async #runUntil(isDone: () => boolean): Promise<void> {
    while (this.#violation === undefined && !isDone()) {
      try {
        if (!this.#scheduler.step()) return;
      } catch (error) {
        this.#report("DEFECT", error instanceof Error ? `${error.message}${where(error)}` : String(error));
      }
      this.#steps++;
      if (this.#settled || this.#daemon.isOpening) {
        this.#settled = false;
        await this.#setting.drain();
      }
      if (this.#steps % sampleEvery === 0) this.#sample();
    }
  }

  #makeDaemon(): Daemon {
    const clerk = this.#clerk;
    return new Daemon({
      options: this.options,
      scheduler: this.#scheduler,
      faults: this.#faults,
      disk: this.#disk,
      wall: this.#wall,
      bus: () => this.#bus,
      nodes: this.#nodes,
      monotonicStartMs: () => this.#restarts.below(1_000_000) / 4,
      onDurable: (texts) => this.#durable(texts),
      onSettled: () => (this.#settled = true),
      onReply: (given, outcome) => clerk.reply(given, outcome),
      onHear: (events, to) => clerk.hear(events, to),
      onAct: (act) => clerk.act(act),
      onBorn: (life) => clerk.born({ number: life.number, bornMs: life.bornMs, fromSeq: this.#disk.lastSeq }),
      onPrimed: (state) => clerk.primed(state),
      onOpened: () => {
        const standing = this.#standing();
        if (standing !== undefined) clerk.opened(standing);
      },
      onDown: (why) => this.#down(why),
      onDefect: (error) =>
        this.#report("DEFECT", error instanceof Error ? `${error.message}${where(error)}` : String(error)),
      report: (kind, sentence) => this.#report(kind, sentence),
      sometimes: (name) => clerk.sometimes(name),
    });
  }

  /** Events are durable: the model, the core's fold and the checkers hear of them as the disk has them. */
  #durable(texts: readonly string[]): void {
    try {
      const events = texts.map((text) => JSON.parse(text) as Logged);
      this.#clerk.durable(texts, events, (event) => {
        evolve(this.#shadow, event);
        this.#ladders.hear(event);
        this.#shadow.table.recheck.freed.length = 0;
        this.#shadow.table.recheck.claims.clear();
        this.#shadow.table.recheck.slots = false;
      });
    } catch (error) {
      this.#report(
        "DEFECT",
        `the log cannot be folded: ${error instanceof Error ? error.message + where(error) : String(error)}`,
      );
    }
  }

  #down(why: string): void {
    this.#clerk.sometimes(`down: ${why}`);
    if (why === "damaged") this.#disk.restore();
    else if (why !== "could not open") this.#faults.count++;
    const soon = this.#scheduler.nowMs - this.#restartNowMs < 2000;
    this.#restartNowMs = this.#scheduler.nowMs;
    const delayMs =
      soon || this.#restarts.chance(0.6) ? this.#restarts.between(1, 3000) : this.#restarts.between(3000, 90_000);
    this.#scheduler.after(this.#faults.on ? delayMs : 100, () => this.#daemon.start());
  }

  #standing(): Standing | undefined {
    const { engine } = this.#daemon;
    // The engine may have decided more than is durable; it can be compared only when it has not.
    if (engine === undefined || engine.state.seq !== this.#disk.lastSeq) return undefined;
    const calmMs = this.#scheduler.nowMs - Math.max(this.#daemon.upSinceMs, this.#disk.troubledAtMs);
    // A long line that moves is slow, not stuck.
    const idleSinceMs = Math.max(this.#daemon.oldestQuestionMs ?? this.#scheduler.nowMs, this.#disk.usedAtMs);
    const unansweredMs = this.#scheduler.nowMs - idleSinceMs;
    return {
      state: engine.state,
      nowMs: engine.nowMs(),
      calmMs,
      unansweredMs,
      shadow: this.#shadow,
      texts: () => this.log(),
    };
  }

  #sample(): void {
    const standing = this.#standing();
    if (standing !== undefined) this.#guarded(() => this.#clerk.sample(standing));
  }

  #checkPhase(): void {
    const standing = this.#standing();
    if (standing !== undefined) this.#guarded(() => this.#clerk.phase(standing));
  }

  #guarded(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#report("DEFECT", error instanceof Error ? `${error.message}${where(error)}` : String(error));
    }
  }

  #report(kind: string, sentence: string): void {
    if (this.#violation !== undefined) return;
    const { lastSeq } = this.#disk;
    const events = Array.from(
      { length: Math.min(12, lastSeq) },
      (_, at) => this.#disk.truth(lastSeq - Math.min(12, lastSeq) + at + 1) ?? "",
    );
    this.#violation = { kind, tick: this.#steps, sentence, events };
  }
}

/** Where in our code an error came from. */
function where(error: Error): string {
  const line = error.stack?.split("\n").find((each) => each.includes("/src/") || each.includes("/sim/"));
  return line === undefined
    ? ""
    : ` (${line
        .trim()
        .replace(/^at /, "")
        .replace(/file:\/\/.*\/(src|sim)\//, "$1/")})`;
}
