// What is remembered of workspaces. A run and its sub-runs share one; the run keeps it through all its incarnations, so
// that what it changed outlives a lost lease (LD33).

import type { Entry } from "../landing/entry.ts";
import type { Move } from "../landing/kin.ts";

/** A path with what Signalbox last put there (its base) and what is there now (LD2). It is dirty when the two differ (LD4). */
export type Work = { readonly path: string; readonly base: Entry; readonly work: Entry };

export type Workspace = {
  /** The mainline commit that its clean paths stand at, null before it was made. */
  commit: string | null;
  /** Dirty paths. Everything else is as the commit has it. */
  readonly dirty: Map<string, Work>;
  /** Paths on which two sides met and that are not resolved yet (LD31). */
  readonly conflicts: Map<string, Conflict>;
  /** Paths that were resolved, with the sides that had met there, until what was made of them has landed. */
  readonly resolved: Map<string, Sides>;
  /** What was read at the door and what it was then, the newest reads last; a bounded number of them. */
  readonly reads: Map<string, Entry>;
  /** Where files were moved: from where, by where to. They land together (LD24). */
  readonly moves: Map<string, string>;
  /** Files that have too many bytes to land, with how many: scratch, for whoever judges the run to know of (LD57). */
  oversized: readonly Oversized[];
};

/** What a run and mainline had at a path when they met there. */
export type Sides = { readonly ours: Entry; readonly theirs: Entry };

/** Whoever is to make one of both sides has to have been shown mainline's (LD31). */
export type Conflict = Sides & { readonly shown: boolean };

export type Oversized = { readonly path: string; readonly bytes: number };

/** A file that was read, with what it was then. */
export type Read = { readonly path: string; readonly entry: Entry };

/** How many files are remembered as read. */
export const readsMax = 1000;

/** What somebody chose of a path, and what they were shown there. */
export type Chosen = Work & { readonly entry: Entry };

/** What was approved for landing: for this base, exactly this content (LD22). */
export type Approved = { readonly path: string; readonly base: Entry; readonly entry: Entry };

/** A landing whose ref update may already have happened (LD32). */
export type LandingIntent = {
  readonly tested: LandingTest;
  readonly merged: readonly string[];
  readonly parent: string;
  readonly candidate: string;
  readonly entries: readonly { readonly path: string; readonly entry: Entry }[];
  /** The branch that it goes to, where that is not mainline (LD50). */
  readonly branch?: string | undefined;
};

/** What the project's own test said of a candidate. */
export type LandingTest = "passed" | "flaky" | "untested";

/** A rewind under way: the step, what was changed by then, and the event that names the act (LD34). */
export type Rewinding = { readonly step: number; readonly works: readonly Work[]; readonly seq: number };

/** Where a fork began: what another run had changed by a step, and the commit that its clean paths stood at (LD36). */
export type Fork = { readonly run: string; readonly step: number; readonly commit: string | null };

/** Bytes that were taken out of a workspace and can be had back until somebody purges them (LD16, LD38). */
export type TrashItem = {
  readonly id: string;
  /** The run that it is of; or an agent, where no run had changed it. */
  readonly run: string;
  /** The name of that agent. */
  readonly agent?: string;
  readonly project: string;
  readonly path: string;
  readonly base: Entry;
  readonly work: Entry;
  readonly why: string;
  readonly atMs: number;
};

export function makeWorkspace(): Workspace {
  return {
    commit: null,
    dirty: new Map(),
    conflicts: new Map(),
    resolved: new Map(),
    reads: new Map(),
    moves: new Map(),
    oversized: [],
  };
}

/** The moves of which both ends are still changes: gone here, new there. */
export function movesIn({ dirty, moves }: Workspace): Move[] {
  const ends = [...moves].map(([to, from]) => ({ from, to }));
  return ends.filter(({ from, to }) => dirty.get(from)?.work === null && (dirty.get(to)?.work ?? null) !== null);
}

/** Whether a path was resolved by leaving the run's side whole: what somebody else had made of it is gone (LD31). */
export function keepsOwnSide({ dirty, resolved }: Workspace, path: string): boolean {
  const sides = resolved.get(path);
  return sides !== undefined && dirty.get(path)?.work === sides.ours;
}

export function isDirty(work: Work): boolean {
  return work.base !== work.work;
}
