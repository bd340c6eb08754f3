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
  return { red: `${argv.join(" ")} ended with ${second.exit}: ${second.tail.trimEnd().slice(-shownChars)}` };
}

/** The project of a candidate whose workspace was left behind. */
export function candidateProject(agent: string): string | undefined {
  return agent.startsWith(prefix) ? agent.slice(prefix.length, agent.lastIndexOf("-")) : undefined;
}
