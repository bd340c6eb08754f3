// One step of the core: an input at an instant, and everything that follows from it. Events take effect as they are
// emitted, so that each decision sees the ones before it; the log gets them all together or not at all.

import { compareText } from "../base/canonical.ts";
import type { Event, Logged } from "./events.ts";
import { evolve } from "./evolve.ts";
import type { LeaseGranted, LeaseReleased } from "./lease/lease-events.ts";
import type { State } from "./state.ts";

/** Orders ids as they came into being: they are numbers of the log, written without leading zeros. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || compareText(a, b);
}

export class Step {
  readonly state: State;
  readonly nowMs: number;
  readonly events: Logged[] = [];
  actor: string;
  /** The event whose consequence is being worked out. */
  cause: number | null = null;

  constructor(state: State, nowMs: number, actor: string) {
    this.state = state;
    this.nowMs = Math.max(nowMs, state.atMs);
    this.actor = actor;
  }

  emit(event: Event): void {
    const { state, nowMs, cause, actor } = this;
    const logged = toLogged(event, state.seq + 1, nowMs, cause, actor);
    this.events.push(logged);
    evolve(state, logged);
  }

  emitAll(events: readonly Event[]): void {
    for (const event of events) this.emit(event);
  }

  /** A fresh id. It is the number of the next event, so it is unique within the log and needs no chance. */
  nextId(prefix: string): string {
    return `${prefix}_${(this.state.seq + 1).toString(36)}`;
  }
}

/**
 * The event with its place in the log. The two events of every claim are spelled out: copying one field by field costs
 * more than everything else that is done with it here.
 */
function toLogged(event: Event, seq: number, atMs: number, cause: number | null, actor: string): Logged {
  if (event.type === "lease.granted") {
    const { type, v, claim, family, project, units, fences, expiresAtMs, ready, slot, arrival } = event;
    const granted: Logged<LeaseGranted> = {
      seq,
      atMs,
      cause,
      actor,
      type,
      v,
      claim,
      family,
      project,
      units,
      fences,
      expiresAtMs,
      ready,
      slot,
      arrival,
    };
    return granted;
  }
  if (event.type === "lease.released") {
    const { type, v, family, units, setAside } = event;
    const released: Logged<LeaseReleased> = { seq, atMs, cause, actor, type, v, family, units, setAside };
    return released;
  }
  return { seq, atMs, cause, actor, ...event };
}
