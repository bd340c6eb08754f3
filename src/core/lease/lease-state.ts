// What the lease table remembers. Every field is a fold of lease events; `recheck` alone is the step's own scratch pad
// and is empty between steps.

import { mustGet } from "../../base/assert.ts";
import { DueQueue } from "../../base/due-queue.ts";
import { Fifo } from "../../base/fifo.ts";
import { UnitIndex } from "./unit-index.ts";
import type { Unit, UnitRule } from "./unit.ts";

/**
 * new: opened for a run that has not started; nobody renews it yet, and its first grant makes it live. live: its runtime renews it. hold: finished or waiting for a person, no expiry, yields after its patience. paused: the
 * same, for a paused run. landing: frozen until the landing is recorded. over: has no leases and never gets one again.
 */
export type FamilyLife = "new" | "live" | "hold" | "paused" | "landing" | "over";

/** A holder: a run with its sub-runs, or someone outside who claims by name (LS5). */
export type Family = {
  readonly id: string;
  readonly project: string;
  /** The run's id, or the name that someone outside gave. */
  readonly holder: string;
  readonly kind: "run" | "outside";
  life: FamilyLife;
  ttlMs: number;
  expiresAtMs: number;
  /** How long a hold resists waiting claims; null is never. */
  patienceMs: number | null;
  contestedSinceMs: number | null;
  readonly leases: Map<string, Lease>;
  readonly queued: Set<QueuedClaim>;
  /** Paths (as unit keys) whose work differs from its base, as the node last reported (LD4). */
  readonly dirty: Map<string, Unit>;
  /** Families that this one waits for outside the table: separate runs it started (LS46). */
  readonly awaits: Set<string>;
  readonly awaitedBy: Set<string>;
  /** How many of its claims are remembered by their key. */
  keyed: number;
};

/** One granted unit. */
export type Lease = {
  readonly unit: Unit;
  readonly family: Family;
  readonly claim: string;
  readonly fence: number;
  readonly grantedAtMs: number;
  ready: boolean;
  /** The holder is gone and its processes are not yet proven dead: excludes others, allows nothing (LS32). */
  quarantined: boolean;
};

export type QueuedClaim = {
  readonly id: string;
  readonly family: Family;
  readonly units: readonly Unit[];
  readonly priority: number;
  readonly key: string | null;
  readonly deadlineAtMs: number | null;
  /** The run that takes a slot with this grant, if any (LS21). A run that parks comes to need one while it waits. */
  slot: string | null;
  readonly queuedAtMs: number;
  /** Its place: smaller stands further ahead. Only comparison matters. */
  rank: number;
  /** How often a claim of higher priority was put ahead of it (LS15). */
  passes: number;
  readonly waiting: readonly ClaimUnit[];
};

/** A queued claim as it stands on one of its units in the index. */
export type ClaimUnit = { readonly unit: Unit; readonly claim: QueuedClaim };

export type ClaimEnd = "granted" | "refused" | "busy" | "cancelled" | "timed-out" | "paused" | "holder-gone";

/** What is remembered of a claim after it ended, so that the same request gets the same answer (LS8). */
export type ClaimRecord = {
  readonly id: string;
  readonly family: string;
  /** What its holder was called: the family may be forgotten before the claim. */
  readonly holder: string;
  readonly project: string;
  readonly key: string | null;
  readonly units: readonly string[];
  readonly priority: number;
  state: "queued" | ClaimEnd;
  /** In the order of units, as granted. */
  fences: readonly number[];
  /** How many leases it still has. */
  held: number;
  cycle: readonly WaitEdge[] | null;
};

/** One step of a waiting cycle: `from` waits for `to` because of its claim on `unit`. */
export type WaitEdge = {
  readonly from: string;
  readonly to: string;
  readonly claim: string | null;
  readonly unit: string | null;
};

export type ProjectLeases = {
  readonly id: string;
  rule: UnitRule;
  readonly leases: UnitIndex<Lease>;
  readonly waiting: UnitIndex<ClaimUnit>;
  /** Queued claims, foremost first. Changed only in queue-line.ts, together with what is sorted like it. */
  readonly queue: QueuedClaim[];
  /** The same, by priority. */
  readonly levels: Map<number, QueuedClaim[]>;
  readonly byId: Map<string, QueuedClaim>;
  rankMax: number;
  /** Queued claims that need a slot, by id. */
  readonly slotClaims: Map<string, QueuedClaim>;
};

export type LeaseTable = {
  nextFence: number;
  readonly families: Map<string, Family>;
  /** The newest family of each outside name, by project and name. */
  readonly outside: Map<string, string>;
  /** Of these names, those whose family has left the table: kept for as long as a claim can be asked for by its key. */
  readonly gone: Map<string, { readonly name: string; keyed: number }>;
  readonly projects: Map<string, ProjectLeases>;
  readonly claims: Map<string, ClaimRecord>;
  /** Claim by family and key. */
  readonly keys: Map<string, string>;
  /** Claims that are over and hold nothing, oldest first: those with a key, and those that nobody can repeat. */
  readonly ended: { readonly keyed: Fifo<string>; readonly keyless: Fifo<string> };
  readonly due: DueQueue;
  readonly recheck: Recheck;
};

/** What changed in this step and may let a waiting claim through. */
export type Recheck = {
  readonly freed: { readonly project: string; readonly unit: Unit }[];
  readonly claims: Set<QueuedClaim>;
  slots: boolean;
};

/** How many claims are remembered after their end: with a key for repeated requests, without one for whoever asks. */
export const endedMax = { keyed: 100_000, keyless: 10_000 } as const;

export function makeLeaseTable(): LeaseTable {
  return {
    nextFence: 1,
    families: new Map(),
    outside: new Map(),
    gone: new Map(),
    projects: new Map(),
    claims: new Map(),
    keys: new Map(),
    ended: { keyed: new Fifo(), keyless: new Fifo() },
    due: new DueQueue(),
    recheck: { freed: [], claims: new Set(), slots: false },
  };
}

export function makeProjectLeases(id: string, rule: UnitRule): ProjectLeases {
  return {
    id,
    rule,
    leases: new UnitIndex(),
    waiting: new UnitIndex((entry) => entry.claim.rank),
    queue: [],
    levels: new Map(),
    byId: new Map(),
    rankMax: 0,
    slotClaims: new Map(),
  };
}

export function projectOf(table: LeaseTable, project: string): ProjectLeases {
  return mustGet(table.projects, project, "project");
}

export function familyOf(table: LeaseTable, family: string): Family {
  return mustGet(table.families, family, "family");
}

/** The name under which a key is remembered. */
export function keyName(family: string, key: string): string {
  return `${family} ${key}`;
}

export function outsideName(project: string, name: string): string {
  return `${project} ${name}`;
}

/** Whether a family may be granted anything now: alive and not paused (LS16). */
export function mayBeGranted(family: Family): boolean {
  return family.life === "live" || family.life === "new";
}

/** Whether a family in this life is kept alive by renewal, and so expires without it (LS30, LS34). */
export function expires(family: Family): boolean {
  return family.life === "live";
}
