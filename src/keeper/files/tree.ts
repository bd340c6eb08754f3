// The workspace, walked name by name through open folders: no link leads anywhere, and no race can make one. What is done
// here is done with the agent's own files in the agent's own folder, whatever its processes do meanwhile.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
  type BigIntStats,
  type Dirent,
} from "node:fs";
import { Fault } from "../../base/fault.ts";
import { isErrno, toMessage } from "../os/errno.ts";

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const newFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** What stands at a name. A file is open, and whoever asked closes it. */
export type Standing =
  | { readonly kind: "file"; readonly fd: number; readonly stat: BigIntStats }
  | { readonly kind: "link"; readonly target: Buffer }
  | { readonly kind: "folder" | "other" | "nothing" };

export class Tree {
  readonly #root: number;

  constructor(path: string) {
    this.#root = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  }

  close(): void {
    closeSync(this.#root);
  }

  /** A handle of a folder, undefined where something on the way is no folder. Whoever asked closes it. */
  openFolder(names: readonly string[], options: { readonly make: boolean }): number | undefined {
    let folder = openSync(`/proc/self/fd/${this.#root}`, constants.O_RDONLY | constants.O_DIRECTORY);
    for (const name of names) {
      const path = within(folder, name);
      try {
        if (options.make) makeFolder(path);
        const next = openSync(path, folderFlags);
        closeSync(folder);
        folder = next;
      } catch (cause) {
        closeSync(folder);
        if (isErrno(cause, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
        throw unavailable(cause);
      }
    }
    return folder;
  }

  /** Does something in the folder of a path; undefined where there is no such folder. */
  inFolder<T>(
    path: string,
    options: { readonly make: boolean },
    act: (folder: number, name: string) => T,
  ): T | undefined {
    const names = namesOf(path);
    const name = names.pop() ?? "";
    const folder = this.openFolder(names, options);
    if (folder === undefined) return undefined;
    try {
      return act(folder, name);
    } finally {
      closeSync(folder);
    }
  }

  standingAt(path: string): Standing {
    return this.inFolder(path, { make: false }, standingIn) ?? { kind: "nothing" };
  }

  /** Writes a small new file of ours into an open folder. */
  writeNew(folder: number, name: string, text: string): void {
    const fd = openSync(within(folder, name), newFlags, 0o644);
    try {
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
  }
}

/** What stands at a name of an open folder. */
export function standingIn(folder: number, name: string): Standing {
  const path = within(folder, name);
  for (let tries = 0; tries < 10; tries++) {
    try {
      const fd = openSync(path, fileFlags);
      const stat = fstatSync(fd, { bigint: true });
      if (stat.isFile()) return { kind: "file", fd, stat };
      closeSync(fd);
      return { kind: stat.isDirectory() ? "folder" : "other" };
    } catch (cause) {
      if (isErrno(cause, "ENOENT", "ENOTDIR")) return { kind: "nothing" };
      if (isErrno(cause, "ENXIO", "ENODEV", "EACCES", "EPERM")) return { kind: kindOf(path) };
      if (!isErrno(cause, "ELOOP")) throw unavailable(cause);
    }
    try {
      return { kind: "link", target: readlinkSync(path, "buffer") };
    } catch (cause) {
      // It was replaced between the two looks: look again.
      if (!isErrno(cause, "EINVAL", "ENOENT", "ENOTDIR")) throw unavailable(cause);
    }
  }
  return { kind: "other" };
}

/** Names and kinds in an open folder, in a fixed order. */
export function entriesIn(folder: number): Dirent[] {
  const entries = readdirSync(`/proc/self/fd/${folder}`, { withFileTypes: true });
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A folder inside an open folder, undefined where it is none. Whoever asked closes it. */
export function openIn(folder: number, name: string): number | undefined {
  try {
    return openSync(within(folder, name), folderFlags);
  } catch (cause) {
    if (isErrno(cause, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) return undefined;
    throw unavailable(cause);
  }
}

/** Takes away whatever stands at a name, by open folders all the way down: a link planted meanwhile leads nowhere. */
export function removeIn(folder: number, name: string): void {
  const path = within(folder, name);
  try {
    unlinkSync(path);
    return;
  } catch (cause) {
    if (isErrno(cause, "ENOENT")) return;
    if (!isErrno(cause, "EISDIR", "EPERM")) throw unavailable(cause);
  }
  const below = openIn(folder, name);
  if (below === undefined) return;
  try {
    for (const entry of entriesIn(below)) removeIn(below, entry.name);
  } finally {
    closeSync(below);
  }
  rmdirSync(path);
}

/** A name inside an open folder: the kernel resolves it from the folder we hold, wherever that has been moved to. */
export function within(folder: number, name: string): string {
  return `/proc/self/fd/${folder}/${name}`;
}

/** The names on the way. The door has cleaned the path; whoever comes another way gets no further. */
export function namesOf(path: string): string[] {
  const names = path.split("/");
  if (path.length > 4096 || names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0"))) {
    throw new Fault("bad-request", { retry: "never", message: `"${path.slice(0, 200)}" is no path of the workspace` });
  }
  return names;
}

/** A folder of the workspace: the empty path is the workspace itself. */
export function folderNamesOf(path: string): string[] {
  return path === "" || path === "." ? [] : namesOf(path);
}

/** The disk is full, gone or not ours. */
export function unavailable(cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  const message = `the workspace cannot be used: ${toMessage(cause)}`;
  return new Fault("workspace-unavailable", { retry: "later", cause, message });
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
  }
}

function kindOf(path: string): "folder" | "other" | "nothing" {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "nothing";
  return stat.isDirectory() ? "folder" : "other";
}
