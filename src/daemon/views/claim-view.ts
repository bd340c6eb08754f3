// Claims, leases and queues as they are shown.

import { compareText } from "../../base/canonical.ts";
import { answerClaim } from "../../core/lease/claim-inputs.ts";
import { listObstacles } from "../../core/lease/obstacles.ts";
import type { Family, Lease as CoreLease, QueuedClaim, WaitEdge as CoreEdge } from "../../core/lease/lease-state.ts";
import { someWaitedFor } from "../../core/lease/wait-graph.ts";
import type { ClaimAnswer } from "../../core/inputs.ts";
import type { State } from "../../core/state.ts";
import type { Claim, Lease, Locks, QueueEntry, WaitEdge } from "../../protocol/wire/claim.ts";
import { noReason, reasonOf } from "./claim-reason.ts";

export function toClaim(state: State, answer: ClaimAnswer): Claim {
  const record = state.table.claims.get(answer.claim);
  const family = state.table.families.get(answer.family);
  const granted = answer.state === "granted";
  return {
    claim: answer.claim,
    project: record?.project ?? "",
    family: answer.family,
    holder: family?.holder ?? answer.family,
    units: [...(record?.units ?? [])],
    priority: record?.priority ?? 0,
    state: answer.state,
    fence: granted ? highest(answer.fences) : null,
    fences: answer.fences,
    expiresAtMs: granted && family?.life === "live" ? family.expiresAtMs : null,
    behind: [...answer.behind],
    ...(granted ? noReason : reasonOf(answer, answer.cycle === null ? null : toEdges(state, answer.cycle))),
  };
}

export function claimNow(state: State, id: string): Claim | undefined {
  return state.table.claims.has(id) ? toClaim(state, answerClaim(state.table, id)) : undefined;
}

export function toEdges(state: State, edges: readonly CoreEdge[]): WaitEdge[] {
  return edges.map((edge) => ({
    from: edge.from,
    fromHolder: holderOf(state, edge.from),
    to: edge.to,
    toHolder: holderOf(state, edge.to),
    claim: edge.claim,
    unit: edge.unit,
  }));
}

/** Who holds what, who waits where, and for whom. */
export function toLocks(state: State, project: string | undefined, limit: number, nowMs: number): Locks {
  const families = [...state.table.families.values()].filter(
    (family) => project === undefined || family.project === project,
  );
  const leases = families.flatMap((family) => [...family.leases.values()].map((lease) => toLease(family, lease)));
  const queues = [...state.table.projects.values()].filter(({ id }) => project === undefined || id === project);
  const queued = queues.flatMap(({ queue }) => queue.map((claim, at) => ({ claim, position: at + 1 })));
  const waits = families.flatMap((family) => edgesOf(state, family, limit));
  return {
    seq: state.seq,
    nowMs,
    leases: leases.toSorted(byUnit).slice(0, limit),
    queue: queued.slice(0, limit).map(({ claim, position }) => toQueueEntry(state, claim, position)),
    waits: waits.slice(0, limit),
    truncated: leases.length > limit || queued.length > limit || waits.length > limit,
  };
}

function toLease(family: Family, lease: CoreLease): Lease {
  return {
    unit: lease.unit.text,
    project: family.project,
    family: family.id,
    holder: family.holder,
    kind: family.kind,
    claim: lease.claim,
    fence: lease.fence,
    state: stateOf(family, lease),
    grantedAtMs: lease.grantedAtMs,
    expiresAtMs: family.life === "live" ? family.expiresAtMs : null,
  };
}

function stateOf(family: Family, lease: CoreLease): Lease["state"] {
  if (lease.quarantined || family.life === "over") return "quarantined";
  if (family.life === "hold" || family.life === "paused" || family.life === "landing") return family.life;
  return lease.ready ? "live" : "refreshing";
}

function toQueueEntry(state: State, claim: QueuedClaim, position: number): QueueEntry {
  const { family } = claim;
  return {
    claim: claim.id,
    project: family.project,
    family: family.id,
    holder: family.holder,
    kind: family.kind,
    position,
    units: claim.units.map((unit) => unit.text),
    priority: claim.priority,
    queuedAtMs: claim.queuedAtMs,
    deadlineAtMs: claim.deadlineAtMs,
    passes: claim.passes,
    behind: listObstacles(state.table, family, claim.units, (other) => other.rank < claim.rank),
  };
}

function edgesOf(state: State, family: Family, limit: number): WaitEdge[] {
  const edges: CoreEdge[] = [];
  someWaitedFor(state.table, family, (_, edge) => {
    const known = edges.some((each) => each.to === edge.to && each.claim === edge.claim && each.unit === edge.unit);
    if (!known) edges.push(edge);
    return edges.length > limit;
  });
  return toEdges(state, edges);
}

function holderOf(state: State, family: string): string {
  return state.table.families.get(family)?.holder ?? family;
}

function highest(fences: Readonly<Record<string, number>>): number | null {
  let most: number | null = null;
  for (const unit in fences) most = Math.max(most ?? 0, fences[unit] ?? 0);
  return most;
}

function byUnit(a: Lease, b: Lease): number {
  return compareText(a.project, b.project) || compareText(a.unit, b.unit) || a.fence - b.fence;
}
