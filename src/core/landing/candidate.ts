// The tree that a landing proposes (LD27 to LD29): mainline with the approved paths replaced. While no lease had a gap
// and nobody edited by hand it is replacing entries and nothing else (LD39). It makes no commit and runs no test.

import { assert } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { fallenBases } from "./bases.ts";
import type { Approval } from "./change-set.ts";
import type { Conflict, MergedText } from "./conflict.ts";
import { type Entry, entryOf } from "./entry.ts";
import { type Clash, findClashes, type NameRule } from "./kin.ts";
import { mergeEntries } from "./merge-entries.ts";
import type { ThreeSides } from "./text-merge.ts";
import type { WorkspacePath } from "./workspace-path.ts";

/** Contents that have to be merged before there is a candidate. */
export type CandidateMerge = {
  readonly path: string;
  readonly mode: string;
  readonly blobs: ThreeSides<string>;
  readonly entries: ThreeSides<Entry>;
};

export type CandidatePlan = {
  /** What the candidate has instead of mainline's entries; null removes. */
  readonly replace: ReadonlyMap<string, Entry>;
  /** Paths that mainline already has as approved. */
  readonly already: readonly string[];
  readonly merges: readonly CandidateMerge[];
  readonly conflicts: readonly Conflict[];
  /** The paths where mainline is no longer at the base: by the theorem, only after a gap or an edit by hand. */
  readonly moved: readonly string[];
};

/** Any one of these returns the whole landing to its run: nothing lands in part that was not approved in part (LD29). */
export type CandidateRefused = {
  readonly code: "conflict";
  readonly conflicts: readonly Conflict[];
  readonly clashes: readonly Clash[];
};

/** Compares each approved path with mainline. The order of approvals does not matter. */
export function planCandidate(approvals: readonly Approval[], mainlineAt: (path: string) => Entry): CandidatePlan {
  const replace = new Map<string, Entry>();
  const already: string[] = [];
  const merges: CandidateMerge[] = [];
  const conflicts: Conflict[] = [];
  const moved: string[] = [];
  for (const { path, base, approved } of approvals) {
    const entries = { base, ours: approved, theirs: mainlineAt(path) };
    if (entries.theirs !== base) moved.push(path);
    const merge = mergeEntries(entries);
    if (merge.kind === "conflict") conflicts.push({ path, ...entries, why: merge.why });
    else if (merge.kind === "text") merges.push({ path, mode: merge.mode, blobs: merge.blobs, entries });
    else if (merge.entry === entries.theirs) already.push(path);
    else replace.set(path, merge.entry);
  }
  return { replace, already, merges, conflicts, moved };
}

/** The replacements that make the candidate, once its merges were answered; or everything that is in the way. */
export function settleCandidate(
  plan: CandidatePlan,
  merged: ReadonlyMap<string, MergedText>,
  tree: MainlineNames,
): Result<ReadonlyMap<string, Entry>, CandidateRefused> {
  const replace = new Map(plan.replace);
  const conflicts = [...plan.conflicts];
  for (const { path, mode, entries } of plan.merges) {
    const result = merged.get(path);
    assert(result !== undefined, "every merge of a candidate is answered");
    if (result.kind === "conflict") conflicts.push({ path, ...entries, why: result.why });
    else if (entryOf(mode, result.blob) !== entries.theirs) replace.set(path, entryOf(mode, result.blob));
  }
  const clashes = findTreeClashes(replace, tree);
  if (conflicts.length > 0 || clashes.length > 0) return refuse({ code: "conflict", conflicts, clashes });
  return ok(replace);
}

/** Mainline's paths and how its project compares them. */
export type MainlineNames = { readonly paths: ReadonlySet<string>; readonly rule: NameRule };

/**
 * The names of the candidate that no tree can have together (LD28). Only what the candidate adds is looked at: a pair that
 * mainline has already is not made by this landing, and refusing would not mend it.
 */
export function findTreeClashes(replace: ReadonlyMap<string, Entry>, { paths, rule }: MainlineNames): Clash[] {
  const fresh = [...replace].filter(([path, entry]) => entry !== null && !paths.has(path)).map(([path]) => path);
  if (fresh.length === 0) return [];
  return findClashes(fresh, remaining(paths, replace), rule);
}

function* remaining(paths: ReadonlySet<string>, replace: ReadonlyMap<string, Entry>): Iterable<string> {
  for (const path of paths) if (replace.get(path) !== null) yield path;
}

/**
 * The workspace's paths that change by their own landing: the base becomes what was approved (LD32), also where the
 * landing merged it with newer work. Against the merge, what the run has not landed yet would look as if it took that
 * newer work back. Kin whose base falls with that are among them.
 */
export function afterLanding(
  approvals: readonly Approval[],
  { workspace, rule }: { readonly workspace: readonly WorkspacePath[]; readonly rule: NameRule },
): WorkspacePath[] {
  const works = new Map(workspace.map(({ path, work }) => [path, work]));
  const landed = approvals.map(({ path, approved }) => ({ path, base: approved, work: works.get(path) ?? null }));
  return [...landed, ...fallenBases(landed, workspace, rule)];
}
