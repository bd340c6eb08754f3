// Which faces of agents a run may call: those that its profile names, of its own project. In a living agent nobody could tell
// who calls beside the run, so there everything may that is beside it, for as long as it is at work (FC15, FC16).

import { matchesGlob } from "../../base/glob.ts";
import type { Run } from "../run/run-state.ts";
import { isOver, takesSlot } from "../run/run-states.ts";
import { kinOf } from "../run/run-tree.ts";
import { rootOf, type State } from "../state.ts";
import type { Agent } from "./agent-state.ts";
import { tenantOf } from "./tenancy.ts";

/** Whether its profile names any. */
export function callsFaces(state: State, run: Run): boolean {
  const root = rootOf(state, run);
  return root.caged && (root.settings?.faces ?? []).length > 0;
}

export function mayCallFace(state: State, run: Run, { project, name }: Agent, face: string): boolean {
  if (!callsFaces(state, run) || isOver(run.state) || run.project !== project) return false;
  return (rootOf(state, run).settings?.faces ?? []).some((pattern) => matchesGlob(pattern, `${name}/${face}`));
}

/** The run by whose profile a face is called from inside an agent now; undefined where none lets it. */
export function faceTenantOf(state: State, inside: Agent, called: Agent, face: string): Run | undefined {
  const run = tenantOf(state, inside);
  if (run === undefined || !mayCallFace(state, run, called, face)) return undefined;
  return kinOf(state, run).some((each) => takesSlot(each.state)) ? run : undefined;
}
