// Tries a candidate with the project's own commands, in a workspace that is made for it and thrown away: derived files are
// made again, then the test looks at it all. A red test is tried once more: what is green then is marked as flaky. One that
// takes too long is not.

import { type Project, testTimeMsDefault } from "../../core/project/project.ts";
import type { LandingTest } from "../../core/workspace/workspace-state.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import type { TestOutcome } from "./lander.ts";
import { rebuildDerived, type RunCommand } from "./rebuild-derived.ts";

const shownChars = 2000;
const prefix = "landing-";

/** When they are over: of the daemon, which leaves everything to the next one, and of whoever wanted to know. */
export type TrySignals = { readonly closing: AbortSignal; readonly unwanted: AbortSignal };

export async function tryCandidate(
  workspaces: Workspaces,
  project: Project,
  commit: string,
  { closing, unwanted }: TrySignals,
): Promise<TestOutcome> {
  if (project.landingTest === null && project.derived.length === 0) return { tested: "untested" };
  const agent = `${prefix}${project.id}-${commit.slice(0, 16)}`;
  try {
    const workspace = await workspaces.of(agent, project, { commit });
    return await tryIn(workspace, project, AbortSignal.any([closing, unwanted]));
  } catch (error) {
    if (unwanted.aborted && !closing.aborted) return "unwanted";
    throw error;
  } finally {
    // Whoever tries again makes another candidate, in another place. What a daemon leaves is for the next one.
    if (!closing.aborted) await workspaces.remove(agent, project);
  }
}

async function tryIn(workspace: Workspace, project: Project, signal: AbortSignal): Promise<TestOutcome> {
  const { keeper } = workspace;
  const { testTimeMs: timeoutMs = testTimeMsDefault } = project;
  const run: RunCommand = async (call, argv) => {
    await keeper.request({ op: "start", call, argv, cwd: null, env: {}, timeoutMs }, signal);
    return (await keeper.request({ op: "wait", call }, signal)) as CommandEnd;
  };
  const rebuilt = await rebuildDerived(workspace, project.derived, run);
  if (!rebuilt.ok) return { red: toRed(rebuilt.argv, rebuilt.end) };
  const tested = await runTest(project.landingTest, run);
  return "tested" in tested ? { ...tested, derived: rebuilt.entries } : tested;
}

async function runTest(
  argv: readonly string[] | null,
  run: RunCommand,
): Promise<{ readonly tested: LandingTest } | { readonly red: string }> {
  if (argv === null) return { tested: "untested" };
  const first = await run("test", argv);
  if (first.exit === 0) return { tested: "passed" };
  if (first.why === "timed-out") return { red: toRed(argv, first) };
  const second = await run("again", argv);
  return second.exit === 0 ? { tested: "flaky" } : { red: toRed(argv, second) };
}

/** How a command failed, with its last words if it had any. */
export function toRed(argv: readonly string[], { exit, tail, why }: Pick<CommandEnd, "exit" | "tail" | "why">): string {
  const said = tail.trimEnd().slice(-shownChars);
  const how = why === "timed-out" ? "was not done in the time that it has" : `ended with ${exit}`;
  return `${argv.join(" ")} ${how}${said === "" ? "" : `: ${said}`}`;
}

/** The project of a candidate whose workspace was left behind. */
export function candidateProject(agent: string): string | undefined {
  return agent.startsWith(prefix) ? agent.slice(prefix.length, agent.lastIndexOf("-")) : undefined;
}
