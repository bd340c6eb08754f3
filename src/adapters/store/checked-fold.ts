// Folds a log and compares the result with its snapshot: the state equals the fold of the events, and a snapshot with
// the events after it gives the same as all events.

import { canonical } from "../../base/canonical.ts";
import type { Logged } from "../../core/events.ts";
import { evolve } from "../../core/evolve.ts";
import { fromPlain, type PlainState, toPlain } from "../../core/snapshot.ts";
import { makeState, type State } from "../../core/state.ts";
import { upgradeEvent } from "../../core/upgrade.ts";
import type { StoredEvent } from "../../ports/event-store.ts";

/**
 * equal: the newest snapshot is what its events add up to. no-snapshot: there was none to compare with. not-reached: the
 * log is damaged before it. unreadable: this release does not know an event, or it cannot have happened where it stands.
 */
export type StateReport =
  | { readonly verdict: "equal"; readonly snapshotSeq: number }
  | {
      readonly verdict: "differs";
      readonly snapshotSeq: number;
      readonly seq: number;
      readonly fields: readonly string[];
    }
  | { readonly verdict: "no-snapshot" }
  | { readonly verdict: "not-reached"; readonly snapshotSeq: number }
  | { readonly verdict: "unreadable"; readonly seq: number; readonly reason: string };

export class CheckedFold {
  readonly #snapshot: PlainState | null;
  readonly #state = makeState();
  /** The state that started from the snapshot. */
  #resumed: State | null = null;
  #verdict: StateReport | null = null;

  constructor(snapshot: PlainState | null) {
    this.#snapshot = snapshot;
    this.#maybeCompare();
  }

  add(stored: StoredEvent): void {
    if (this.#verdict !== null) return;
    const event = upgradeEvent(stored);
    if (!isReadable(event)) {
      const reason = `this release does not know ${event.type} in version ${event.v}`;
      this.#verdict = { verdict: "unreadable", seq: event.seq, reason };
      return;
    }
    try {
      evolve(this.#state, event);
      if (this.#resumed !== null) evolve(this.#resumed, event);
    } catch (error) {
      this.#verdict = { verdict: "unreadable", seq: event.seq, reason: String(error) };
      return;
    }
    this.#maybeCompare();
  }

  /** What came of it, once all events are there. */
  report(): StateReport {
    const snapshot = this.#snapshot;
    if (this.#verdict !== null) return this.#verdict;
    if (snapshot === null) return { verdict: "no-snapshot" };
    if (this.#resumed === null) return { verdict: "not-reached", snapshotSeq: snapshot.seq };
    this.#compare(snapshot, toPlain(this.#resumed));
    return this.#verdict ?? { verdict: "equal", snapshotSeq: snapshot.seq };
  }

  #maybeCompare(): void {
    const snapshot = this.#snapshot;
    if (snapshot === null || snapshot.seq !== this.#state.seq) return;
    this.#compare(snapshot, snapshot);
    this.#resumed = fromPlain(snapshot);
  }

  #compare(snapshot: PlainState, found: PlainState): void {
    const folded = toPlain(this.#state);
    const names = Object.keys(folded) as (keyof PlainState)[];
    const fields = names.filter((name) => canonical(folded[name]) !== canonical(found[name]));
    if (fields.length === 0) return;
    this.#verdict = { verdict: "differs", snapshotSeq: snapshot.seq, seq: this.#state.seq, fields };
  }
}

function isReadable(event: ReturnType<typeof upgradeEvent>): event is Logged {
  return "actor" in event;
}
