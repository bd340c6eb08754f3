// Puts files into a person's folder, all of them or none, and never destroys anything of theirs: what is there is first
// moved aside and only then compared with what it should be, so there is no moment between looking and replacing. A journal
// lies beside what was moved, so that a placing that was cut off can be undone by whoever comes next.

import { constants, type Stats } from "node:fs";
import {
  chmod,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
} from "node:fs/promises";
import path from "node:path";
import { blobOf, entryOf, type Entry, modeOf } from "../../core/landing/entry.ts";
import type { TreeChange } from "../../ports/mainline.ts";
import { readIfThere, sync, writeSynced } from "../../os/durable-file.ts";
import { isErrno } from "../../os/errno.ts";
import { nameOf, type ObjectFormat } from "./object-codec.ts";
import { nameOfFile } from "./object-store.ts";

/** Where the bytes of new files come from. Files may be of any size. */
export type BlobSource = {
  readonly readBlob: (blob: string) => Promise<Uint8Array>;
  /** Makes a new file, with this mode as far as the person lets new files have it. */
  readonly copyBlob: (blob: string, file: string, mode: number) => Promise<void>;
};

export type Journal = {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly TreeChange[];
  /** Which lock file is ours, by inode. */
  readonly lock: number | null;
};

/** Somebody's own work is in the way, at this path. */
export class InTheWay extends Error {
  readonly path: string;
  constructor(path: string, cause?: unknown) {
    super(`${path} is not as it was`, { cause });
    this.path = path;
  }
}

const journalFile = "journal.json";
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

export class Placing {
  readonly #root: string;
  readonly #hold: string;
  readonly #format: ObjectFormat;

  /** `hold` is a folder on the same file system as `root`; it exists while a placing is under way. */
  constructor(root: string, hold: string, format: ObjectFormat) {
    this.#root = root;
    this.#hold = hold;
    this.#format = format;
  }

  /** What an earlier placing left behind, if it was cut off. */
  async leftBehind(): Promise<Journal | null> {
    const text = await readIfThere(path.join(this.#hold, journalFile));
    // Without a journal nothing was moved yet.
    if (text === null || text === "") await rm(this.#hold, { recursive: true, force: true });
    return text === null || text === "" ? null : (JSON.parse(text) as Journal);
  }

  async place(journal: Journal, blobs: BlobSource): Promise<void> {
    await mkdir(this.#hold, { mode: 0o700 });
    for (const [at, { path: file, before, after }] of journal.changes.entries()) {
      if (after !== null) await this.#prepare(at, file, before, after, blobs);
    }
    await writeSynced(path.join(this.#hold, journalFile), JSON.stringify(journal), 0o600);
    await sync(this.#hold);
    // Taken away first: a file has to be gone before a folder of its name can be made.
    const order = [...journal.changes.entries()];
    for (const [at, change] of order) if (change.before !== null) await this.#takeAway(at, change.path, change.before);
    for (const [at, change] of order) if (change.after !== null) await this.#putIn(at, change.path);
  }

  /**
   * Puts back what was there. Answers a folder where something could not be put back because its place is taken. Where
   * somebody has gone on from what we put in, only what is missing comes back.
   */
  async undo(journal: Journal, { onlyMissing = false } = {}): Promise<string | null> {
    if ((await this.leftBehind()) === null) return null;
    for (const [at, { path: file, after }] of [...journal.changes.entries()].toReversed()) {
      if (after !== null && !onlyMissing) await this.#takeOut(at, file, after);
    }
    const stuck: string[] = [];
    for (const [at, { path: file, before }] of [...journal.changes.entries()].toReversed()) {
      if (before !== null && !(await this.#putBack(at, file))) stuck.push(file);
    }
    await this.#tidyFolders(journal.changes.flatMap(({ path: file, before }) => (before === null ? [file] : [])));
    if (stuck.length === 0 || onlyMissing) {
      await this.finish();
      return null;
    }
    const kept = `${this.#hold}-kept-${Date.now()}`;
    await rename(this.#hold, kept);
    return kept;
  }

  /** The new files are there to stay: folders that lost their last one go, and so does what was held. */
  async finish(journal?: Journal): Promise<void> {
    // The journal goes first: without it nothing is ever undone.
    await rm(path.join(this.#hold, journalFile), { force: true });
    await rm(this.#hold, { recursive: true, force: true });
    if (journal !== undefined)
      await this.#tidyFolders(journal.changes.flatMap(({ path: file, after }) => (after === null ? [file] : [])));
  }

  async #prepare(at: number, file: string, before: Entry, after: string, blobs: BlobSource): Promise<void> {
    const aside = this.#fresh(at);
    if (modeOf(after) === "120000") return await symlink(Buffer.from(await blobs.readBlob(blobOf(after))), aside);
    const isProgram = modeOf(after) === "100755";
    await blobs.copyBlob(blobOf(after), aside, isProgram ? 0o777 : 0o666);
    await sync(aside);
    // A file that only its owner may read stays so.
    const old = before === null ? null : await this.#statOf(file);
    if (old?.isFile() === true) await chmod(aside, isProgram ? old.mode | ((old.mode & 0o444) >> 2) : old.mode & 0o666);
  }

  async #takeAway(at: number, file: string, before: string): Promise<void> {
    try {
      await this.#within(file, false, async (place) => await rename(place, this.#old(at)));
    } catch (error) {
      throw isErrno(error, "ENOENT", "ENOTDIR", "ELOOP") ? new InTheWay(file, error) : error;
    }
    if ((await entryOfFile(this.#old(at), this.#format)) !== before) throw new InTheWay(file);
  }

  async #putIn(at: number, file: string): Promise<void> {
    try {
      await this.#within(file, true, async (place) => {
        // Where a folder gives way to a file it is empty by now, or has something in it that is not ours.
        await rmdir(place).catch(() => undefined);
        await link(this.#fresh(at), place);
        await unlink(this.#fresh(at));
      });
    } catch (error) {
      throw isErrno(error, "EEXIST", "ENOTDIR", "ELOOP") ? new InTheWay(file, error) : error;
    }
  }

  async #takeOut(at: number, file: string, after: string): Promise<void> {
    const [there, fresh] = [await this.#statOf(file), await statIfThere(this.#fresh(at))];
    // It was put in if its prepared name is gone, or is another name of the same file.
    if (there === null || there.isDirectory() || (fresh !== null && fresh.ino !== there.ino)) return;
    const out = path.join(this.#hold, `out-${at}`);
    await this.#within(file, false, async (place) => {
      await rename(place, out);
      if ((await entryOfFile(out, this.#format)) !== after) await link(out, place);
    });
  }

  async #putBack(at: number, file: string): Promise<boolean> {
    if ((await statIfThere(this.#old(at))) === null) return true;
    try {
      await this.#within(file, true, async (place) => {
        const isFolder = (await lstat(this.#old(at))).isDirectory();
        // A folder cannot be linked. Renaming one replaces at most an empty folder.
        if (isFolder) await rename(this.#old(at), place);
        else await link(this.#old(at), place);
      });
      return true;
    } catch (error) {
      if (isErrno(error, "EEXIST", "ENOTEMPTY", "ENOTDIR", "ELOOP", "EISDIR")) return false;
      throw error;
    }
  }

  /** Removes folders that are empty now, from these files upwards. */
  async #tidyFolders(files: readonly string[]): Promise<void> {
    const folders = new Set(files.flatMap((file) => ancestorsOf(file)));
    for (const folder of [...folders].toSorted((a, b) => b.length - a.length)) {
      await this.#within(folder, false, async (place) => await rmdir(place)).catch(() => undefined);
    }
  }

  async #statOf(file: string): Promise<Stats | null> {
    try {
      return await this.#within(file, false, async (place) => await lstat(place));
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) return null;
      throw error;
    }
  }

  /** Walks to a file's folder one step at a time and never through a link, then acts in exactly that folder. */
  async #within<T>(file: string, make: boolean, act: (place: string) => Promise<T>): Promise<T> {
    const steps = file.split("/");
    const name = steps.pop() ?? "";
    let folder: FileHandle = await open(this.#root, O_RDONLY | O_DIRECTORY);
    try {
      for (const step of steps) {
        const next = `/proc/self/fd/${folder.fd}/${step}`;
        if (make) {
          await mkdir(next).catch((error: unknown) => {
            if (!isErrno(error, "EEXIST")) throw error;
          });
        }
        const handle = await open(next, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        await folder.close();
        folder = handle;
      }
      return await act(`/proc/self/fd/${folder.fd}/${name}`);
    } finally {
      await folder.close();
    }
  }

  #fresh(at: number): string {
    return path.join(this.#hold, `new-${at}`);
  }

  #old(at: number): string {
    return path.join(this.#hold, `old-${at}`);
  }
}

/** What git would call the file that lies there; null for what git has no name for. */
export async function entryOfFile(file: string, format: ObjectFormat): Promise<Entry> {
  const stats = await lstat(file);
  if (stats.isSymbolicLink()) return entryOf("120000", nameOf(format, "blob", await readlink(file, "buffer")));
  if (!stats.isFile()) return null;
  return entryOf(stats.mode & 0o100 ? "100755" : "100644", await nameOfFile(format, file));
}

function ancestorsOf(file: string): string[] {
  const steps = file.split("/");
  return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join("/"));
}

async function statIfThere(file: string): Promise<Stats | null> {
  try {
    return await lstat(file);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
}
