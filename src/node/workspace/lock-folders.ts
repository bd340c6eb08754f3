// Which folders of a project hold its dependencies: those that a lock file of a commit speaks of, beside it.

import { posix } from "node:path";
import { type Entry, kindOf } from "../../core/landing/entry.ts";
import type { Project } from "../../core/project/project.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { IgnoredFolders } from "./ignored-folders.ts";

/** A lock file with its content, and the folder that is made by it. */
export type LockFolder = { readonly lock: string; readonly entry: string; readonly folder: string };

/** Which folder each lock file speaks of, beside it. The first one of a folder counts. */
const besides: Readonly<Record<string, string>> = {
  "package-lock.json": "node_modules",
  "npm-shrinkwrap.json": "node_modules",
  "pnpm-lock.yaml": "node_modules",
  "yarn.lock": "node_modules",
  "bun.lock": "node_modules",
  "Cargo.lock": "target",
  "uv.lock": ".venv",
  "poetry.lock": ".venv",
  "Pipfile.lock": ".venv",
  "requirements.txt": ".venv",
  "composer.lock": "vendor",
};
/** More are not looked for in one workspace: agents may write lock files without end. */
const foldersMax = 64;

/** The folder that a lock file speaks of: what the project says counts more than what is so everywhere. */
export function folderBeside({ warm = {} }: Project, lock: string): string | undefined {
  const name = posix.basename(lock);
  const folder = Object.hasOwn(warm, name) ? warm[name] : Object.hasOwn(besides, name) ? besides[name] : undefined;
  return folder === undefined ? undefined : posix.join(posix.dirname(lock), folder);
}

/** Those of a commit that are scratch; `entryOf` says what a lock file is where that is not what the commit has. */
export async function lockFoldersAt(
  project: Project,
  { mainline, commit }: { readonly mainline: Mainline; readonly commit: string },
  entryOf: (lock: string, entry: Entry) => Entry = (_lock, entry) => entry,
): Promise<LockFolder[]> {
  const tree = await mainline.listTree(commit);
  const ignored = new IgnoredFolders(mainline, commit);
  const seen = new Set<string>();
  const found: LockFolder[] = [];
  for (const [lock, there] of tree) {
    const folder = folderBeside(project, lock);
    if (folder === undefined) continue;
    const entry = entryOf(lock, there);
    if (entry === null || kindOf(entry) !== "file" || seen.has(folder)) continue;
    if (seen.size === foldersMax) break;
    seen.add(folder);
    const isScratch = !tree.has(folder) && (await mainline.listTree(commit, folder)).size === 0;
    // What is not ignored would count as a change the moment somebody touched it.
    if (isScratch && (await ignored.has(folder))) found.push({ lock, entry, folder });
  }
  return found;
}
