// Runs below the run that started them, the first started first.

import type { Run } from "../../protocol/wire/run.ts";

export type RunNode = { readonly run: Run; readonly started: readonly RunNode[] };

export function toRunTree(runs: Iterable<Run>, root: string): RunNode[] {
  const byParent = Map.groupBy(runs, ({ parent }) => parent);
  const below = (id: string): RunNode[] =>
    (byParent.get(id) ?? [])
      .toSorted((a, b) => a.submittedAtMs - b.submittedAtMs)
      .map((run) => ({ run, started: below(run.id) }));
  return below(root);
}

export function countTree(nodes: readonly RunNode[]): number {
  return nodes.reduce((sum, { started }) => sum + 1 + countTree(started), 0);
}

/** Changes when a run comes, moves or goes. */
export function stampOfTree(nodes: readonly RunNode[]): string {
  return nodes.map(({ run, started }) => `${run.id} ${run.state} ${stampOfTree(started)}`).join(" ");
}
