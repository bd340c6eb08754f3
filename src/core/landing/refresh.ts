// What a refresh does to each path of a workspace (LD7 to LD12). It decides from entries alone; where contents have to
// be merged it says so, and `settleMerge` takes the answer. It knows neither leases nor bytes.

import { compareText } from "../../base/canonical.ts";
import type { Conflict, MergedText } from "./conflict.ts";
import { type Entry, entryOf } from "./entry.ts";
import { findClashes, groupPaths, type NameRule } from "./kin.ts";
import { mergeEntries } from "./merge-entries.ts";
import type { ThreeSides } from "./text-merge.ts";
import { isDirty, type WorkspacePath } from "./workspace-path.ts";

/** What a family holds of a path: nothing, a ready lease from before, or one that becomes ready by this refresh. */
export type Cover = "none" | "held" | "new";

export type RefreshPath = WorkspacePath & { readonly mainline: Entry; readonly cover: Cover };

export type RefreshOrder = {
  /** Every path whose base, work and mainline are not all the same; others may be left out, they change nothing. */
  readonly paths: readonly RefreshPath[];
  readonly rule: NameRule;
  /** Whether clean paths that nobody asked for move along, so that the tree is of one commit. */
  readonly cleanToo: boolean;
};

export type LeaveStep = { readonly kind: "leave"; readonly path: string };
/** The path gets this work and this base, together. Unless it was merged, which its run is told, both are mainline's entry. */
export type PlaceStep = WorkspacePath & { readonly kind: "place"; readonly isMerged: boolean };
/** The contents have to be merged first. */
export type MergeStep = {
  readonly kind: "merge";
  readonly path: string;
  readonly mode: string;
  readonly blobs: ThreeSides<string>;
  readonly entries: ThreeSides<Entry>;
};
export type ConflictStep = { readonly kind: "conflict"; readonly path: string; readonly conflict: Conflict };
/** A dirty path is in the way of what mainline has; nothing of the group moves. */
export type TypeConflictStep = {
  readonly kind: "type-conflict";
  readonly path: string;
  readonly entries: ThreeSides<Entry>;
  readonly group: readonly string[];
  readonly inTheWay: readonly string[];
};
export type RefreshStep = LeaveStep | PlaceStep | MergeStep | ConflictStep | TypeConflictStep;

/** One step for each path, in the order of the groups. Carrying it out twice is carrying it out once. */
export function planRefresh({ paths, rule, cleanToo }: RefreshOrder): RefreshStep[] {
  const byPath = new Map(paths.map((each) => [each.path, each]));
  const named = paths.filter(({ base, work, mainline }) => base !== null || work !== null || mainline !== null);
  const groups = groupPaths(
    named.map(({ path }) => path),
    rule,
  );
  return groups.flatMap((names) => {
    const group = names.flatMap((name) => byPath.get(name) ?? []);
    const isTaken = group.some(({ cover }) => cover === "new");
    const steps = group.map((each) =>
      stepOf(each, isTaken || (cleanToo && (!isDirty(each) || each.work === each.mainline))),
    );
    const inTheWay = findInTheWay(group, steps, rule);
    return inTheWay.length === 0 ? steps : group.map((each) => toTypeConflict(each, names, inTheWay));
  });
}

/** What a merge becomes once its contents were merged (LD9). */
export function settleMerge({ path, mode, entries }: MergeStep, merged: MergedText): PlaceStep | ConflictStep {
  if (merged.kind === "conflict") return { kind: "conflict", path, conflict: { path, ...entries, why: merged.why } };
  return { kind: "place", path, work: entryOf(mode, merged.blob), base: entries.theirs, isMerged: true };
}

function stepOf({ path, base, work, mainline, cover }: RefreshPath, isTaken: boolean): RefreshStep {
  const leave: LeaveStep = { kind: "leave", path };
  if (!isTaken || mainline === base) return leave;
  if (!isDirty({ base, work })) return { kind: "place", path, work: mainline, base: mainline, isMerged: false };
  // Removed here and on mainline: there is nothing to touch, and an old base must not stand beside what came in its place.
  if (work === null && mainline === null) return { kind: "place", path, work, base: mainline, isMerged: false };
  if (cover !== "new") return leave;
  const entries = { base, ours: work, theirs: mainline };
  const merge = mergeEntries(entries);
  if (merge.kind === "conflict") return { kind: "conflict", path, conflict: { path, ...entries, why: merge.why } };
  if (merge.kind === "text") return { kind: "merge", path, mode: merge.mode, blobs: merge.blobs, entries };
  return { kind: "place", path, work: merge.entry, base: mainline, isMerged: merge.kind !== "same" };
}

/** The names mainline does not have that would stay where something of mainline's is to be put (LD11). */
function findInTheWay(group: readonly RefreshPath[], steps: readonly RefreshStep[], rule: NameRule): string[] {
  if (group.length < 2) return [];
  const staying: string[] = [];
  const arriving: string[] = [];
  for (const [at, { path, work, mainline }] of group.entries()) {
    const step = steps[at];
    const after = step?.kind === "place" ? step.work : work;
    if (after === null) continue;
    if (mainline === null) staying.push(path);
    else if (work === null) arriving.push(path);
  }
  const isStaying = new Set(staying);
  const clashes = findClashes(arriving, staying, rule).filter(({ other }) => isStaying.has(other));
  return [...new Set(clashes.map(({ other }) => other))].toSorted(compareText);
}

function toTypeConflict(each: RefreshPath, group: readonly string[], inTheWay: readonly string[]): RefreshStep {
  const { path, base, work, mainline, cover } = each;
  if (cover === "none") return { kind: "leave", path };
  return { kind: "type-conflict", path, entries: { base, ours: work, theirs: mainline }, group, inTheWay };
}
