// Going back to a checkpoint (LD34). Only work goes back: leases, bases and mainline do not, or the old bytes under a new
// base would land as if they took others' work away.

import { compareText } from "../../base/canonical.ts";
import { assert } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { Conflict, MergedText } from "./conflict.ts";
import { type Entry, entryOf } from "./entry.ts";
import { type Clash, findClashes, type NameRule } from "./kin.ts";
import { mergeEntries } from "./merge-entries.ts";
import type { ThreeSides } from "./text-merge.ts";
import { isDirty } from "./workspace-path.ts";

/** One path at both times. A path that the checkpoint did not have was absent then, base and work. */
export type RewindPath = {
  readonly path: string;
  readonly old: { readonly base: Entry; readonly work: Entry };
  readonly now: { readonly base: Entry; readonly work: Entry };
  readonly isCovered: boolean;
};

export type RewindStep =
  | { readonly kind: "leave"; readonly path: string; readonly work: Entry }
  | { readonly kind: "put"; readonly path: string; readonly work: Entry }
  | {
      readonly kind: "merge";
      readonly path: string;
      readonly mode: string;
      readonly blobs: ThreeSides<string>;
      readonly entries: ThreeSides<Entry>;
      /** What stays when the merge fails. */
      readonly work: Entry;
    }
  | { readonly kind: "conflict"; readonly path: string; readonly work: Entry; readonly conflict: Conflict };

/** What the workspace looks like afterwards. */
export type Rewound = {
  /** Only paths whose work changes. */
  readonly puts: readonly { readonly path: string; readonly work: Entry }[];
  /** Paths that stay as they are, because old and present work cannot both be had. */
  readonly conflicts: readonly Conflict[];
};

export type RewindRefused = { readonly code: "type-conflict"; readonly clashes: readonly Clash[] };

/** What becomes of each path that was or is there. */
export function planRewind(paths: readonly RewindPath[]): RewindStep[] {
  return paths.map(stepOf).toSorted((a, b) => compareText(a.path, b.path));
}

/** Takes the answers to the merges; refused whole when the result is no tree. */
export function settleRewind(
  steps: readonly RewindStep[],
  merged: ReadonlyMap<string, MergedText>,
  rule: NameRule,
): Result<Rewound, RewindRefused> {
  const puts: WorkspacePut[] = [];
  const staying: string[] = [];
  const conflicts: Conflict[] = [];
  for (const step of steps) {
    const { path } = step;
    const result = step.kind === "merge" ? merged.get(path) : undefined;
    if (step.kind === "put") puts.push({ path, work: step.work });
    else if (step.kind === "merge" && result?.kind === "clean") {
      puts.push({ path, work: entryOf(step.mode, result.blob) });
    } else {
      if (step.work !== null) staying.push(path);
      if (step.kind === "conflict") conflicts.push(step.conflict);
      if (step.kind === "merge") conflicts.push({ path, ...step.entries, why: whyOf(result) });
    }
  }
  const fresh = puts.filter(({ work }) => work !== null).map(({ path }) => path);
  const clashes = findClashes(fresh, staying, rule);
  return clashes.length > 0 ? refuse({ code: "type-conflict", clashes }) : ok({ puts, conflicts });
}

type WorkspacePut = Rewound["puts"][number];

function whyOf(result: MergedText | undefined): "touching" | "not-text" {
  assert(result?.kind === "conflict", "every merge of a rewind is answered");
  return result.why;
}

function stepOf({ path, old, now, isCovered }: RewindPath): RewindStep {
  const put = (work: Entry): RewindStep => ({ kind: work === now.work ? "leave" : "put", path, work });
  if (!isCovered) return put(now.work);
  if (!isDirty(old)) return put(now.base);
  if (old.base === now.base) return put(old.work);
  const entries = { base: old.base, ours: old.work, theirs: now.base };
  const merge = mergeEntries(entries);
  if (merge.kind === "conflict") {
    return { kind: "conflict", path, work: now.work, conflict: { path, ...entries, why: merge.why } };
  }
  if (merge.kind === "text") return { ...merge, kind: "merge", path, entries, work: now.work };
  return put(merge.entry);
}
