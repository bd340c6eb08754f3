// Tries a candidate with the project's own command, in a workspace that is made for it and thrown away. A red result is
// tried once more: what is green then is marked as flaky.

import type { Project } from "../../core/project/project.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import type { TestOutcome } from "./lander.ts";

const shownChars = 2000;
const prefix = "landing-";

export async function tryCandidate(
  workspaces: Workspaces,
  project: Project,
  commit: string,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const argv = project.landingTest;
  if (argv === null) return { tested: "untested" };
  const agent = `${prefix}${project.id}-${commit.slice(0, 16)}`;
  const { keeper } = await workspaces.of(agent, project, { commit });
  const run = async (call: string): Promise<CommandEnd> => {
    await keeper.request({ op: "start", call, argv, cwd: null, env: {}, timeoutMs: null });
    return (await keeper.request({ op: "wait", call }, signal)) as CommandEnd;
  };
  const first = await run("test");
  const second = first.exit === 0 ? undefined : await run("again");
  await workspaces.remove(agent, project);
  if (second === undefined) return { tested: "passed" };
  if (second.exit === 0) return { tested: "flaky" };
  return { red: toRed(argv, second) };
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
