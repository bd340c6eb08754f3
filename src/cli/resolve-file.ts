import { relative, resolve } from "node:path";
import type { Cli } from "./cli.ts";
import { resolveProject } from "./resolve-project.ts";

/** A file of a project. Inside the project a path is meant as a shell means it; elsewhere as the project does. */
export async function resolveFile(
  cli: Cli,
  given: string | undefined,
  path: string,
): Promise<{ readonly project: string; readonly path: string }> {
  const ref = await resolveProject(cli, given);
  const { project } = await cli.link.call("project.get", { project: ref });
  const inside = relative(project.root, resolve(cli.cwd, path));
  return { project: ref, path: inside.startsWith("..") ? path : inside };
}
