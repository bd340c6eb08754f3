// The disk that agents live on: how much is free, what folders take, and whether there is room for one more workspace.

import { execFile } from "node:child_process";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { MadeRoom, Spare } from "../../core/disk/room-made.ts";

export type Space = {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** How many files there may be, and how many more; left out where the file system does not tell. */
  readonly files?: { readonly free: number; readonly total: number };
};
/** How much there shall be of both. */
type Least = { readonly bytes: number; readonly files: number };

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
/** A workspace that is copied has a file for each of the project's and of its dependencies; of a disk for fewer, this part of them. */
const [usualFreeFilesMin, filesShare] = [20_000, 0.05];
/** Not more than this part of a small disk. */
const tidyShare = 0.1;
const tidyTimes = 4;
/** Where letting go of everything was not enough, it is tried again after so long, or when so much less is free. */
const [restMs, restBytes, restFiles] = [10 * 60_000, 64 * 1024 * 1024, 2000];
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
  #fruitless: { readonly atMs: number; readonly space: Space; readonly wanted: Least } | undefined;
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
    if (await this.#makeRoom((space) => leastOf(space, this.freeBytesMin))) return;
    const { lack, least } = lackOf(await this.space(), this.freeBytesMin) ?? ended;
    const message = `${lack} in ${this.folder}, and a new workspace needs ${least}`;
    throw new Fault("disk-low", { retry: "later", message });
  }

  /** Lets go of what can be made again where less is free than there should be (MT6). */
  async keepRoom(): Promise<Space> {
    await this.#makeRoom((space) => {
      const { bytes, files } = leastOf(space, this.freeBytesMin);
      const usual = Math.max(bytes, Math.min(tidyTimes * bytes, space.totalBytes * tidyShare));
      const filesMax = Math.max(files, (space.files?.total ?? 0) * tidyShare);
      return { bytes: this.#tidyBytesMin ?? usual, files: Math.min(tidyTimes * files, filesMax) };
    });
    return this.space();
  }

  /** One after another: two who look at the same time let go of the same things once. */
  #makeRoom(leastFor: (space: Space) => Least): Promise<boolean> {
    const made = this.#line.then(() => this.#letGo(leastFor));
    this.#line = made.catch(() => undefined);
    return made;
  }

  async #letGo(leastFor: (space: Space) => Least): Promise<boolean> {
    const space = await this.space();
    const least = leastFor(space);
    if (hasRoom(space, least)) return true;
    const last = this.#fruitless;
    const isNew = last === undefined || this.#nowMs() - last.atMs >= restMs || hasLess(space, last.space);
    if (!isNew && least.bytes >= last.wanted.bytes && least.files >= last.wanted.files) return false;
    const after = await this.#ask(least, space);
    if (hasRoom(after, least)) return true;
    this.#fruitless = { atMs: this.#nowMs(), space: after, wanted: least };
    return false;
  }

  /** Asks one after another until there is room, and answers how much there is. */
  async #ask(least: Least, before: Space): Promise<Space> {
    const spares: { what: Spare; count: number }[] = [];
    const runs: string[] = [];
    let space = before;
    try {
      for (const { what, letGo } of this.#makers) {
        const gone = await letGo();
        space = await this.space();
        if (gone.count > 0) spares.push({ what, count: gone.count });
        runs.push(...(gone.runs ?? []));
        if (hasRoom(space, least)) break;
      }
      return space;
    } finally {
      // Also where one of them failed: what went before is gone.
      const { freeBytes } = space;
      const freedBytes = Math.max(0, freeBytes - before.freeBytes);
      if (spares.length > 0) this.#hear({ freeBytes, freedBytes, spares, runs });
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

/** There was too little a moment ago. */
const ended = { lack: "there was too little room", least: "more" };

/** What there is too little of for a new workspace, and how much it needs; undefined where there is room (MT8). */
export function lackOf(
  space: Space,
  freeBytesMin: number,
): { readonly lack: string; readonly least: string } | undefined {
  const { bytes, files } = leastOf(space, freeBytesMin);
  if (space.freeBytes < bytes) return { lack: `${inMiB(space.freeBytes)} are free`, least: inMiB(bytes) };
  if (hasRoom(space, { bytes, files })) return undefined;
  return { lack: `there is room for ${space.files?.free ?? 0} more files`, least: `${files} of them` };
}

function leastOf({ files }: Space, bytes: number): Least {
  return { bytes, files: Math.min(usualFreeFilesMin, Math.floor((files?.total ?? 0) * filesShare)) };
}

function hasRoom({ freeBytes, files }: Space, least: Least): boolean {
  return freeBytes >= least.bytes && (files?.free ?? Infinity) >= least.files;
}

/** Whether so much less is free than before that it is worth another try. */
function hasLess(space: Space, before: Space): boolean {
  const freeFiles = ({ files }: Space): number => files?.free ?? 0;
  return space.freeBytes < before.freeBytes - restBytes || freeFiles(space) < freeFiles(before) - restFiles;
}

/** A file system that makes files as it goes has none to count, and says 0. */
export async function spaceOf(folder: string): Promise<Space> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(folder);
  const space = { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  return files === 0 ? space : { ...space, files: { free: ffree, total: files } };
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
