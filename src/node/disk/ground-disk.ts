// The disk that agents live on: how much is free, what folders take, and whether there is room for one more workspace.

import { execFile } from "node:child_process";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { MadeRoom, Spare } from "../../core/disk/room-made.ts";

export type Space = { readonly freeBytes: number; readonly totalBytes: number };

export type GroundDiskOptions = {
  readonly folder: string;
  /** With less than this no workspace is made: whatever runs already needs what is left. */
  readonly freeBytesMin?: number;
  /** With less than this, what can be made again is let go of before anybody needs the room. */
  readonly tidyBytesMin?: number;
  readonly space?: (folder: string) => Promise<Space>;
  /** Rises steadily. */
  readonly nowMs?: () => number;
};

/** Enough for the log and for what is under way to come to an end. */
const usualFreeBytesMin = 512 * 1024 * 1024;
/** Not more than this part of a small disk. */
const tidyShare = 0.1;
const tidyTimes = 4;
/** Where letting go of everything was not enough, it is tried again after so long, or when so much less is free. */
const [restMs, restBytes] = [10 * 60_000, 64 * 1024 * 1024];
const foldersAtOnce = 200;

/** Answers how many things went, and out of whose workspaces. */
type LetGo = () => Promise<{ readonly count: number; readonly runs?: readonly string[] }>;

export class GroundDisk {
  readonly folder: string;
  readonly freeBytesMin: number;
  readonly #space: (folder: string) => Promise<Space>;
  /** Lets go of what can be made again, the least missed first; asked in turn until there is room. */
  readonly #makers: { readonly what: Spare; readonly letGo: LetGo }[] = [];
  #hear: (made: MadeRoom) => void = () => undefined;
  readonly #tidyBytesMin: number | undefined;
  readonly #nowMs: () => number;
  #fruitless: { readonly atMs: number; readonly freeBytes: number; readonly wanted: number } | undefined;
  #line: Promise<unknown> = Promise.resolve();

  constructor(options: GroundDiskOptions) {
    const { folder, freeBytesMin = usualFreeBytesMin, tidyBytesMin, space = spaceOf } = options;
    this.folder = folder;
    this.freeBytesMin = freeBytesMin;
    this.#tidyBytesMin = tidyBytesMin;
    this.#space = space;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  space(): Promise<Space> {
    return this.#space(this.folder);
  }

  whenLow(what: Spare, letGo: LetGo): void {
    this.#makers.push({ what, letGo });
  }

  /** Is told what was let go of, each time. */
  whenMade(hear: (made: MadeRoom) => void): void {
    this.#hear = hear;
  }

  /** Throws a Fault `disk-low` when there is no room, whatever is let go of. There may be some later. */
  async mustHaveRoom(): Promise<void> {
    if (await this.#makeRoom(this.freeBytesMin)) return;
    const { freeBytes } = await this.space();
    const message = `${inMiB(freeBytes)} are free in ${this.folder}, and a new workspace needs ${inMiB(this.freeBytesMin)}`;
    throw new Fault("disk-low", { retry: "later", message });
  }

  /** Lets go of what can be made again where less is free than there should be (MT6). */
  async keepRoom(): Promise<Space> {
    const { totalBytes } = await this.space();
    const usual = Math.max(this.freeBytesMin, Math.min(tidyTimes * this.freeBytesMin, totalBytes * tidyShare));
    await this.#makeRoom(this.#tidyBytesMin ?? usual);
    return this.space();
  }

  /** One after another: two who look at the same time let go of the same things once. */
  #makeRoom(bytes: number): Promise<boolean> {
    const made = this.#line.then(() => this.#letGo(bytes));
    this.#line = made.catch(() => undefined);
    return made;
  }

  async #letGo(bytes: number): Promise<boolean> {
    const { freeBytes } = await this.space();
    if (freeBytes >= bytes) return true;
    const last = this.#fruitless;
    const isNew = last === undefined || this.#nowMs() - last.atMs >= restMs || freeBytes < last.freeBytes - restBytes;
    if (!isNew && bytes >= last.wanted) return false;
    const after = await this.#ask(bytes, freeBytes);
    if (after >= bytes) return true;
    this.#fruitless = { atMs: this.#nowMs(), freeBytes: after, wanted: bytes };
    return false;
  }

  /** Asks one after another until there is room, and answers how much there is. */
  async #ask(bytes: number, before: number): Promise<number> {
    const spares: { what: Spare; count: number }[] = [];
    const runs: string[] = [];
    let freeBytes = before;
    try {
      for (const { what, letGo } of this.#makers) {
        const gone = await letGo();
        freeBytes = (await this.space()).freeBytes;
        if (gone.count > 0) spares.push({ what, count: gone.count });
        runs.push(...(gone.runs ?? []));
        if (freeBytes >= bytes) break;
      }
      return freeBytes;
    } finally {
      // Also where one of them failed: what went before is gone.
      if (spares.length > 0) this.#hear({ freeBytes, freedBytes: Math.max(0, freeBytes - before), spares, runs });
    }
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
