// Claims, leases and queues as they are shown.

import { compareText } from "../../base/canonical.ts";
import { answerClaim } from "../../core/lease/claim-inputs.ts";
import { listObstacles } from "../../core/lease/obstacles.ts";
import type { Obstacle } from "../../core/lease/lease-events.ts";
import {
  type ClaimRecord,
  type Family,
  type Lease as CoreLease,
  projectOf,
  type QueuedClaim,
  type WaitEdge as CoreEdge,
} from "../../core/lease/lease-state.ts";
import { parseUnit } from "../../core/lease/unit.ts";
import { someWaitedFor } from "../../core/lease/wait-graph.ts";
import type { ClaimAnswer } from "../../core/inputs.ts";
import type { State } from "../../core/state.ts";
import type { Claim, Lease, Locks, QueueEntry, WaitEdge } from "../../protocol/wire/claim.ts";
import { wildcardHint } from "../../protocol/wildcard-hint.ts";
import { claimsWanted, leasesWanted, type LocksWanted, type PlacedClaim } from "./locks-wanted.ts";
import { type Closed, noReason, over, reasonOf, wayToClear } from "./claim-reason.ts";

export function toClaim(state: State, answer: ClaimAnswer): Claim {
  const record = state.table.claims.get(answer.claim);
  const family = state.table.families.get(answer.family);
  const granted = answer.state === "granted";
  const held = granted && (record?.held ?? 0) > 0;
  const reason = held ? noReason : granted ? over : undefined;
  const behind = answer.state === "busy" && record !== undefined ? inTheWayOf(state, record) : answer.behind;
  return {
    claim: answer.claim,
    project: record?.project ?? "",
    family: answer.family,
    holder: record?.holder ?? answer.family,
    units: [...(record?.units ?? [])],
    priority: record?.priority ?? 0,
    state: answer.state,
    held,
    fence: granted ? highest(record?.fences ?? Object.values(answer.fences)) : null,
    fences: answer.fences,
    expiresAtMs: held && family?.life === "live" ? family.expiresAtMs : null,
    behind: [...behind],
    ...(reason ?? whyNot(state, { ...answer, behind })),
    hint: hintOf(state, answer, record?.units ?? []),
  };
}

function hintOf(state: State, answer: ClaimAnswer, units: readonly string[]): string | null {
  const closed = answer.state === "queued" ? findClosed(state, answer) : undefined;
  const hints = [wildcardHint(units), closed === undefined ? undefined : wayToClear(closed)];
  const said = hints.filter((hint) => hint !== undefined);
  return said.length === 0 ? null : said.join(" ");
}

function whyNot(state: State, answer: ClaimAnswer): ReturnType<typeof reasonOf> {
  const cycle = answer.cycle === null ? null : toEdges(state, answer.cycle);
  return reasonOf(answer, cycle, findClosed(state, answer));
}

/** What is in the way of a claim that only tried. Who held it then is not remembered: who holds it now is what helps. */
function inTheWayOf(state: State, record: ClaimRecord): Obstacle[] {
  const { rule } = projectOf(state.table, record.project);
  const parsed = record.units.map((text) => parseUnit(text, rule, record.family));
  const units = parsed.flatMap((unit) => (unit.ok ? [unit.value] : []));
  const family = { id: record.family, project: record.project };
  return listObstacles(state.table, family, units, {
    rankMax: Number.POSITIVE_INFINITY,
    counts: (other) => other.priority >= record.priority,
  });
}

/** A closed unit in its way: its holder is gone, and only a proof or a person can open it (LS32). */
function findClosed(state: State, { behind }: ClaimAnswer): Closed | undefined {
  for (const { unit, family, holder } of behind) {
    if (!unit.startsWith("process:")) continue;
    const holding = state.table.families.get(family);
    if (holding?.life !== "over") continue;
    return { unit, holder, project: state.projects.get(holding.project)?.name ?? holding.project };
  }
  return undefined;
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

/** Who holds what, who waits where, and for whom. Without a word to find it looks at no more than it shows: there may be a hundred thousand. */
export function toLocks(
  state: State,
  { limit, ...wanted }: LocksWanted & { readonly limit: number },
  nowMs: number,
): Locks {
  const { table } = state;
  const leases = upTo(limit + 1, leasesWanted(table, wanted));
  const queue = upTo(limit + 1, claimsWanted(table, wanted));
  const isAll = wanted.unit === undefined && wanted.find === undefined;
  const waits = isAll ? allEdges(state, wanted.project, limit) : edgesOfClaims(state, queue, limit);
  return {
    seq: state.seq,
    nowMs,
    leases: leases
      .slice(0, limit)
      .map((lease) => toLease(state, lease.family, lease))
      .toSorted(byUnit),
    queue: queue.slice(0, limit).map(({ claim, position }) => toQueueEntry(state, claim, position)),
    waits: waits.slice(0, limit),
    truncated: leases.length > limit || queue.length > limit || waits.length > limit,
  };
}

function upTo<Each>(max: number, all: Iterable<Each>): Each[] {
  const found: Each[] = [];
  for (const each of all) if (found.push(each) >= max) break;
  return found;
}

function allEdges(state: State, project: string | undefined, limit: number): WaitEdge[] {
  const waits: WaitEdge[] = [];
  for (const family of state.table.families.values()) {
    if (project !== undefined && family.project !== project) continue;
    if (waits.length <= limit) waits.push(...edgesOf(state, family, limit));
  }
  return waits;
}

/** Of some claims: whom each of them waits for. */
function edgesOfClaims(state: State, queue: readonly PlacedClaim[], limit: number): WaitEdge[] {
  const ids = new Set(queue.map(({ claim }) => claim.id));
  const families = new Set(queue.map(({ claim }) => claim.family));
  const edges = [...families].flatMap((family) => edgesOf(state, family, limit));
  return edges.filter(({ claim }) => claim !== null && ids.has(claim));
}

function toLease(state: State, family: Family, lease: CoreLease): Lease {
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
    ...holdOf(family, lease),
    delayedUntilMs: state.runs.get(family.holder)?.delay?.untilMs ?? null,
  };
}

/** A process never yields (LS35). */
function holdOf(family: Family, { unit }: CoreLease): Pick<Lease, "patienceMs" | "yieldsAtMs"> {
  const isHold = (family.life === "hold" || family.life === "paused") && unit.kind !== "process";
  if (!isHold || family.patienceMs === null) return { patienceMs: null, yieldsAtMs: null };
  const { patienceMs, contestedSinceMs } = family;
  return { patienceMs, yieldsAtMs: contestedSinceMs === null ? null : contestedSinceMs + patienceMs };
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
    behind: listObstacles(state.table, family, claim.units, { rankMax: claim.rank }),
  };
}

function edgesOf(state: State, family: Family, limit: number): WaitEdge[] {
  const edges = new Map<string, CoreEdge>();
  someWaitedFor(state.table, family, (_, edge) => {
    edges.set(`${edge.to} ${edge.claim ?? ""} ${edge.unit ?? ""}`, edge);
    return edges.size > limit;
  });
  return toEdges(state, [...edges.values()]);
}

function holderOf(state: State, family: string): string {
  return state.table.families.get(family)?.holder ?? family;
}

function highest(fences: readonly number[]): number | null {
  return fences.length === 0 ? null : Math.max(...fences);
}

function byUnit(a: Lease, b: Lease): number {
  return compareText(a.project, b.project) || compareText(a.unit, b.unit) || a.fence - b.fence;
}
