// What the model of the log remembers.

import type { ModelUnit } from "./model-unit.ts";

export type ModelLife = "new" | "live" | "hold" | "paused" | "landing" | "over";

export type ModelProject = {
  readonly id: string;
  foldCase: boolean;
  own: ReadonlySet<string>;
  removed: boolean;
  leases: ModelLease[];
  queue: ModelClaim[];
  /** The commit that it began at, and the one that mainline was last said to stand at. */
  readonly start: string;
  mainline: string;
  /** The branch that its runs land on, with `{run}` in it; null is mainline. */
  landingBranch: string | null;
};

export type ModelFamily = {
  readonly id: string;
  readonly project: string;
  readonly holder: string;
  readonly kind: "run" | "outside";
  life: ModelLife;
  ttlMs: number;
  expiresAtMs: number;
  patienceMs: number | null;
  /** Since when somebody has been waiting for this hold without a pause. */
  contestedSinceMs: number | null;
  readonly awaits: Set<string>;
};

export type ModelLease = {
  readonly unit: ModelUnit;
  readonly family: string;
  readonly fence: number;
  readonly claim: string;
  ready: boolean;
  quarantined: boolean;
};

export type ModelClaim = {
  readonly id: string;
  readonly family: string;
  readonly project: string;
  readonly units: readonly ModelUnit[];
  readonly priority: number;
  readonly key: string | null;
  readonly deadlineAtMs: number | null;
  slot: string | null;
  passes: number;
  readonly queuedSeq: number;
};

export type ClaimHistory = {
  readonly family: string;
  readonly states: { readonly seq: number; readonly state: string }[];
};
