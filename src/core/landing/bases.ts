// Bases form a tree, as works do: then any of them can come back (LD16, LD34). They are set one by one and at different
// commits, so a base that is set may show that another one has been over for a while.

import { assert } from "../../base/assert.ts";
import { findClashes, type NameRule } from "./kin.ts";
import type { WorkspacePath } from "./workspace-path.ts";

/**
 * The paths whose base falls because these were given one: mainline has something else in their place, and the workspace
 * has nothing there either. A run removed file `a` and wrote `a/x`, which landed alone, because a person had removed `a`
 * too: putting `a` back from its old base would be impossible. `workspace` has at least their kin.
 */
export function fallenBases(
  placed: readonly WorkspacePath[],
  workspace: readonly WorkspacePath[],
  rule: NameRule,
): WorkspacePath[] {
  const isPlaced = new Set(placed.map(({ path }) => path));
  const standing = workspace.filter(({ path, base }) => base !== null && !isPlaced.has(path));
  const fresh = placed.filter(({ base }) => base !== null).map(({ path }) => path);
  const clashes = findClashes(
    fresh,
    standing.map(({ path }) => path),
    rule,
  );
  const fallen = new Set(clashes.map(({ other }) => other));
  return standing
    .filter(({ path }) => fallen.has(path))
    .map(({ path, work }) => {
      assert(work === null, () => `${path} is still there, beside what cannot stand beside it`);
      return { path, base: null, work };
    });
}
