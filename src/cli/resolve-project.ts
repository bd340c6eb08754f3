// Which project is meant: by name or id, by a folder, or by where one stands.

import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { Project } from "../protocol/wire/project.ts";
import type { Cli } from "./cli.ts";
import { UsageError } from "./usage-error.ts";

/** The project that a command speaks of. */
export async function resolveProject(cli: Cli, given: string | undefined): Promise<string> {
  if (given !== undefined && !isPath(given)) return given;
  const { projects } = await cli.link.call("project.list", {});
  const folder = given === undefined ? cli.cwd : toFolder(cli, given);
  const found = findByFolder(projects, folder);
  if (found !== undefined) return found.id;
  const names = projects.map(({ name }) => name).join(", ");
  const known = names === "" ? "" : ` Name one (there are: ${names}), or`;
  throw new UsageError(`${folder} belongs to no project.${known} add it: signalbox project add ${given ?? "."}`);
}

/** The same where no project means all of them. */
export async function resolveOnlyProject(cli: Cli, given: string | undefined): Promise<{ project?: string }> {
  return given === undefined ? {} : { project: await resolveProject(cli, given) };
}

/** Names have no slash, so whatever has one is a folder. */
export function isPath(given: string): boolean {
  return given.includes("/") || given === "." || given === ".." || given.startsWith("~");
}

export function toFolder(cli: Cli, given: string): string {
  const home = cli.env["HOME"] ?? homedir();
  const expanded = given === "~" ? home : given.startsWith("~/") ? join(home, given.slice(2)) : given;
  return resolve(cli.cwd, expanded);
}

/** The innermost project that a folder lies in. */
export function findByFolder(projects: readonly Project[], folder: string): Project | undefined {
  const here = toReal(folder);
  return projects
    .filter(({ root }) => here === toReal(root) || here.startsWith(toReal(root).replace(/\/?$/, sep)))
    .toSorted((a, b) => b.root.length - a.root.length)[0];
}

/** Both sides through their links, or a project behind one would never be found. */
function toReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
