// Which faces of agents a run may call: those that its profile names, of its own project (FC15).

import { matchesGlob } from "../../base/glob.ts";
import type { Run } from "../run/run-state.ts";
import { isOver } from "../run/run-states.ts";
import { rootOf, type State } from "../state.ts";
import type { Agent } from "./agent-state.ts";

/** Whether its profile names any. Beside services nobody could tell who calls, so a run in a living agent calls none. */
export function callsFaces(state: State, run: Run): boolean {
  const root = rootOf(state, run);
  return root.agent === null && root.caged && (root.settings?.faces ?? []).length > 0;
}

export function mayCallFace(state: State, run: Run, { project, name }: Agent, face: string): boolean {
  if (!callsFaces(state, run) || isOver(run.state) || run.project !== project) return false;
  return (rootOf(state, run).settings?.faces ?? []).some((pattern) => matchesGlob(pattern, `${name}/${face}`));
}
