// What a run has cost by its assistant's own reckoning: beside ours, for people to compare. It decides nothing.

import type { Heard } from "./heard.ts";

/** A program counts from the beginning of a conversation, also when that is taken up again. */
export type OwnCost = {
  readonly session: string | null;
  /** Of this conversation, and of all before it. */
  readonly sessionMicros: number;
  readonly beforeMicros: number;
};

export function addOwnCost(known: OwnCost | null, items: readonly Heard[]): OwnCost | null {
  let cost = known;
  for (const item of items) {
    if (item.is === "session" && cost !== null && item.session !== cost.session) {
      const beforeMicros = cost.session === null ? cost.beforeMicros : sumOf(cost);
      const sessionMicros = cost.session === null ? cost.sessionMicros : 0;
      cost = { session: item.session, sessionMicros, beforeMicros };
    }
    if (item.is === "session") cost ??= { session: item.session, sessionMicros: 0, beforeMicros: 0 };
    if (item.is === "turn" && item.usage.costMicros !== null)
      cost = { session: null, beforeMicros: 0, ...cost, sessionMicros: item.usage.costMicros };
  }
  return cost;
}

function sumOf({ sessionMicros, beforeMicros }: OwnCost): number {
  return sessionMicros + beforeMicros;
}

/** In micro-dollars; null where its assistant said nothing of it. */
export function ownCostOf(cost: OwnCost | null): number | null {
  return cost === null || sumOf(cost) === 0 ? null : sumOf(cost);
}
