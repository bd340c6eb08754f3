// The state as it was after any event: folded from the nearest point that is at hand, in portions, so that the loop beside it
// goes on. Folding performs nothing, and nobody decides from what is found here.

import { Fault } from "../base/fault.ts";
import { fromPlain, type PlainState, snapshotVersion, toPlain } from "../core/snapshot.ts";
import { makeState, type State } from "../core/state.ts";
import type { EventStore } from "../ports/event-store.ts";
import { foldPage } from "./fold-log.ts";

export type PastLimits = {
  /** States that are kept for whoever asks again. */
  readonly statesMax: number;
  /** Points on the way that later questions start from, and how far apart they are at least. */
  readonly marksMax: number;
  readonly markEvery: number;
  /** Questions that may wait; beyond that the answer is "later". */
  readonly waitingMax: number;
  /** Events between two breaths. */
  readonly portion: number;
};

export const defaultPastLimits: PastLimits = {
  statesMax: 4,
  marksMax: 8,
  markEvery: 20_000,
  waitingMax: 16,
  portion: 256,
};

export class Past {
  readonly #store: Pick<EventStore, "read" | "lastSeq" | "loadSnapshot">;
  readonly #breathe: () => Promise<void>;
  readonly #limits: PastLimits;
  /** The one that was asked for last comes last. */
  readonly #states = new Map<number, Promise<State>>();
  readonly #settled = new Map<number, State>();
  readonly #marks = new Map<number, PlainState>();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(
    store: Pick<EventStore, "read" | "lastSeq" | "loadSnapshot">,
    breathe: () => Promise<void>,
    limits: PastLimits = defaultPastLimits,
  ) {
    this.#store = store;
    this.#breathe = breathe;
    this.#limits = limits;
  }

  /** The state right after an event; look, do not touch. There has to be such an event. */
  at(seq: number): Promise<State> {
    const known = this.#states.get(seq);
    if (known !== undefined) {
      this.#states.delete(seq);
      this.#states.set(seq, known);
      return known;
    }
    if (this.#waiting >= this.#limits.waitingMax) {
      const message = "too many look at the past at once";
      return Promise.reject(new Fault("overloaded", { retry: "later", message }));
    }
    // One at a time: folding two at once would only make both late, and take twice the memory.
    this.#waiting++;
    const state = this.#last.then(() => this.#fold(seq));
    this.#last = state.catch(() => undefined).then(() => this.#waiting--);
    this.#keep(seq, state);
    return state;
  }

  #keep(seq: number, state: Promise<State>): void {
    this.#states.set(seq, state);
    state.then(
      (settled) => {
        if (this.#states.has(seq)) this.#settled.set(seq, settled);
      },
      () => this.#forget(seq),
    );
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= this.#limits.statesMax) break;
      this.#forget(oldest);
    }
  }

  #forget(seq: number): void {
    this.#states.delete(seq);
    this.#settled.delete(seq);
  }

  async #fold(seq: number): Promise<State> {
    const state = await this.#start(seq);
    for (let markedAt = state.seq; state.seq < seq;) {
      const page = await this.#store.read(state.seq, Math.min(this.#limits.portion, seq - state.seq));
      if (page.length === 0) {
        const message = `the log ends at event ${state.seq}, before event ${seq}`;
        throw new Fault("log-damaged", { retry: "never", message });
      }
      foldPage(state, page);
      if (state.seq - markedAt >= this.#limits.markEvery && state.seq < seq) {
        markedAt = state.seq;
        await this.#mark(state);
      }
      await this.#breathe();
    }
    return state;
  }

  /** The nearest point before an event. A state that is kept is copied: whoever looks at it must not see it move. */
  async #start(seq: number): Promise<State> {
    const isBefore = (each: number): boolean => each <= seq;
    const kept = Math.max(0, ...[...this.#settled.keys()].filter(isBefore));
    const marked = Math.max(0, ...[...this.#marks.keys()].filter(isBefore));
    const nearest = Math.max(kept, marked);
    // A snapshot is read whole, so it has to save something.
    if (seq - nearest > this.#limits.markEvery / 4) {
      const snapshot = await this.#store.loadSnapshot();
      if (snapshot !== null && snapshot.version === snapshotVersion && snapshot.seq <= seq && snapshot.seq > nearest)
        return fromPlain(snapshot);
    }
    const mark = marked === nearest ? this.#marks.get(marked) : undefined;
    const state = mark === undefined ? this.#settled.get(kept) : undefined;
    const plain = mark ?? (state === undefined ? undefined : toPlain(state));
    return plain === undefined ? makeState() : fromPlain(await this.#copy(plain));
  }

  /** In portions, too: nobody changes what is copied meanwhile. */
  async #copy(plain: PlainState): Promise<PlainState> {
    const copied: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(plain) as [string, unknown][]) {
      if (!Array.isArray(value)) {
        copied[name] = structuredClone(value);
        continue;
      }
      const items: unknown[] = [];
      for (let from = 0; from < value.length; from += this.#limits.portion) {
        for (const item of value.slice(from, from + this.#limits.portion) as unknown[])
          items.push(structuredClone(item));
        await this.#breathe();
      }
      copied[name] = items;
    }
    return copied as unknown as PlainState;
  }

  async #mark(state: State): Promise<void> {
    this.#marks.set(state.seq, await this.#copy(toPlain(state)));
    for (const oldest of this.#marks.keys()) {
      if (this.#marks.size <= this.#limits.marksMax) break;
      this.#marks.delete(oldest);
    }
  }
}
