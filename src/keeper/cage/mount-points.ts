// A project that lies in /tmp or in the home of the cage, where the agent can write. Were it mounted there anew for each
// command, a link that the agent planted meanwhile would lead the mount outside. So it is mounted once, in the keeper's
// own namespace and while nobody of the agent lives, and commands get the whole with what is mounted in it.

import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { isErrno } from "../os/errno.ts";
import { mustRun, runProgram } from "../os/run-program.ts";

export const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export type OwnFolder = {
  /** As the cage names it. */
  readonly inside: string;
  /** Where the agent's files are. */
  readonly outside: string;
  /** Where it is put together. */
  readonly assembled: string;
};

export type Shown = { readonly source: string; readonly target: string; readonly readOnly: boolean };

/** The way from a folder down to a place in it, undefined for a place elsewhere. */
export function wayInto(folder: string, target: string): string | undefined {
  const way = relative(folder, target);
  return way === "" || way.startsWith("..") || way.startsWith("/") ? undefined : way;
}

/** Puts folders together with what is shown inside them. Nobody of the agent may live meanwhile. */
export async function assemble(folders: readonly OwnFolder[], shown: readonly Shown[]): Promise<void> {
  for (const { inside, outside, assembled } of folders) {
    mkdirSync(assembled, { recursive: true });
    await runProgram("umount", ["-l", assembled]);
    await mustRun("mount-failed", "mount", ["--bind", outside, assembled]);
    for (const { source, target, readOnly } of shown) {
      const way = wayInto(inside, target);
      if (way === undefined) continue;
      makePlace(outside, way.split("/"), statSync(source).isDirectory());
      const place = join(assembled, way);
      await mustRun("mount-failed", "mount", ["--rbind", source, place]);
      if (readOnly) await mustRun("mount-failed", "mount", ["-o", "remount,bind,ro", place]);
    }
  }
}

/** Something to mount on. Whatever stands in the way is moved aside, never followed and never deleted. */
export function makePlace(root: string, names: readonly string[], isFolder: boolean): void {
  const folders = isFolder ? names : names.slice(0, -1);
  let folder = openSync(root, folderFlags);
  try {
    for (const name of folders) {
      const next = makeFolder(folder, name);
      closeSync(folder);
      folder = next;
    }
    if (!isFolder) makeFile(folder, names.at(-1) ?? "");
  } finally {
    closeSync(folder);
  }
}

/** An empty file, as good as any to mount a file on. */
function makeFile(parent: number, name: string): void {
  const path = `/proc/self/fd/${parent}/${name}`;
  const flags = constants.O_RDONLY | constants.O_CREAT | constants.O_NOFOLLOW;
  const isThere = lstatSync(path, { throwIfNoEntry: false });
  if (isThere !== undefined && !isThere.isFile()) renameSync(path, `${path}.aside-${process.hrtime.bigint()}`);
  closeSync(openSync(path, flags, 0o644));
}

function makeFolder(parent: number, name: string): number {
  const path = `/proc/self/fd/${parent}/${name}`;
  for (let tries = 0; ; tries++) {
    try {
      mkdirSync(path, { mode: 0o755 });
    } catch (error) {
      if (!isErrno(error, "EEXIST")) throw error;
    }
    try {
      return openSync(path, folderFlags);
    } catch (error) {
      if (tries > 100 || !isErrno(error, "ENOTDIR", "ELOOP")) throw error;
      renameSync(path, `${path}.aside-${process.hrtime.bigint()}`);
    }
  }
}
