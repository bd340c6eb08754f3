// What is asked of a run when two changes cannot both be had (LD31), and what its answer does.

import { assert } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { fallenBases } from "./bases.ts";
import type { Entry } from "./entry.ts";
import { type Clash, findClashes, type NameRule } from "./kin.ts";
import type { ConflictReason } from "./merge-entries.ts";
import type { WorkspacePath } from "./workspace-path.ts";

/** It shows the base, the run's own side (`ours`) and mainline's (`theirs`). */
export type Conflict = {
  readonly path: string;
  readonly base: Entry;
  readonly ours: Entry;
  readonly theirs: Entry;
  readonly why: ConflictReason;
};

/** What a provider of bytes found: the blob of the merged text, or why there is none. */
export type MergedText =
  | { readonly kind: "clean"; readonly blob: string }
  | { readonly kind: "conflict"; readonly why: "touching" | "not-text" };

/**
 * The path after its run answered, and the kin whose base falls with that. The base becomes the side that was shown:
 * mainline's entry of this later moment would overwrite an edit that nobody saw, and the old base would conflict for ever.
 */
export function resolveConflict(
  { path, theirs }: Conflict,
  resolution: Entry,
  { workspace, rule }: { readonly workspace: readonly WorkspacePath[]; readonly rule: NameRule },
): WorkspacePath[] {
  const resolved = { path, base: theirs, work: resolution };
  return [resolved, ...fallenBases([resolved], workspace, rule)];
}

/** A path of a group whose names mainline and the run cannot both have, with mainline's side as it was shown. */
export type TypeConflictPath = { readonly path: string; readonly theirs: Entry };

/**
 * The group after its run, which holds all of it, said what each path is to be. It is refused when that is no tree
 * either.
 */
export function resolveTypeConflict(
  group: readonly TypeConflictPath[],
  resolution: ReadonlyMap<string, Entry>,
  rule: NameRule,
): Result<WorkspacePath[], { readonly code: "type-conflict"; readonly clashes: readonly Clash[] }> {
  const paths = group.map(({ path, theirs }) => {
    const work = resolution.get(path);
    assert(work !== undefined, "a type conflict is resolved for its whole group");
    return { path, base: theirs, work };
  });
  const present = paths.filter(({ work }) => work !== null).map(({ path }) => path);
  const clashes = findClashes(present, [], rule);
  return clashes.length > 0 ? refuse({ code: "type-conflict", clashes }) : ok(paths);
}
