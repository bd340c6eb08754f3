// What stands in the way of a claim, as people and models are told it: who holds, then who is ahead.

import { compareText } from "../../base/canonical.ts";
import type { Obstacle } from "./lease-events.ts";
import type { Family, LeaseTable, QueuedClaim } from "./lease-state.ts";
import { projectOf } from "./lease-state.ts";
import type { Unit } from "./unit.ts";

/** How many are named. A thousand claims may wait for one unit; listing all for each would fill the log. */
export const obstaclesMax = 32;

/** Which claims count as ahead: all up to a rank, or those of them that are not left out. */
export type Ahead = { readonly rankMax: number; readonly counts?: (claim: QueuedClaim) => boolean };

/** Holders first, one line for each unit and family; then the claims ahead, foremost first. */
export function listObstacles(
  table: LeaseTable,
  family: Pick<Family, "id" | "project">,
  units: readonly Unit[],
  { rankMax, counts }: Ahead,
): Obstacle[] {
  const { leases, waiting } = projectOf(table, family.project);
  const held = new Map<string, Obstacle>();
  const ahead: { readonly unit: Unit; readonly claim: QueuedClaim }[] = [];
  for (const unit of units) {
    leases.someConflict(unit, (lease) => {
      const { id, holder } = lease.family;
      const name = `${unit.text} ${id}`;
      const known = held.get(name);
      const isOlder = known === undefined || compareText(lease.claim, known.claim) < 0;
      const obstacle = { unit: unit.text, family: id, holder, by: "lease", claim: lease.claim } as const;
      if (id !== family.id && isOlder) held.set(name, obstacle);
      return false;
    });
    waiting.someLine(unit, (line) => {
      let named = 0;
      for (const { claim } of line) {
        if (claim.rank > rankMax || named >= obstaclesMax) break;
        if (claim.family.id === family.id || counts?.(claim) === false) continue;
        ahead.push({ unit, claim });
        named++;
      }
      return false;
    });
  }
  const holders = [...held].toSorted(([a], [b]) => compareText(a, b)).map(([, obstacle]) => obstacle);
  const queue = ahead.toSorted((a, b) => a.claim.rank - b.claim.rank || compareText(a.unit.text, b.unit.text));
  const seen = new Set<string>();
  for (const { unit, claim } of queue) {
    if (holders.length >= obstaclesMax) break;
    const name = `${unit.text} ${claim.id}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const { id, holder } = claim.family;
    holders.push({ unit: unit.text, family: id, holder, by: "claim", claim: claim.id });
  }
  return holders.slice(0, obstaclesMax);
}
