// The disk that agents live on: how much is free, what folders take, and whether there is room for one more workspace.

import { execFile } from "node:child_process";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";

export type Space = { readonly freeBytes: number; readonly totalBytes: number };

export type GroundDiskOptions = {
  readonly folder: string;
  /** With less than this no workspace is made: whatever runs already needs what is left. */
  readonly freeBytesMin?: number;
  readonly space?: (folder: string) => Promise<Space>;
};

/** Enough for the log and for what is under way to come to an end. */
const usualFreeBytesMin = 512 * 1024 * 1024;
const foldersAtOnce = 200;

export class GroundDisk {
  readonly folder: string;
  readonly freeBytesMin: number;
  readonly #space: (folder: string) => Promise<Space>;
  /** Lets go of what can be made again, the least missed first; asked in turn until there is room. */
  readonly #makers: (() => Promise<void>)[] = [];

  constructor({ folder, freeBytesMin = usualFreeBytesMin, space = spaceOf }: GroundDiskOptions) {
    this.folder = folder;
    this.freeBytesMin = freeBytesMin;
    this.#space = space;
  }

  space(): Promise<Space> {
    return this.#space(this.folder);
  }

  whenLow(makeRoom: () => Promise<void>): void {
    this.#makers.push(makeRoom);
  }

  /** Throws a Fault `disk-low` when there is no room, whatever is let go of. */
  async mustHaveRoom(): Promise<void> {
    if (await this.#hasRoom()) return;
    for (const makeRoom of this.#makers) {
      await makeRoom();
      if (await this.#hasRoom()) return;
    }
    const { freeBytes } = await this.space();
    const message = `${inMiB(freeBytes)} are free in ${this.folder}, and a new workspace needs ${inMiB(this.freeBytesMin)}`;
    throw new Fault("disk-low", { retry: "never", message });
  }

  /** What folders take, with everything in them. What cannot be looked into counts as nothing. */
  async measure(folders: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (let at = 0; at < folders.length; at += foldersAtOnce) {
      const text = await diskUse(folders.slice(at, at + foldersAtOnce));
      for (const line of text.split("\0")) {
        const tab = line.indexOf("\t");
        if (tab > 0) found.set(line.slice(tab + 1), Number(line.slice(0, tab)));
      }
    }
    return found;
  }

  async #hasRoom(): Promise<boolean> {
    return (await this.space()).freeBytes >= this.freeBytesMin;
  }
}

/** What the places of agents take, by agent. */
export async function placesOnDisk(
  disk: Pick<GroundDisk, "measure">,
  agents: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, number>> {
  const paths = new Map(agents.map((agent) => [join(folder, agent), agent]));
  const sizes = await disk.measure([...paths.keys()]);
  return new Map([...sizes].map(([path, bytes]) => [paths.get(path) ?? "", bytes]));
}

async function spaceOf(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Its exit says that something could not be looked into, or went meanwhile; what it counted stands. */
function diskUse(folders: readonly string[]): Promise<string> {
  const args = ["--summarize", "--block-size=1", "--one-file-system", "--null", "--", ...folders];
  return new Promise((resolve) => {
    execFile("du", args, { env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } }, (_error, stdout) => resolve(stdout));
  });
}

function inMiB(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024)} MiB`;
}
