// The queue of a project as an order (LS13): who stands where, by rank, and the indexes that are sorted by it. It knows
// no rule: where a claim belongs is found in claim-queue.ts.

import { assert } from "../../base/assert.ts";
import { placeIn } from "../../base/sorted.ts";
import type { ClaimUnit, Family, ProjectLeases, QueuedClaim } from "./lease-state.ts";
import type { Unit } from "./unit.ts";

export function byRank(a: QueuedClaim, b: QueuedClaim): number {
  return a.rank - b.rank;
}

export function queuedClaim(project: ProjectLeases, id: string): QueuedClaim {
  const claim = project.byId.get(id);
  assert(claim !== undefined, () => `claim ${id} is not queued`);
  return claim;
}

/** Puts a claim directly behind another one, or at the head. */
export function enterLine(project: ProjectLeases, after: QueuedClaim | null, claim: QueuedClaim): void {
  const { queue } = project;
  const at = after === null ? 0 : placeOf(queue, after) + 1;
  claim.rank = rankAt(project, at);
  queue.splice(at, 0, claim);
  enlist(project, claim);
}

/** Puts a claim behind all others. */
export function joinLine(project: ProjectLeases, claim: QueuedClaim): void {
  claim.rank = ++project.rankMax;
  project.queue.push(claim);
  enlist(project, claim);
}

export function leaveLine(project: ProjectLeases, claim: QueuedClaim): void {
  project.queue.splice(placeOf(project.queue, claim), 1);
  delist(project, claim);
}

/** Puts claims behind all others, in the order given. */
export function moveToEnd(project: ProjectLeases, claims: readonly QueuedClaim[]): void {
  const { queue } = project;
  const moving = new Set(claims);
  let kept = 0;
  for (const claim of queue) if (!moving.has(claim)) queue[kept++] = claim;
  queue.length = kept;
  const levels = new Set<number>();
  for (const claim of claims) {
    claim.rank = ++project.rankMax;
    queue.push(claim);
    levels.add(claim.priority);
  }
  for (const level of levels) project.levels.get(level)?.sort(byRank);
  project.waiting.sort(claims.flatMap((claim) => claim.units));
}

/** The rearmost claim of at least this priority, apart from some families' claims. */
export function lastOfPriority(
  project: ProjectLeases,
  priority: number,
  except: { has(family: Family): boolean },
): QueuedClaim | null {
  let last: QueuedClaim | null = null;
  for (const [level, claims] of project.levels) {
    if (level < priority) continue;
    const rearmost = claims.findLast((claim) => !except.has(claim.family));
    if (rearmost !== undefined && (last === null || last.rank < rearmost.rank)) last = rearmost;
  }
  return last;
}

/** The claims that conflict with one of the units and stand behind a rank, each once, rearmost first. */
export function* fromBehind(
  project: ProjectLeases,
  units: readonly Unit[],
  rank: number,
): Generator<QueuedClaim, undefined> {
  type Head = { readonly claim: QueuedClaim; readonly line: readonly ClaimUnit[]; readonly at: number };
  const heads: Head[] = [];
  const put = (line: readonly ClaimUnit[], at: number): void => {
    const claim = line[at]?.claim;
    if (claim === undefined || claim.rank <= rank) return;
    heads.splice(
      placeIn(heads, (head) => head.claim.rank < claim.rank),
      0,
      { claim, line, at },
    );
  };
  for (const unit of units) {
    project.waiting.someLine(unit, (line) => {
      put(line, line.length - 1);
      return false;
    });
  }
  let last: QueuedClaim | undefined;
  for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
    // A claim that stands on several lines comes from each of them, one after the other.
    if (head.claim !== last) yield head.claim;
    last = head.claim;
    put(head.line, head.at - 1);
  }
  return undefined;
}

/** Enters a claim that has its rank into everything that is sorted by ranks. */
function enlist(project: ProjectLeases, claim: QueuedClaim): void {
  const level = project.levels.get(claim.priority);
  if (level === undefined) project.levels.set(claim.priority, [claim]);
  else
    level.splice(
      placeIn(level, (other) => other.rank < claim.rank),
      0,
      claim,
    );
  for (const entry of claim.waiting) project.waiting.add(entry);
}

function delist(project: ProjectLeases, claim: QueuedClaim): void {
  const level = project.levels.get(claim.priority);
  assert(level !== undefined, () => `claim ${claim.id} has lost its level`);
  level.splice(placeOf(level, claim), 1);
  if (level.length === 0) project.levels.delete(claim.priority);
  for (const entry of claim.waiting) project.waiting.remove(entry);
}

/** A rank for whoever comes to stand at this place of the queue. */
function rankAt(project: ProjectLeases, at: number): number {
  const { queue } = project;
  const next = queue[at];
  if (next === undefined) return ++project.rankMax;
  const low = queue[at - 1]?.rank ?? next.rank - 2;
  const rank = (low + next.rank) / 2;
  if (rank > low && rank < next.rank) return rank;
  // The gap is used up: number the queue anew. Only the order of ranks means anything, and that stays.
  queue.forEach((queued, place) => (queued.rank = place + 1));
  project.rankMax = queue.length;
  return at + 0.5;
}

function placeOf(line: readonly QueuedClaim[], claim: QueuedClaim): number {
  const at = placeIn(line, (other) => other.rank < claim.rank);
  assert(line[at] === claim, () => `claim ${claim.id} has lost its place`);
  return at;
}
