// What a run wants to land (LD19), what of it a person approved (LD23, LD24), and when that no longer counts (LD22). Who
// approves, and when, is for others to know.

import { compareText } from "../../base/canonical.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { Entry } from "./entry.ts";
import { groupPaths, type Move, type NameRule } from "./kin.ts";
import { isDirty, type WorkspacePath } from "./workspace-path.ts";

export type ChangeSet = {
  /** Sorted by path. */
  readonly changes: readonly WorkspacePath[];
  /** Paths that are approved together or not at all. */
  readonly groups: readonly (readonly string[])[];
};

/** Somebody's yes to one path: it binds the base it was shown against and the exact content (LD22). */
export type Approval = { readonly path: string; readonly base: Entry; readonly approved: Entry };

export type ApproveRefused =
  /** These belong to what was chosen: a tree without them is impossible, or a move would be torn. */
  | { readonly code: "incomplete"; readonly missing: readonly string[] }
  /** These are not what was shown, or not in the change set any more. */
  | { readonly code: "changed"; readonly paths: readonly string[] };

export type VoidReason = "returned" | "yielded" | "base-moved" | "group";

export type ChangeSetOrder = {
  readonly paths: Iterable<WorkspacePath>;
  /** Whether a ready lease covers the path. */
  readonly isCovered: (path: string) => boolean;
  /** Derived and scratch paths, covered or not (`whyLeftOut`). */
  readonly isLeftOut: (each: WorkspacePath) => boolean;
  readonly rule: NameRule;
  readonly moves: readonly Move[];
};

/** Every path that is dirty and covered by a ready lease, against its own base: never against mainline. */
export function changeSetOf({ paths, isCovered, isLeftOut, rule, moves }: ChangeSetOrder): ChangeSet {
  const changes = [...paths]
    .filter((each) => isDirty(each) && isCovered(each.path) && !isLeftOut(each))
    .map(({ path, base, work }) => ({ path, base, work }))
    .toSorted((a, b) => compareText(a.path, b.path));
  const names = changes.map(({ path }) => path);
  return { changes, groups: groupPaths(names, rule, moves) };
}

/**
 * Takes what a person chose, by file (`approved` is the work) or by hunk (the base with some hunks). A group counts only
 * when all of it is chosen, whole. To split a move in words, make the change set without it.
 */
export function approve(changeSet: ChangeSet, chosen: readonly Approval[]): Result<Approval[], ApproveRefused> {
  const byPath = new Map(changeSet.changes.map((change) => [change.path, change]));
  const changed = chosen.filter(({ path, base }) => {
    const change = byPath.get(path);
    return change === undefined || change.base !== base;
  });
  if (changed.length > 0) return refuse({ code: "changed", paths: changed.map(({ path }) => path) });
  // What equals its base is no change: choosing no hunk at all is not choosing.
  const approvals = new Map(chosen.filter(({ base, approved }) => approved !== base).map((each) => [each.path, each]));
  const isWhole = (path: string): boolean => approvals.get(path)?.approved === byPath.get(path)?.work;
  const missing = changeSet.groups
    .filter((group) => group.length > 1 && group.some((path) => approvals.has(path)))
    .flatMap((group) => group.filter((path) => !approvals.has(path) || !isWhole(path)));
  if (missing.length > 0) return refuse({ code: "incomplete", missing });
  return ok([...approvals.values()].toSorted((a, b) => compareText(a.path, b.path)));
}

/** How a path stands now, as far as approvals are concerned. */
export type Standing = {
  /** Its run was sent back since. */
  readonly isReturned: boolean;
  /** A ready lease covers it, and did so without a gap. */
  readonly isCovered: boolean;
  readonly base: Entry;
};

/** Which approvals still count. One that does not takes its group with it. */
export function standingApprovals(
  approvals: readonly Approval[],
  groups: readonly (readonly string[])[],
  standingOf: (path: string) => Standing,
): { readonly standing: Approval[]; readonly voided: ReadonlyMap<string, VoidReason> } {
  const voided = new Map<string, VoidReason>();
  for (const approval of approvals) {
    const why = whyVoid(approval, standingOf(approval.path));
    if (why !== undefined) voided.set(approval.path, why);
  }
  const torn = new Set(groups.filter((group) => group.some((path) => voided.has(path))).flat());
  for (const { path } of approvals) if (torn.has(path) && !voided.has(path)) voided.set(path, "group");
  return { standing: approvals.filter(({ path }) => !voided.has(path)), voided };
}

function whyVoid({ base }: Approval, now: Standing): VoidReason | undefined {
  if (now.isReturned) return "returned";
  if (!now.isCovered) return "yielded";
  return now.base === base ? undefined : "base-moved";
}
