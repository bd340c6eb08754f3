// The facts of workspaces, landings and mainline.

import type { Entry } from "../landing/entry.ts";
import type { Approved, LandingTest, Work } from "./workspace-state.ts";

/** Changes were taken out of a workspace and kept: their bytes are in the project's repository (LD16). */
export type PathsSetAside = {
  readonly type: "paths.set-aside";
  readonly v: 1;
  readonly run: string;
  readonly works: readonly Work[];
  readonly why: string;
  /** The trash items, in the order of works. */
  readonly ids: readonly string[];
  /** The run whose call had changed them: they no longer count as changed by it (SC10). Left out where they go on counting. */
  readonly changedBy?: string;
};

export type TrashPurged = { readonly type: "trash.purged"; readonly v: 1; readonly ids: readonly string[] };

/** A person allowed exactly this to land (LD22). */
export type RunApproved = {
  readonly type: "run.approved";
  readonly v: 1;
  readonly run: string;
  readonly approved: readonly Approved[];
};

/** The ref is about to move (LD32). */
export type LandingIntended = {
  readonly type: "landing.intended";
  readonly v: 1;
  readonly run: string;
  readonly parent: string;
  readonly candidate: string;
  readonly entries: readonly { readonly path: string; readonly entry: Entry }[];
  readonly tested: LandingTest;
  /** Paths that were merged with somebody else's newer work. */
  readonly merged: readonly string[];
  /** Left out: mainline. */
  readonly branch?: string;
};

/** Somebody else moved mainline first: the candidate is given up, and another one is made (LD32). */
export type LandingOvertaken = {
  readonly type: "landing.overtaken";
  readonly v: 1;
  readonly run: string;
  readonly candidate: string;
};

/** The ref has moved: these contents are mainline's now. */
export type RunLanded = {
  readonly type: "run.landed";
  readonly v: 1;
  readonly run: string;
  readonly project: string;
  readonly commit: string;
  readonly entries: readonly { readonly path: string; readonly entry: Entry }[];
  readonly tested: LandingTest;
  /** Paths that were merged with somebody else's newer work. */
  readonly merged: readonly string[];
  /** Left out: mainline. */
  readonly branch?: string;
};

/** Two sides met on paths of a landing: it goes back to its run with the side it has not seen (LD29, LD31). */
export type RunConflicted = {
  readonly type: "run.conflicted";
  readonly v: 1;
  readonly run: string;
  readonly conflicts: readonly { readonly path: string; readonly theirs: Entry }[];
};

/** A person wants a workspace to be as it was after a step: what was changed by then, each against its base (LD34). */
export type RewindBegun = {
  readonly type: "rewind.begun";
  readonly v: 1;
  readonly run: string;
  readonly step: number;
  readonly works: readonly Work[];
};

/** The workspace was looked at: this is what stands there, safe, before anything replaces it (LD12). */
export type WorksFound = {
  readonly type: "works.found";
  readonly v: 1;
  readonly run: string;
  readonly works: readonly Work[];
};

/** The workspace went back, as far as it could. */
export type RunRewound = {
  readonly type: "run.rewound";
  readonly v: 1;
  readonly run: string;
  readonly step: number;
  /** What its paths are now, with their bases. */
  readonly works: readonly Work[];
  /** What was given up for it, and the trash items of that, in the same order. */
  readonly givenUp: readonly Work[];
  readonly ids: readonly string[];
  /** Paths that stayed as they were: what they were then and what mainline has since cannot both be had. */
  readonly stayed: readonly string[];
  /** Why nothing was done; null when it was. */
  readonly refused: string | null;
};

/** Mainline moved by somebody's own commits (LD42). */
export type MainlineMoved = {
  readonly type: "mainline.moved";
  readonly v: 1;
  readonly project: string;
  readonly from: string;
  readonly to: string;
};

/** What became of bringing mainline to the person's branch (LD43). */
export type MainlinePublished = {
  readonly type: "mainline.published";
  readonly v: 1;
  readonly project: string;
  readonly commit: string;
  /** Why it was not, and how to get it; null when it was. */
  readonly not: { readonly why: string; readonly how: string } | null;
};

export type WorkspaceEvent =
  | PathsSetAside
  | TrashPurged
  | RunApproved
  | LandingIntended
  | LandingOvertaken
  | RunLanded
  | RunConflicted
  | RewindBegun
  | WorksFound
  | RunRewound
  | MainlineMoved
  | MainlinePublished;
