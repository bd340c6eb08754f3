// Tries a candidate with the project's own commands, in a workspace that is made for it and thrown away: derived files are
// made again, then the test looks at it all. A red test is tried once more: what is green then is marked as flaky.

import type { Project } from "../../core/project/project.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import type { TestOutcome } from "./lander.ts";
import { rebuildDerived, type RunCommand } from "./rebuild-derived.ts";

const shownChars = 2000;
const prefix = "landing-";

export async function tryCandidate(
  workspaces: Workspaces,
  project: Project,
  commit: string,
  signal: AbortSignal,
): Promise<TestOutcome> {
  if (project.landingTest === null && project.derived.length === 0) return { tested: "untested" };
  const agent = `${prefix}${project.id}-${commit.slice(0, 16)}`;
  const workspace = await workspaces.of(agent, project, { commit });
  const { keeper } = workspace;
  const run: RunCommand = async (call, argv) => {
    await keeper.request({ op: "start", call, argv, cwd: null, env: {}, timeoutMs: null });
    return (await keeper.request({ op: "wait", call }, signal)) as CommandEnd;
  };
  const rebuilt = await rebuildDerived(workspace, project.derived, run);
  const tested = rebuilt.ok ? await runTest(project.landingTest, run) : { red: toRed(rebuilt.argv, rebuilt.end) };
  await workspaces.remove(agent, project);
  return rebuilt.ok && "tested" in tested ? { ...tested, derived: rebuilt.entries } : tested;
}

async function runTest(argv: readonly string[] | null, run: RunCommand): Promise<TestOutcome> {
  if (argv === null) return { tested: "untested" };
  const first = await run("test", argv);
  if (first.exit === 0) return { tested: "passed" };
  const second = await run("again", argv);
  return second.exit === 0 ? { tested: "flaky" } : { red: toRed(argv, second) };
}

/** How a command failed, with its last words if it had any. */
export function toRed(argv: readonly string[], { exit, tail }: Pick<CommandEnd, "exit" | "tail">): string {
  const said = tail.trimEnd().slice(-shownChars);
  return `${argv.join(" ")} ended with ${exit}${said === "" ? "" : `: ${said}`}`;
}

/** The project of a candidate whose workspace was left behind. */
export function candidateProject(agent: string): string | undefined {
  return agent.startsWith(prefix) ? agent.slice(prefix.length, agent.lastIndexOf("-")) : undefined;
}
