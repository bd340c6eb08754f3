// Does the engine's wish that the workspace of a run be as it was after a step, and says what came of it.

import { mustGet } from "../../base/assert.ts";
import type { Act } from "../../core/acts.ts";
import type { Input } from "../../core/inputs.ts";
import { isDerived } from "../../core/project/derived.ts";
import type { Run } from "../../core/run/run-state.ts";
import { runOf } from "../../core/state.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import { coverIn } from "../cover-in.ts";
import { ruleIn } from "../node-guards.ts";
import { rewindWorkspace } from "./rewind-workspace.ts";
import type { WorkspaceGround } from "./workspace-ground.ts";

export type RewindAct = Extract<Act, { type: "rewind" }>;

export async function rewindRun(
  { state, report, workspaceOf, mainlineOf }: WorkspaceGround,
  act: RewindAct,
): Promise<void> {
  const run = runOf(state(), act.run);
  if (run.rewinding === null) return;
  const workspace = await workspaceOf(run);
  const mainline = await mainlineOf(run);
  const about = { run: run.id, act: act.id };
  await workspace.alone(async () => {
    const cover = coverIn(state(), run, []);
    const { derived } = mustGet(state().projects, run.project, "project");
    const rewound = await rewindWorkspace(workspace, mainline, {
      wanted: act.works,
      isCovered: (path) => cover(path) !== "none" && !isDerived(derived, path),
      rule: ruleIn(state(), run.project),
      found: async (dirty) => (await report({ type: "works.find", ...about, works: withUndone(run, dirty) })).ok,
    });
    if (rewound !== undefined) await report({ type: "run.rewound", ...about, ...rewound });
  });
}

/** What is reported where it could not be tried. */
export function notRewound({ run, id: act }: RewindAct, refused: string): Extract<Input, { type: "run.rewound" }> {
  return { type: "run.rewound", run, act, works: [], stayed: [], refused };
}

/** How the workspace of a fork begins, as long as nothing has become of it (LD36). */
export function beginningOf({ fork, workspace: { dirty } }: Run): { commit?: string; works?: readonly Work[] } {
  const commit = fork?.commit ?? null;
  return commit === null || dirty.size === 0 ? {} : { commit, works: [...dirty.values()] };
}

/** What is changed now, and what the log takes for changed and is not any more. */
function withUndone({ workspace }: Run, dirty: readonly Work[]): Work[] {
  const found = new Set(dirty.map(({ path }) => path));
  const undone = [...workspace.dirty.values()].filter(({ path }) => !found.has(path));
  return [...dirty, ...undone.map(({ path, base }) => ({ path, base, work: base }))];
}
