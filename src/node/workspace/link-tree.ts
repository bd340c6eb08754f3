// A folder that an agent has written, as it stands now, in another place: folders are made anew, files are the same ones by
// another name. So it takes no room, and what is taken away or put in its place afterwards does not show there.
//
// Whoever wrote it may still be there, and put a link in the place of a folder while we look: each folder is opened in the one
// before, never through a link, and everything in it is named from there.

import { constants, type Dirent } from "node:fs";
import { chmod, chown, link, mkdir, open, opendir, readlink, symlink, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isErrno } from "../../os/errno.ts";

export type Owner = { readonly uid: number; readonly gid: number };

/** Past either, nothing is answered but that it is too much. */
const entriesMax = 500_000;
const depthMax = 64;
/** So many files are linked at once. */
const atOnce = 32;

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** There is none, a link leads there, it goes while we look, or is not to be looked into, or to be had by another name. */
const whatever = ["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "EXDEV", "EMLINK", "ENAMETOOLONG"];

class TooMuch extends Error {}

/** Whether there was such a folder, and it is at `to` now. What it leads to must be ours; what is in it need not. */
export async function linkTree(from: { root: string; way: string }, to: string, owner: Owner): Promise<boolean> {
  const opened: FileHandle[] = [];
  try {
    let folder = await open(from.root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    opened.push(folder);
    for (const name of from.way.split("/")) {
      folder = await openIn(folder, name);
      opened.push(folder);
    }
    await mkdir(dirname(to), { recursive: true, mode: 0o755 });
    await new Linking(owner).copy(folder, to, 0);
    return true;
  } catch (error) {
    if (error instanceof TooMuch || isErrno(error, ...whatever)) return false;
    throw error;
  } finally {
    for (const each of opened) await each.close();
  }
}

class Linking {
  readonly #owner: Owner;
  #left = entriesMax;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  async copy(folder: FileHandle, to: string, depth: number): Promise<void> {
    const here = pathOf(folder);
    const entries: Dirent[] = [];
    for await (const entry of await opendir(here)) {
      // Counted as they come: a folder may have more names than fit into memory.
      if (--this.#left < 0) throw new TooMuch();
      entries.push(entry);
    }
    if (depth > depthMax) throw new TooMuch();
    const { mode } = await folder.stat();
    await mkdir(to, { mode: 0o700 });
    const files = entries.filter((each) => each.isFile());
    for (let at = 0; at < files.length; at += atOnce)
      await Promise.all(files.slice(at, at + atOnce).map(({ name }) => link(`${here}/${name}`, join(to, name))));
    for (const each of entries.filter((one) => one.isSymbolicLink()))
      await symlink(await readlink(`${here}/${each.name}`), join(to, each.name));
    for (const each of entries.filter((one) => one.isDirectory())) {
      const inner = await openIn(folder, each.name);
      try {
        await this.copy(inner, join(to, each.name), depth + 1);
      } finally {
        await inner.close();
      }
    }
    await chown(to, this.#owner.uid, this.#owner.gid);
    // What says that something is gone, sockets and the like are left out.
    await chmod(to, mode & 0o777);
  }
}

function openIn(folder: FileHandle, name: string): Promise<FileHandle> {
  return open(`${pathOf(folder)}/${name}`, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

function pathOf({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}
