// One loop: take inputs, decide, append, publish, act. It is the only writer of the log. Nobody hears of anything that is
// not durable, and an act's outcome comes back as another input.

import { Fault } from "../base/fault.ts";
import { Fifo } from "../base/fifo.ts";
import { refuse, type Result } from "../base/result.ts";
import { actsOf, actsPending } from "../core/acts.ts";
import { decide } from "../core/decide.ts";
import { nextDueMs } from "../core/due.ts";
import type { Logged } from "../core/events.ts";
import type { Answer, Given, Refusal } from "../core/inputs.ts";
import { toPlain } from "../core/snapshot.ts";
import type { State } from "../core/state.ts";
import { upgradeEvent } from "../core/upgrade.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { NodeLink } from "../ports/node-link.ts";
import { EngineTime } from "./engine-time.ts";
import { foldLog, type Folded } from "./fold-log.ts";

export type EngineRefusal =
  | { readonly code: "overloaded"; readonly retryAfterMs: number }
  | { readonly code: "store-unavailable"; readonly retryAfterMs: number; readonly message: string }
  | { readonly code: "closing" };

export type Outcome = Result<Answer, Refusal | EngineRefusal>;
export type Reply = (outcome: Outcome) => void;

export type EnginePorts = { readonly store: EventStore; readonly clock: Clock; readonly nodes: NodeLink };

export type EngineOptions = {
  readonly version: string;
  /** Inputs that may wait; beyond that the answer is "later" instead of an ever longer queue. */
  readonly inboxMax: number;
  /** Inputs that share one append. */
  readonly batchMax: number;
  readonly snapshotEvery: number;
  /** The engine cannot go on: its process should say why and end. Without it the error is thrown, which has the same effect. */
  readonly onHalt?: ((error: unknown) => void) | undefined;
};

export const defaultEngineOptions = { inboxMax: 10_000, batchMax: 512, snapshotEvery: 50_000 } as const;

type Waiting = { readonly given: Given; readonly reply: Reply };
type Decided = { readonly reply: Reply; readonly outcome: Outcome };

const retryStoreMs = 250;
/** Timers cannot look further ahead; looking early is harmless. */
const timerMsMax = 3_600_000;

export class Engine {
  readonly #ports: EnginePorts;
  readonly #options: EngineOptions;
  readonly #time: EngineTime;
  readonly #inbox = new Fifo<Waiting>();
  readonly #listeners = new Set<(events: readonly Logged[]) => void>();
  #state: State;
  #phase: "working" | "appending" | "recovering" | "closed" = "working";
  #pumping = false;
  #cancelTimer: (() => void) | undefined;
  /** When the timer under way calls, in engine time. */
  #timerAtMs = 0;
  #snapshotSeq: number;
  /** The last event that nodes and listeners have heard of. */
  #toldSeq: number;
  #whenIdle: (() => void)[] = [];
  #closing: Promise<void> | undefined;

  private constructor(ports: EnginePorts, options: EngineOptions, { state, snapshotSeq }: Folded) {
    this.#ports = ports;
    this.#options = options;
    this.#state = state;
    this.#snapshotSeq = snapshotSeq;
    this.#toldSeq = state.seq;
    this.#time = new EngineTime(ports.clock, state.atMs);
  }

  /** Folds the log, records that the engine is open, and takes up everything that was still to be done. */
  static async open(ports: EnginePorts, options: EngineOptions): Promise<Engine> {
    const engine = new Engine(ports, options, await foldLog(ports.store));
    ports.nodes.prime(engine.#state);
    const input = { type: "engine.open", version: options.version, wallMs: ports.clock.wallMs() } as const;
    const opened = await new Promise<Outcome>((resolve) => engine.submit({ actor: "system", input }, resolve));
    if (!opened.ok) {
      engine.#shut();
      const why = "message" in opened.refusal ? opened.refusal.message : opened.refusal.code;
      throw new Fault("store-unavailable", { retry: "later", message: `the engine could not be opened: ${why}` });
    }
    for (const act of actsPending(engine.#state)) ports.nodes.perform(act);
    return engine;
  }

  /** The state. Look, do not touch. While a batch is on its way to the log, or was refused there, it is ahead of it. */
  get state(): State {
    return this.#state;
  }

  nowMs(): number {
    return this.#time.nowMs();
  }

  /** Takes an input and answers once its events are durable. */
  submit(given: Given, reply: Reply): void {
    if (this.#phase === "closed") return reply(refuse({ code: "closing" }));
    if (this.#phase === "recovering") return reply(toSorry("the log is read again after a fault"));
    if (this.#inbox.size >= this.#options.inboxMax) return reply(refuse({ code: "overloaded", retryAfterMs: 100 }));
    this.#inbox.push({ given, reply });
    this.#pumpSoon();
  }

  /** Durable events, in order, without a gap. */
  subscribe(listener: (events: readonly Logged[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Finishes what is under way, keeps a snapshot and lets the store go. Waiting inputs are told to come again. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#phase === "appending") await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    // A state that the log has not taken is nothing to keep, and a store that is away may never come back.
    const isWhole = this.#phase === "working";
    this.#shut();
    try {
      if (isWhole) await this.#saveSnapshot();
    } finally {
      await this.#ports.store.close();
    }
  }

  #shut(): void {
    this.#phase = "closed";
    this.#cancelTimer?.();
    this.#refuseWaiting(refuse({ code: "closing" }));
  }

  #refuseWaiting(outcome: Outcome): void {
    for (let waiting = this.#inbox.shift(); waiting !== undefined; waiting = this.#inbox.shift())
      waiting.reply(outcome);
  }

  #pumpSoon(): void {
    if (this.#pumping || this.#phase !== "working") return;
    this.#pumping = true;
    this.#ports.clock.defer(() => {
      this.#pumping = false;
      if (this.#phase === "working") this.#pump();
    });
  }

  #pump(): void {
    const events: Logged[] = [];
    const decided: Decided[] = [];
    for (let taken = 0; taken < this.#options.batchMax; taken++) {
      const waiting = this.#inbox.shift();
      if (waiting === undefined) break;
      const decision = decide(this.#state, waiting.given, this.#time.nowMs());
      for (const event of decision.events) events.push(event);
      decided.push({ reply: waiting.reply, outcome: decision.result });
    }
    if (events.length === 0) return this.#finishBatch(events, decided);
    this.#phase = "appending";
    this.#ports.store.append(events, (fault) => {
      if (this.#phase !== "appending") return;
      this.#phase = "working";
      if (fault === null) this.#finishBatch(events, decided);
      else this.#recover(fault, decided);
    });
  }

  /** Everything of this batch is durable: nodes first, then listeners, then those who asked, then the acts. */
  #finishBatch(events: readonly Logged[], decided: readonly Decided[]): void {
    if (events.length > 0) this.#tell(events);
    for (const { reply, outcome } of decided) reply(outcome);
    for (const event of events) for (const act of actsOf(this.#state, event)) this.#ports.nodes.perform(act);
    this.#maybeSnapshot();
    this.#setTimer();
    this.#tellIdle();
    if (this.#inbox.size > 0) this.#pumpSoon();
  }

  /**
   * The store did not take the batch. The state has run ahead of the log, so it is thrown away and folded anew; whoever
   * asked is told to try again, and a request that did get through is recognised by its key.
   */
  #recover(fault: Fault, decided: readonly Decided[]): void {
    this.#phase = "recovering";
    const sorry = toSorry(fault.message);
    for (const { reply } of decided) reply(sorry);
    this.#refuseWaiting(sorry);
    this.#tellIdle();
    void this.#foldAgain();
  }

  async #foldAgain(): Promise<void> {
    try {
      const { state, snapshotSeq } = await foldLog(this.#ports.store);
      if (this.#phase !== "recovering") return;
      this.#state = state;
      this.#snapshotSeq = snapshotSeq;
      await this.#tellMissed();
    } catch (error) {
      if (this.#phase !== "recovering") return;
      if (!(error instanceof Fault) || error.retry === "never") return this.#halt(error);
      this.#ports.clock.setTimer(retryStoreMs, () => void this.#foldAgain());
      return;
    }
    if (this.#phase !== "recovering") return;
    this.#phase = "working";
    for (const act of actsPending(this.#state)) this.#ports.nodes.perform(act);
    this.#setTimer();
    this.#pumpSoon();
  }

  /** The log is damaged or cannot be read by this release: going on would skip something, trying again helps nobody. */
  #halt(error: unknown): void {
    this.#shut();
    if (this.#options.onHalt === undefined) throw error;
    this.#options.onHalt(error);
  }

  /** An append that seemed to fail may have got through: its events are durable and nobody has heard of them yet. */
  async #tellMissed(): Promise<void> {
    while (this.#toldSeq < this.#state.seq) {
      const page = await this.#ports.store.read(this.#toldSeq, 1024);
      if (this.#phase !== "recovering") return;
      const missed = page.map((stored) => upgradeEvent(stored)).filter((event) => "atMs" in event);
      if (missed.length === 0) return;
      this.#tell(missed);
    }
  }

  #tell(events: readonly Logged[]): void {
    this.#toldSeq = events.at(-1)?.seq ?? this.#toldSeq;
    this.#ports.nodes.hear(events);
    // Whoever begins to listen meanwhile already sees these in the state.
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener(events);
  }

  #setTimer(): void {
    const dueMs = nextDueMs(this.#state);
    // A timer that calls early does no harm, and setting one anew after every batch would cost more than deciding.
    if (this.#cancelTimer !== undefined && dueMs !== undefined && this.#timerAtMs <= dueMs) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (dueMs === undefined || this.#phase === "closed") return;
    const nowMs = this.#time.nowMs();
    const delayMs = Math.min(Math.max(1, dueMs - nowMs), timerMsMax);
    this.#timerAtMs = nowMs + delayMs;
    this.#cancelTimer = this.#ports.clock.setTimer(delayMs, () => {
      this.#cancelTimer = undefined;
      this.submit({ actor: "system", input: { type: "tick" } }, () => undefined);
    });
  }

  #maybeSnapshot(): void {
    if (this.#state.seq - this.#snapshotSeq < this.#options.snapshotEvery) return;
    this.#snapshotSeq = this.#state.seq;
    void this.#saveSnapshot();
  }

  /** Losing a snapshot costs time at the next start, never data. */
  async #saveSnapshot(): Promise<void> {
    await this.#ports.store.saveSnapshot(toPlain(this.#state)).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
    });
  }

  #tellIdle(): void {
    const waiting = this.#whenIdle;
    this.#whenIdle = [];
    for (const tell of waiting) tell();
  }
}

function toSorry(message: string): Outcome {
  return refuse({ code: "store-unavailable", retryAfterMs: retryStoreMs, message });
}
