// State from the log: the newest snapshot and what came after it, or the whole log.

import { Fault } from "../base/fault.ts";
import { evolve } from "../core/evolve.ts";
import { fromPlain, snapshotVersion } from "../core/snapshot.ts";
import { makeState, type State } from "../core/state.ts";
import { upgradeEvent } from "../core/upgrade.ts";
import type { EventStore, StoredEvent } from "../ports/event-store.ts";

/** The state, and how much of it came from a snapshot. */
export type Folded = { readonly state: State; readonly snapshotSeq: number };

const pageSize = 4096;

/** Folds the log. It performs nothing: acts follow from where the state stands, not from how it got there. */
export async function foldLog(store: EventStore): Promise<Folded> {
  const state = await startingPoint(store);
  const snapshotSeq = state.seq;
  for (;;) {
    const page = await store.read(state.seq, pageSize);
    foldPage(state, page);
    if (page.length < pageSize) return { state, snapshotSeq };
  }
}

/** Moves a state on by events that follow it. */
export function foldPage(state: State, page: readonly StoredEvent[]): void {
  for (const stored of page) {
    const event = upgradeEvent(stored);
    if (!("atMs" in event)) {
      throw new Fault("log-newer", {
        retry: "never",
        message: `event ${event.seq} is a ${event.type} of version ${event.v}, which this release cannot read; use the release that wrote it, or a newer one`,
      });
    }
    evolve(state, event);
  }
  forgetFreed(state);
}

/** What folding notes as freed was settled when it happened. */
function forgetFreed(state: State): void {
  const { recheck } = state.table;
  recheck.freed.length = 0;
  recheck.claims.clear();
  recheck.slots = false;
}

async function startingPoint(store: EventStore): Promise<State> {
  const snapshot = await store.loadSnapshot();
  if (snapshot === null || snapshot.version !== snapshotVersion) return makeState();
  if (snapshot.seq > store.lastSeq) {
    throw new Fault("log-damaged", {
      retry: "never",
      message: `the log ends at event ${store.lastSeq}, but a snapshot knows of event ${snapshot.seq}: its end is missing`,
    });
  }
  return fromPlain(snapshot);
}
