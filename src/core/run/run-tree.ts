// A run and its sub-runs.

import { compareText } from "../../base/canonical.ts";
import { rootOf, runOf, type State } from "../state.ts";
import type { Run } from "./run-state.ts";

/** The run and the sub-runs beneath it, in a fixed order, itself first. */
export function treeOf(state: State, run: Run): Run[] {
  const found = [run];
  for (const member of found) {
    for (const id of [...(state.subRuns.get(member.id) ?? [])].toSorted(compareText)) found.push(runOf(state, id));
  }
  return found;
}

/** All runs that act in the same family. */
export function kinOf(state: State, run: Run): Run[] {
  return treeOf(state, rootOf(state, run));
}
