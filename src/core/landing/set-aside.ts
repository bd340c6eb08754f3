// Giving up changes without losing them (LD16): the work goes to the trash and the base comes back. It says what; the
// trash is for others to keep.

import { compareText } from "../../base/canonical.ts";
import type { Entry } from "./entry.ts";
import { findClashes, type NameRule } from "./kin.ts";
import { isDirty, type WorkspacePath } from "./workspace-path.ts";

/** A path after it was set aside, clean again, and what of it goes to the trash. */
export type SetAside = WorkspacePath & { readonly trash: Entry };

/**
 * The dirty paths that are set aside when these are: also those that a base which comes back cannot stand beside.
 * `workspace` has at least every dirty path.
 */
export function planSetAside(paths: Iterable<string>, workspace: readonly WorkspacePath[], rule: NameRule): SetAside[] {
  const dirty = workspace.filter(isDirty);
  const aside = new Set(paths);
  for (;;) {
    const restored = dirty.filter(({ path, base }) => aside.has(path) && base !== null);
    const staying = dirty.filter(({ path, work }) => !aside.has(path) && work !== null);
    const clashes = findClashes(
      restored.map(({ path }) => path),
      staying.map(({ path }) => path),
      rule,
    ).filter(({ other }) => !aside.has(other));
    if (clashes.length === 0) break;
    for (const { other } of clashes) aside.add(other);
  }
  return dirty
    .filter(({ path }) => aside.has(path))
    .map(({ path, base, work }) => ({ path, base, work: base, trash: work }))
    .toSorted((a, b) => compareText(a.path, b.path));
}
