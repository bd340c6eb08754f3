// What counts of what a command changed. Nobody has seen how it wrote: its files are looked at when it is over.

import type { FinishCall } from "../inputs.ts";
import type { Work } from "../workspace/workspace-state.ts";
import type { Run } from "./run-state.ts";

/**
 * A file counts with all of its bytes as they are now, and with what it has grown by where it counts already: one that is
 * written to bit by bit would count as many times as it was looked at otherwise (SC10). What can never land counts nothing.
 */
export function countSwept(
  run: Run,
  works: readonly Work[],
  swept: FinishCall["swept"] = [],
): { readonly path: string; readonly bytes: number }[] {
  const paths = new Set(works.map(({ path }) => path));
  const counted = swept.filter(({ path }) => paths.has(path));
  return counted.map(({ path, bytes }) => ({ path, bytes: Math.max(0, bytes - (run.changed.get(path) ?? 0)) }));
}
