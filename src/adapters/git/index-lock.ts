// Git's own lock of an index: whoever makes `index.lock` may write the index, and renames the lock into its place.

import { link, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { sync } from "../../os/durable-file.ts";
import { isErrno } from "../../os/errno.ts";

export class IndexLock {
  readonly inode: number;
  readonly #file: string;
  #held = true;

  private constructor(file: string, inode: number) {
    this.#file = file;
    this.inode = inode;
  }

  /** Answers null while somebody else has it. `mark` says whose the lock is, for whoever finds it after a crash. */
  static async take(gitDir: string, mark: string): Promise<IndexLock | null> {
    const [file, aside] = [path.join(gitDir, "index.lock"), path.join(gitDir, "signalbox-index.lock")];
    try {
      await rm(aside, { force: true });
      await writeFile(aside, toMark(mark));
      // It has to be recognised from its first moment on, so it is written before it gets its name.
      await link(aside, file);
      return new IndexLock(file, (await stat(file)).ino);
    } catch (error) {
      if (isErrno(error, "EEXIST")) return null;
      throw new Fault("git-failed", { retry: "later", message: `${file} cannot be made`, cause: error });
    } finally {
      await rm(aside, { force: true });
    }
  }

  /** Removes a lock that we left behind: by its mark, or by its inode once it was filled. */
  static async dropStale(gitDir: string, mark: string, inode: number | null): Promise<void> {
    const file = path.join(gitDir, "index.lock");
    await rm(path.join(gitDir, "signalbox-index.lock"), { force: true });
    const there = await stat(file).catch(() => null);
    if (there === null) return;
    // A person's own git may take its lock away in between: then it was not ours.
    const text = await readFile(file, "utf8").catch(() => "");
    if (there.ino === inode || text === toMark(mark)) await rm(file, { force: true });
  }

  async fill(from: string): Promise<void> {
    const handle = await open(this.#file, "r+");
    try {
      const bytes = await readFile(from);
      await handle.truncate(0);
      await handle.write(bytes, 0, bytes.byteLength, 0);
      await handle.sync();
      const { mtimeMs } = await stat(from);
      await handle.utimes(mtimeMs / 1000, Math.floor(mtimeMs) / 1000);
    } finally {
      await handle.close();
    }
  }

  async install(from?: string): Promise<void> {
    if (from !== undefined) await this.fill(from);
    await rename(this.#file, this.#file.slice(0, -".lock".length));
    this.#held = false;
    await sync(path.dirname(this.#file));
  }

  async release(): Promise<void> {
    if (this.#held) await rm(this.#file, { force: true });
  }
}

function toMark(mark: string): string {
  return `signalbox publishes from ${mark}\n`;
}
