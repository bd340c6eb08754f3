// What a template says of its ladder: which rungs there are, how often each is tried, and how long each waits.

import { recoveryDefaults, type RecoveryRule } from "./agent-spec.ts";
import type { Agent, Rung } from "./agent-state.ts";

export function recoveryOf({ spec }: Agent): RecoveryRule {
  return spec.recovery ?? recoveryDefaults;
}

/** Whether the template has this rung; asking a person is never left out. */
export function hasRung(agent: Agent, rung: Rung): boolean {
  return rung === "ask" || recoveryOf(agent).rungs.includes(rung);
}

/** Whether a rung that was taken already may be taken once more. */
export function mayTryAgain(agent: Agent, rung: Rung): boolean {
  return rung !== "ask" && (agent.climbs[rung] ?? 0) < recoveryOf(agent).tries;
}

/** Between one rung and a next one that touches others passes so much at least, each further time twice as much. */
const betweenMs = 2000;

/** How long the next rung waits (AG75). Nobody waits for a person to be asked. */
export function rungDelayMs(agent: Agent, rung: Rung): number {
  if (rung === "ask") return 0;
  const { delayMs, delayMsMax } = recoveryOf(agent);
  const taken = Object.values(agent.climbs).reduce((sum, count) => sum + count, 0);
  const leastMs = taken === 0 || rung === "reallocate" ? 0 : betweenMs * 2 ** (taken - 1);
  return Math.min(Math.max(delayMs * 2 ** taken, leastMs), delayMsMax);
}
