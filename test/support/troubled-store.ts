// A store whose appends and reads go wrong when a test says so.

import { Fault } from "../../src/base/fault.ts";
import type { Logged } from "../../src/core/events.ts";
import type { PlainState } from "../../src/core/snapshot.ts";
import type { EventStore, StoredEvent } from "../../src/ports/event-store.ts";

/** refused: nothing is kept. ack-lost: it is kept, and the answer says that it is not. */
export type Fate = "done" | "refused" | "ack-lost";

export class TroubledStore implements EventStore {
  readonly #store: EventStore;
  /** What becomes of the next appends. */
  fate: Fate = "done";
  /** What the next reads throw. */
  readFault: Error | undefined;
  /** What is found instead of the newest snapshot. */
  foundSnapshot: PlainState | undefined;
  snapshotFault: Error | undefined;
  /** Snapshots that were kept, by the number of their last event. */
  readonly snapshots: number[] = [];
  /** How many events each append brought. */
  readonly appends: number[] = [];
  isClosed = false;
  #held: (() => void)[] | undefined;

  constructor(store: EventStore) {
    this.#store = store;
  }

  get lastSeq(): number {
    return this.#store.lastSeq;
  }

  append(events: readonly Logged[], done: (fault: Fault | null) => void): void {
    this.appends.push(events.length);
    const { fate } = this;
    const go = (): void => {
      if (fate === "refused") return done(refusal("the disk is full"));
      this.#store.append(events, (fault) => done(fate === "ack-lost" ? refusal("no answer from the disk") : fault));
    };
    if (this.#held === undefined) go();
    else this.#held.push(go);
  }

  /** Appends stay under way until the returned function is called. */
  hold(): () => void {
    this.#held = [];
    return () => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const go of held) go();
    };
  }

  async read(afterSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    if (this.readFault !== undefined) throw this.readFault;
    return this.#store.read(afterSeq, limit);
  }

  async saveSnapshot(snapshot: PlainState): Promise<void> {
    if (this.snapshotFault !== undefined) throw this.snapshotFault;
    this.snapshots.push(snapshot.seq);
    await this.#store.saveSnapshot(snapshot);
  }

  async loadSnapshot(): Promise<PlainState | null> {
    return this.foundSnapshot ?? this.#store.loadSnapshot();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.#store.close();
  }
}

function refusal(message: string): Fault {
  return new Fault("store-unavailable", { retry: "later", message });
}
