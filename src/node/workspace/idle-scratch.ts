// Takes dependency folders out of workspaces that nobody works in, when the disk runs low. Only what a lock file of the commit
// speaks of, what the workspace itself ignores and what no commit has: all of it can be made again, and none of it is work.

import { randomUUID } from "node:crypto";
import type { Project } from "../../core/project/project.ts";
import type { Run } from "../../core/run/run-state.ts";
import { isOver } from "../../core/run/run-states.ts";
import { rootOf, type State } from "../../core/state.ts";
import type { CommandEnd, IgnoredAnswer, ProcessesAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { lockFoldersAt } from "./lock-folders.ts";
import type { Workspace } from "./workspace.ts";

const timeoutMs = 120_000;

// As the agent, in its cage: a link that it has left leads nowhere that it could not go itself, and is not followed all the same.
const remove =
  'for folder; do [ -d "$folder" ] && [ ! -L "$folder" ] && [ "$(realpath -- "$folder")" = "$PWD/$folder" ] && rm -rf -- "$folder" && printf "%s\\n" "$folder"; done; true';

/** Runs whose workspace has somebody's attention later and nobody's now, with everything that works in it. */
export function idleRuns(state: State): Run[] {
  const busy = new Set<string>();
  const all = [...state.runs.values()];
  for (const run of all)
    if (!isOver(run.state) && run.state !== "review" && run.state !== "parked") busy.add(rootOf(state, run).id);
  // In a living agent services stand on the same folders. Without a cage there is nobody to remove them as.
  const isIdle = (run: Run): boolean => !run.sub && !isOver(run.state) && !busy.has(run.id);
  const isOpen = (run: Run): boolean => run.agent === null && run.caged && !hasOwnIgnores(run);
  return all.filter((run) => isIdle(run) && isOpen(run) && !isToBeTested(state, run));
}

/** The test of its landing may stand on what the run has installed, and nobody would install it again (LD45). */
function isToBeTested(state: State, run: Run): boolean {
  return run.state === "review" && (state.projects.get(run.project)?.landingTest ?? null) !== null;
}

/** Whoever changes what is ignored may mean that something is work from now on. */
function hasOwnIgnores({ workspace }: Run): boolean {
  return [...workspace.dirty.keys()].some((path) => path === ".gitignore" || path.endsWith("/.gitignore"));
}

/** Answers the folders that are gone. Where anybody has a process in there, nothing is touched. */
export async function pruneScratch(workspace: Workspace, project: Project): Promise<readonly string[]> {
  return workspace.alone(async () => {
    const { keeper, mainline, commit } = workspace;
    const { calls } = (await keeper.request({ op: "processes" })) as ProcessesAnswer;
    if (calls.length > 0) return [];
    const folders = (await lockFoldersAt(project, { mainline, commit })).map(({ folder }) => folder);
    if (folders.length === 0) return [];
    // What a file there would be to the workspace as it is now.
    const inside = (folder: string): string => `${folder}/${call}`;
    const call = `scratch-${randomUUID()}`;
    const { ignored } = (await keeper.request({ op: "ignored", paths: folders.map(inside) })) as IgnoredAnswer;
    const scratch = folders.filter((folder) => ignored.includes(inside(folder)));
    if (scratch.length === 0) return [];
    const argv = ["/bin/sh", "-c", remove, "sh", ...scratch];
    await keeper.request({ op: "start", call, argv, cwd: null, env: {}, timeoutMs });
    const { tail } = (await keeper.request({ op: "wait", call })) as CommandEnd;
    await keeper.request({ op: "forget", call });
    return tail.split("\n").filter((line) => scratch.includes(line));
  });
}
