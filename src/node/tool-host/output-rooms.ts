// How much of what commands have said is kept for one run, or for the hooks of one agent: however many there are, the disk that the log is on
// has a bounded part of it.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

type OutputBounds = {
  /** What outputs may take together as they are. */
  readonly wholeBytes: number;
  /** Beyond that, as much of the end of each … */
  readonly endBytes: number;
  /** … until they take this together. */
  readonly endsBytes: number;
  /** Then as much of each as this, which is always kept. */
  readonly lastBytes: number;
};

const usualBounds: OutputBounds = {
  wholeBytes: 2 * 1024 ** 3,
  endBytes: 2 * 1024 ** 2,
  endsBytes: 3 * 1024 ** 3,
  lastBytes: 64 * 1024,
};
/** However little is in a file, the disk has a block for it. */
const fileBytesMin = 4096;
/** Hardly anybody has more of them at a time. Whoever was let go is counted anew. */
const roomsMax = 1000;

export class OutputRooms {
  readonly #bounds: OutputBounds;
  readonly #rooms = new Map<string, OutputRoom>();

  constructor(bounds: OutputBounds = usualBounds) {
    this.#bounds = bounds;
  }

  /** The room of whoever has this folder. */
  of(folder: string): OutputRoom {
    const room = this.#rooms.get(folder) ?? new OutputRoom(folder, this.#bounds);
    this.#rooms.delete(folder);
    this.#rooms.set(folder, room);
    const [oldest = folder] = this.#rooms.keys();
    if (this.#rooms.size > roomsMax) this.#rooms.delete(oldest);
    return room;
  }

  forget(folder: string): void {
    this.#rooms.delete(folder);
  }
}

/** How much of an output may be kept: all of it, where that is no more than `wholeBytes`, else as much of its end. */
export type OutputLeave = { readonly wholeBytes: number; readonly endBytes: number };

export class OutputRoom {
  readonly #folder: string;
  readonly #bounds: OutputBounds;
  /** What there is. Looked up when the first long one comes; from then on whatever comes is counted. */
  #takenBytes: Promise<number> | undefined;

  constructor(folder: string, bounds: OutputBounds) {
    this.#folder = folder;
    this.#bounds = bounds;
  }

  /** What may always be kept. */
  get lastBytes(): number {
    return this.#bounds.lastBytes;
  }

  /** How much may be kept in a file; what is there of it already may always be written again, after a crash above all. */
  async leaveFor(file: string): Promise<OutputLeave> {
    const { lastBytes, wholeBytes, endBytes, endsBytes } = this.#bounds;
    this.#takenBytes ??= this.#count();
    const own = await takenBy(file);
    const others = (await this.#takenBytes) - own;
    return {
      wholeBytes: Math.max(lastBytes, wholeBytes - others, own),
      endBytes: others + endBytes <= endsBytes ? endBytes : lastBytes,
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
    for (const name of await namesIn(this.#folder)) {
      const folder = join(this.#folder, name);
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
