// What to do about everything that a command left behind (LD15, LD17). It sorts; trying and setting aside are done by
// others.

import { compareText } from "../../base/canonical.ts";
import { parseUnit } from "../lease/unit.ts";
import { matchesGlob } from "../../base/glob.ts";
import { isNeverWritable } from "./guarded.ts";
import { isDirty, type WorkspacePath } from "./workspace-path.ts";

/** What never is part of a change set. */
export type LeftOut = {
  /** Ignored, and so scratch where it is not tracked: never lands, and nobody keeps it. */
  readonly isIgnored: (path: string) => boolean;
  /** Globs of what the project's own commands make again on the candidate. */
  readonly derived: readonly string[];
};

export type SweepOrder = LeftOut & {
  /** What a scan found, at least every path whose work is not its base. */
  readonly paths: Iterable<WorkspacePath>;
  readonly isCovered: (path: string) => boolean;
  /** Whether by-products are tried at all, and how many one command may claim. */
  readonly byProducts: "try" | "set-aside";
  readonly claimsMax: number;
};

export type Sweep = {
  /** Dirty and covered: part of the change set. */
  readonly covered: readonly string[];
  /** Dirty and not covered: each is tried, then refreshed as newly covered. */
  readonly toTry: readonly string[];
  readonly setAside: readonly string[];
  /** Why nothing was tried: there were too many, or the policy says so. */
  readonly whySetAside: "too-many" | "policy" | undefined;
  readonly derived: readonly string[];
  /** Also what no unit can name and what nobody may ever write: it stays where it is and goes nowhere. */
  readonly scratch: readonly string[];
};

/** How many paths one command may claim unless a policy says otherwise. */
export const claimsMaxUsual = 50;

/** Sorts what a command left behind. Every dirty path is in exactly one list. */
export function planSweep(order: SweepOrder): Sweep {
  const lists = { covered: [] as string[], other: [] as string[], derived: [] as string[], scratch: [] as string[] };
  for (const each of order.paths) {
    if (!isDirty(each)) continue;
    lists[whyLeftOut(each, order) ?? (order.isCovered(each.path) ? "covered" : "other")].push(each.path);
  }
  for (const list of Object.values(lists)) list.sort(compareText);
  const { covered, other, derived, scratch } = lists;
  const whySetAside =
    other.length === 0
      ? undefined
      : order.byProducts === "set-aside"
        ? "policy"
        : other.length > order.claimsMax
          ? "too-many"
          : undefined;
  const isTried = whySetAside === undefined;
  return { covered, toTry: isTried ? other : [], setAside: isTried ? [] : other, whySetAside, derived, scratch };
}

/**
 * Why a path is in no change set, whoever holds it (LD17); undefined when it may be. What has a base is tracked, whatever
 * is ignored. Names that no unit can have and names that nobody may ever write go nowhere either.
 */
export function whyLeftOut({ path, base }: WorkspacePath, { isIgnored, derived }: LeftOut): LeftOutReason | undefined {
  if (isNeverWritable(path) || !isNameable(path)) return "scratch";
  if (derived.some((glob) => matchesGlob(glob, path))) return "derived";
  return base === null && isIgnored(path) ? "scratch" : undefined;
}

export type LeftOutReason = "derived" | "scratch";

const anyRule = { foldCase: false, ownProcesses: new Set<string>() };

function isNameable(path: string): boolean {
  return parseUnit(`file:${path}`, anyRule, "").ok;
}
