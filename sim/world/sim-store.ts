// The event store as one life of the daemon sees it. An append takes time and is durable whole or not at all; it may be
// refused, or get through although the answer says otherwise; when the process dies meanwhile, chance decides which.

import { assert } from "../../src/base/assert.ts";
import { Fault } from "../../src/base/fault.ts";
import type { Logged } from "../../src/core/events.ts";
import type { PlainState } from "../../src/core/snapshot.ts";
import type { EventStore, StoredEvent } from "../../src/ports/event-store.ts";
import type { Faults } from "./faults.ts";
import type { Life } from "./life.ts";
import type { Scheduler } from "./scheduler.ts";
import type { SimDisk } from "./sim-disk.ts";

export type SimStoreOptions = {
  readonly disk: SimDisk;
  readonly life: Life;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  /** Events became durable, in this order. */
  readonly onDurable: (events: readonly string[]) => void;
  /** A promise of the engine was settled: what waits for it has to run before time goes on. */
  readonly onSettled: () => void;
  readonly sometimes: (name: string) => void;
};

export class SimStore implements EventStore {
  readonly #options: SimStoreOptions;
  #flight: readonly string[] | undefined;

  constructor(options: SimStoreOptions) {
    this.#options = options;
    const { disk } = options;
    if (disk.isOpen) throw new Fault("home-in-use", { retry: "never", message: "another daemon has this log" });
    disk.isOpen = true;
  }

  get lastSeq(): number {
    return this.#options.disk.lastSeq;
  }

  append(events: readonly Logged[], done: (fault: Fault | null) => void): void {
    const { life, disk, faults, scheduler } = this.#options;
    events.forEach(({ seq }, at) => {
      assert(seq === disk.lastSeq + at + 1, `event ${seq} is appended after ${disk.lastSeq + at}`);
    });
    if (events.length === 0) {
      scheduler.after(0, () => life.run(() => done(null)));
      return;
    }
    if (life.reach("before-append")) return;
    assert(this.#flight === undefined, "two appends are under way at once");
    const texts = events.map((event) => JSON.stringify(event));
    const fate = disk.isFull || disk.refusesNext ? "refused" : faults.appendFate();
    disk.refusesNext = false;
    this.#flight = texts;
    scheduler.after(faults.appendMs() + disk.slowMs, () => {
      if (!life.alive) return;
      this.#flight = undefined;
      disk.usedAtMs = scheduler.nowMs;
      if (fate !== "done" || disk.slowMs > 0) disk.troubledAtMs = scheduler.nowMs;
      if (fate !== "refused") this.#commit(texts);
      if (life.reach("before-publish")) return;
      life.run(() => done(fate === "done" ? null : toFault(fate)));
    });
    life.reach("during-append");
  }

  /** The process is gone. What was on its way is all there or not at all. */
  crash(): void {
    this.#options.disk.isOpen = false;
    if (this.#flight === undefined) return;
    const durable = this.#options.faults.crashIsDurable();
    this.#options.sometimes(durable ? "crash during append, durable" : "crash during append, lost");
    if (durable) this.#commit(this.#flight);
    this.#flight = undefined;
  }

  read(afterSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    const { life, faults, disk, sometimes } = this.#options;
    if (life.reach("during-fold")) return never();
    return this.#later(() => {
      if (faults.readFails()) {
        sometimes("read failed");
        throw new Fault("read-failed", { retry: "later", message: "the log could not be read" });
      }
      return disk.read(afterSeq, limit);
    });
  }

  saveSnapshot(snapshot: PlainState): Promise<void> {
    const { life, disk, faults } = this.#options;
    if (!life.alive) return never();
    const text = JSON.stringify(snapshot);
    return this.#later(() => {
      assert(snapshot.seq <= disk.lastSeq, `event ${snapshot.seq} is not durable and cannot be in a snapshot`);
      if (disk.isFull || faults.snapshotIsLost()) throw toFault("refused");
      disk.keepSnapshot(snapshot, text);
    });
  }

  loadSnapshot(): Promise<PlainState | null> {
    const { life, disk, sometimes } = this.#options;
    if (life.reach("during-load")) return never();
    return this.#later(() => {
      const snapshot = disk.snapshot();
      if (disk.snapshotCount > 0 && (snapshot === undefined || snapshot.skipped > 0)) sometimes("snapshot damaged");
      if (snapshot === undefined) return null;
      sometimes("snapshot used");
      return JSON.parse(snapshot.text) as PlainState;
    });
  }

  close(): Promise<void> {
    this.#options.disk.isOpen = false;
    return Promise.resolve();
  }

  #commit(texts: readonly string[]): void {
    this.#options.disk.write(texts);
    this.#options.onDurable(texts);
  }

  #later<T>(work: () => T): Promise<T> {
    const { scheduler, life, faults, onSettled } = this.#options;
    return new Promise<T>((resolve, reject) => {
      scheduler.after(faults.readMs(), () => {
        if (!life.alive) return;
        onSettled();
        try {
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

function toFault(fate: "refused" | "ack-lost"): Fault {
  return fate === "refused"
    ? new Fault("store-unavailable", { retry: "later", message: `the disk is full (${canary})` })
    : new Fault("store-unavailable", { retry: "later", message: `no answer from the disk (${canary})` });
}

/** A planted secret: it must never be seen in the log. */
export const canary = "canary-7f3a9c";
