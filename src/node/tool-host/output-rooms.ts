// How much of what commands have said is kept for one run and all that stem from it, or for the hooks of one agent: however many there are, the disk
// that the log is on has a bounded part of it.

import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

type OutputBounds = {
  /** What outputs may take together as they are. */
  readonly wholeBytes: number;
  /** Beyond that, as much of the end of each … */
  readonly endBytes: number;
  /** … until they take this together. */
  readonly endsBytes: number;
  /** Then as much of each as this … */
  readonly lastBytes: number;
  /** … until they take this together. After that there is what the log has of its end. */
  readonly lastsBytes: number;
};

/** Who shares a room. */
export type OutputKin = {
  /** Whom somebody stems from. */
  readonly treeOf: (id: string) => string | undefined;
  readonly membersOf: (tree: string) => readonly string[];
};

const usualBounds: OutputBounds = {
  wholeBytes: 2 * 1024 ** 3,
  endBytes: 2 * 1024 ** 2,
  endsBytes: 3 * 1024 ** 3,
  lastBytes: 64 * 1024,
  lastsBytes: 4 * 1024 ** 3,
};
/** However little is in a file, the disk has a block for it. */
const fileBytesMin = 4096;
/** Hardly anybody has more of them at a time. Whoever was let go is counted anew. */
const roomsMax = 1000;

export class OutputRooms {
  readonly #bounds: OutputBounds;
  readonly #rooms = new Map<string, OutputRoom>();
  /** By the folder that all of theirs lie in. */
  readonly #kin = new Map<string, OutputKin>();

  constructor(bounds: OutputBounds = usualBounds) {
    this.#bounds = bounds;
  }

  /** Those who have folders in this one share rooms from now on. */
  share(folder: string, kin: OutputKin): void {
    this.#kin.set(folder, kin);
  }

  /** The room of whoever has this folder. */
  of(folder: string): OutputRoom {
    const key = this.#keyOf(folder);
    const room = this.#rooms.get(key) ?? new OutputRoom(() => this.#foldersOf(key), this.#bounds);
    this.#rooms.delete(key);
    this.#rooms.set(key, room);
    const [oldest = key] = this.#rooms.keys();
    if (this.#rooms.size > roomsMax) this.#rooms.delete(oldest);
    return room;
  }

  forget(folder: string): void {
    this.#rooms.delete(this.#keyOf(folder));
  }

  #keyOf(folder: string): string {
    const [all, id] = [dirname(folder), basename(folder)];
    return join(all, this.#kin.get(all)?.treeOf(id) ?? id);
  }

  #foldersOf(key: string): string[] {
    const [all, tree] = [dirname(key), basename(key)];
    const members = this.#kin.get(all)?.membersOf(tree) ?? [];
    return [...new Set([tree, ...members])].map((id) => join(all, id));
  }
}

/** How much of an output may be kept: all of it, where that is no more than `wholeBytes`, else as much of its end; 0 is nothing. */
export type OutputLeave = { readonly wholeBytes: number; readonly endBytes: number };

export class OutputRoom {
  readonly #folders: () => readonly string[];
  readonly #bounds: OutputBounds;
  /** What there is. Looked up when the first one comes; from then on whatever comes is counted. */
  #takenBytes: Promise<number> | undefined;

  constructor(folders: () => readonly string[], bounds: OutputBounds) {
    this.#folders = folders;
    this.#bounds = bounds;
  }

  /** How much may be kept in a file; what is there of it already may always be written again, after a crash above all. */
  async leaveFor(file: string): Promise<OutputLeave> {
    const { wholeBytes, endBytes, endsBytes, lastBytes, lastsBytes } = this.#bounds;
    this.#takenBytes ??= this.#count();
    const own = await takenBy(file);
    const others = (await this.#takenBytes) - own;
    const last = own > 0 || others + lastBytes <= lastsBytes ? lastBytes : 0;
    return {
      wholeBytes: Math.max(last, wholeBytes - others, own),
      endBytes: others + endBytes <= endsBytes ? endBytes : last,
    };
  }

  /** Does something that changes a file, and counts what it takes after that. */
  async change(file: string, act: () => Promise<void>): Promise<void> {
    const before = await takenBy(file);
    await act();
    const more = (await takenBy(file)) - before;
    this.#takenBytes = this.#takenBytes?.then((bytes) => bytes + more);
  }

  async #count(): Promise<number> {
    let bytes = 0;
    for (const folder of this.#folders()) bytes += await this.#countIn(folder);
    return bytes;
  }

  async #countIn(all: string): Promise<number> {
    let bytes = 0;
    for (const name of await namesIn(all)) {
      const folder = join(all, name);
      // A service's are bounded by how many of its lives are kept; what a run publishes has a room of its own.
      if (/^(\d|validate-)/.test(name)) bytes += await takenBy(join(folder, "output"));
      else if (name === "artifacts")
        for (const each of await namesIn(folder))
          if (/^command-\d+$/.test(each)) bytes += await takenBy(join(folder, each));
    }
    return bytes;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((): string[] => []);
}

async function takenBy(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? 0 : Math.max(found.size, fileBytesMin);
}
