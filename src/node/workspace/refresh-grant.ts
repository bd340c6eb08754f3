// Does the engine's wish that the paths of a grant be in step with mainline, and says with which bases they are. Until then
// nobody acts on them.

import type { Act } from "../../core/acts.ts";
import { coverIn } from "../cover-in.ts";
import { groundIn } from "../landing/ground-of.ts";
import { ruleIn } from "../node-guards.ts";
import { refreshWorkspace } from "./refresh-workspace.ts";
import type { WorkspaceGround } from "./workspace-ground.ts";

export async function refreshGrant(
  { state, report, workspaceOf, mainlineOf }: WorkspaceGround,
  { claim, units, family }: Extract<Act, { type: "refresh" }>,
): Promise<void> {
  const run = state().runs.get(state().runOfFamily.get(family) ?? "");
  const paths = units.filter((text) => !text.startsWith("process:"));
  // A process has no bytes to bring in step, and who is not a run has no workspace.
  if (run === undefined || paths.length === 0) {
    const nothing = { bases: {}, commit: null, works: [], conflicts: [], moved: [] };
    await report({ type: "lease.refreshed", claim, ...nothing });
    return;
  }
  const workspace = await workspaceOf(run);
  const mainline = await mainlineOf(run);
  await workspace.alone(async () => {
    const coverOf = coverIn(state(), run, units);
    const rule = ruleIn(state(), run.project);
    const ground = await groundIn(state(), mainline, run);
    const refreshed = await refreshWorkspace(workspace, mainline, { ground, coverOf, rule });
    const files = paths.filter((text) => text.startsWith("file:")).map((text) => text.slice("file:".length));
    const entries = await mainline.entriesAt(refreshed.commit, files);
    const bases = Object.fromEntries(files.map((path) => [`file:${path}`, entries.get(path) ?? null]));
    await report({ type: "lease.refreshed", claim, bases, ...refreshed });
  });
}
