// Files that commands of the project make of others: lock files, generated code (LD17). Nobody holds them, no change set
// has them; the command makes them again on the candidate.

import { isNeverWritable } from "../landing/guarded.ts";
import { matchesGlob } from "../../base/glob.ts";

export type Derived = { readonly paths: readonly string[]; readonly command: readonly string[] };

/** Whether a path is made by one of these commands. What nobody may ever write is not. */
export function isDerived(derived: readonly Derived[], path: string): boolean {
  if (derived.length === 0 || isNeverWritable(path)) return false;
  return derived.some(({ paths }) => paths.some((glob) => matchesGlob(glob, path)));
}
