// What an assistant's program needs to find its conversation again outlives the workspace of a run that is done: whoever
// continues the run has it in a fresh workspace. Everything here was written by agents; it is moved, and never looked into.

import { lstat, mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { isErrno } from "../../os/errno.ts";
import { removeTree } from "../../os/remove-tree.ts";

/** The folders in a home that are programs' own. */
const isOfProgram = /^\.[\w.-]+-of-signalbox$/;
/** What one of them may have, and of how many runs they are kept: the newest. */
const bytesMax = 32 * 1024 * 1024;
const filesMax = 10_000;
const runsMax = 100;

export class KeptHomes {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Takes what is a program's own out of the home of an agent that has ended. What is too large goes with the home. */
  async keep(agent: string, home: string): Promise<void> {
    for (const name of (await namesIn(home)).filter((each) => isOfProgram.test(each))) {
      if (!(await isSmall(join(home, name)))) continue;
      const kept = join(this.#folder, agent);
      await mkdir(kept, { recursive: true, mode: 0o700 });
      await removeTree(join(kept, name));
      await rename(join(home, name), join(kept, name)).catch((error: unknown) => {
        // Whoever has closed it to themselves does without it.
        if (!isErrno(error, "EACCES", "EPERM")) throw error;
      });
    }
    await this.#thin(runsMax);
  }

  /** Puts it into the home of the same agent, which is not there for anybody yet. */
  async giveBack(agent: string, home: string): Promise<void> {
    const kept = join(this.#folder, agent);
    for (const name of await namesIn(kept)) {
      if ((await lstat(join(home, name)).catch(() => undefined)) === undefined)
        await rename(join(kept, name), join(home, name));
    }
    await this.forget(agent);
  }

  async forget(agent: string): Promise<void> {
    await removeTree(join(this.#folder, agent));
  }

  /** Every agent that something is kept of. */
  list(): Promise<string[]> {
    return namesIn(this.#folder);
  }

  /** Lets go of everything, and answers how much that is. */
  prune(): Promise<number> {
    return this.#thin(0);
  }

  async #thin(max: number): Promise<number> {
    const agents = await Promise.all(
      (await this.list()).map(async (agent) => ({
        agent,
        madeMs: (await lstat(join(this.#folder, agent)).catch(() => undefined))?.ctimeMs ?? 0,
      })),
    );
    const gone = agents.toSorted((a, b) => b.madeMs - a.madeMs).slice(max);
    for (const { agent } of gone) await this.forget(agent);
    return gone.length;
  }
}

/** Whether a folder is one, and has little enough in it. Links are not followed. */
async function isSmall(folder: string): Promise<boolean> {
  if (!(await lstat(folder)).isDirectory()) return false;
  const folders = [folder];
  let bytes = 0;
  let files = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const name of await namesIn(next)) {
      // Closed, or so deep that no path leads there.
      const found = await lstat(join(next, name)).catch(() => undefined);
      if (found === undefined) return false;
      if (found.isDirectory()) folders.push(join(next, name));
      bytes += found.size;
      if (bytes > bytesMax || ++files > filesMax) return false;
    }
  }
  return true;
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((): string[] => []);
}
