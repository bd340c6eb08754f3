// The facts of leases. Each says enough to be replayed without asking anyone: where a claim was put, which fences it got.
// What may be as long as the queue and follows from the place, whom it moved and passed, is only counted.

import type { Work } from "../workspace/workspace-state.ts";
import type { ClaimEnd, WaitEdge } from "./lease-state.ts";

/** A holder came into being. */
export type FamilyOpened = {
  readonly type: "family.opened";
  readonly v: 1;
  readonly family: string;
  readonly project: string;
  readonly holder: string;
  readonly kind: "run" | "outside";
  readonly ttlMs: number;
  readonly expiresAtMs: number;
  readonly patienceMs: number | null;
};

/** A holder's leases changed their footing: renewed, held, paused or frozen for a landing. */
export type FamilyMoved = {
  readonly type: "family.moved";
  readonly v: 1;
  readonly family: string;
  readonly to: "live" | "hold" | "paused" | "landing";
  readonly patienceMs: number | null;
  readonly expiresAtMs: number;
};

/** A holder is over. Its paths are free at once; its processes stay closed until they are proven dead. */
export type FamilyEnded = {
  readonly type: "family.ended";
  readonly v: 1;
  readonly family: string;
  readonly why: "expired" | "finished" | "idle" | "released";
  readonly freed: readonly string[];
  readonly quarantined: readonly string[];
};

/** A family waits for another one outside the table, or no longer does (LS46). */
export type FamilyAwaited = {
  readonly type: "family.awaited";
  readonly v: 1;
  readonly family: string;
  readonly other: string;
};
export type FamilyAwaitEnded = {
  readonly type: "family.await-ended";
  readonly v: 1;
  readonly family: string;
  readonly other: string;
};

/** What every claim says of itself on arrival. */
export type ClaimBody = {
  readonly claim: string;
  readonly family: string;
  readonly project: string;
  readonly units: readonly string[];
  readonly priority: number;
  readonly key: string | null;
  /** The run that starts or goes on with this grant. */
  readonly slot: string | null;
};

/** A claim took its place in the queue, once and for all. */
export type ClaimQueued = ClaimBody & {
  readonly type: "claim.queued";
  readonly v: 1;
  readonly deadlineAtMs: number | null;
  /** The claim directly ahead of its place, null for the head of the queue. */
  readonly after: string | null;
  /** How many claims went to the end of the queue because they wait for this family anyway (LS14). */
  readonly moved: number;
  /** How many claims newly wait for it: each counts one pass (LS15). */
  readonly passed: number;
  /** What is in the way, as known on arrival. */
  readonly behind: readonly Obstacle[];
};

/** Who stands in the way of a unit: a lease, or a claim further ahead. */
export type Obstacle = {
  readonly unit: string;
  readonly family: string;
  readonly holder: string;
  readonly by: "lease" | "claim";
  readonly claim: string;
};

/** A claim was granted, whole. Fences are in the order of units. */
export type LeaseGranted = {
  readonly type: "lease.granted";
  readonly v: 1;
  readonly claim: string;
  readonly family: string;
  readonly project: string;
  readonly units: readonly string[];
  readonly fences: readonly number[];
  readonly expiresAtMs: number;
  /** False while the node still has to bring the paths in step (LD6). */
  readonly ready: boolean;
  /** The run that took a slot with it. */
  readonly slot: string | null;
  /** Set when the claim was granted on arrival and never queued. */
  readonly arrival: {
    readonly priority: number;
    readonly key: string | null;
    /** How many claims newly wait for it: each counts one pass (LS15). */
    readonly passed: number;
  } | null;
};

/** A claim ended without a grant. */
export type ClaimEnded = {
  readonly type: "claim.ended";
  readonly v: 1;
  readonly claim: string;
  readonly family: string;
  readonly how: Exclude<ClaimEnd, "granted">;
  /** Set when the claim ended on arrival and never queued. */
  readonly arrival: Omit<ClaimBody, "claim" | "family"> | null;
  readonly cycle: readonly WaitEdge[] | null;
};

/** Its paths are in step with mainline: the holder may act. */
export type LeaseReady = {
  readonly type: "lease.ready";
  readonly v: 1;
  readonly claim: string;
  readonly family: string;
  /** What mainline has at each path, null where it has nothing. */
  readonly bases: Readonly<Record<string, string | null>>;
  /** Where the clean paths of the workspace stand now; null where the holder has no workspace. */
  readonly commit: string | null;
  /** Dirty paths whose base or content changed by it, and clean ones that others have changed since. */
  readonly works: readonly Work[];
  readonly moved: readonly string[];
};

export type LeaseRenewed = {
  readonly type: "lease.renewed";
  readonly v: 1;
  readonly families: readonly string[];
  readonly ttlMs: number | null;
};

export type LeaseReleased = {
  readonly type: "lease.released";
  readonly v: 1;
  readonly family: string;
  readonly units: readonly string[];
  /** Paths whose changes were given up with them. */
  readonly setAside: readonly string[];
};

/** A finished run keeps only what it changed, each path under the fence it had. */
export type LeaseShrunk = {
  readonly type: "lease.shrunk";
  readonly v: 1;
  readonly family: string;
  readonly gone: readonly string[];
  readonly kept: readonly string[];
  readonly fences: readonly number[];
};

/** A hold or paused run gave units to a claim that is granted by it (LS36). */
export type LeaseYielded = {
  readonly type: "lease.yielded";
  readonly v: 1;
  readonly family: string;
  readonly units: readonly string[];
  readonly to: string;
};

/** A process unit of a holder that is gone was proven free, or a person said so. */
export type UnitCleared = {
  readonly type: "unit.cleared";
  readonly v: 1;
  readonly project: string;
  readonly unit: string;
  readonly family: string;
  readonly by: "proof" | "person";
};

export type LeaseEvent =
  | FamilyOpened
  | FamilyMoved
  | FamilyEnded
  | FamilyAwaited
  | FamilyAwaitEnded
  | ClaimQueued
  | ClaimEnded
  | LeaseGranted
  | LeaseReady
  | LeaseRenewed
  | LeaseReleased
  | LeaseShrunk
  | LeaseYielded
  | UnitCleared;
