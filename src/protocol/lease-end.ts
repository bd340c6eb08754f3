// Until when a lease is held, as people ask it: a run keeps renewing what it works with, so its expiry says nothing to them; that a hold
// goes to those who wait for it does.

import { unreachable } from "../base/assert.ts";
import type { Lease } from "./wire/claim.ts";

export type LeaseEnd = {
  /** After "until": all there is to say, or what comes before a time. */
  readonly word: string;
  readonly atMs: number | null;
  /** Why, in a sentence. */
  readonly why: string;
};

type Ending = Pick<Lease, "state" | "kind" | "expiresAtMs" | "yieldsAtMs" | "patienceMs">;

export function toLeaseEnd(lease: Ending): LeaseEnd {
  const { state, kind, expiresAtMs, yieldsAtMs } = lease;
  switch (state) {
    case "live":
      return kind === "run" || expiresAtMs === null
        ? { word: "its end", atMs: null, why: "Its run renews it, and gives it back when it needs it no more" }
        : { word: "in", atMs: expiresAtMs, why: "It ends then, unless its holder renews it" };
    case "refreshing":
      return { word: "coming", atMs: null, why: "Granted; its paths are brought in step first" };
    case "landing":
      return { word: "landed", atMs: null, why: "It cannot end while its change lands" };
    case "quarantined":
      return { word: "cleared", atMs: null, why: "Its holder is gone, and its processes are not proven dead" };
    case "hold":
    case "paused":
      return yieldsAtMs === null
        ? { word: state === "hold" ? "review" : "resumed", atMs: null, why: whyKept(lease) }
        : { word: "yields in", atMs: yieldsAtMs, why: "Somebody waits for it, and gets it then" };
    default:
      return unreachable(state);
  }
}

function whyKept({ state, patienceMs }: Ending): string {
  const who = state === "hold" ? "Its run waits for a person, and keeps it" : "Its run is paused, and keeps it";
  if (patienceMs === null) return `${who}, whoever waits`;
  const minutes = Math.round(patienceMs / 60_000);
  return `${who}; ${minutes < 1 ? "soon" : `${minutes} min`} after somebody begins to wait for it, it goes to them`;
}
