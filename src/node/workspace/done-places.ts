// Places of runs that are done, left as they are for whoever continues them: the workspace with everything that was built there,
// the home and the temporary files. A file in each says so. It is there before its run is proven stopped, and gone before
// anything else of the place is: what a crash leaves half removed is never taken for one. Everything in them was written by
// agents; they are measured and removed, and never looked into.

import { chmod, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { swapDurably, sync } from "../../os/durable-file.ts";
import { removeTree } from "../../os/remove-tree.ts";
import type { GroundDisk } from "../disk/ground-disk.ts";
import { basesName, isThere, readWarm } from "./agent-folder.ts";

const doneName = "done.json";

/** Whose it is, and how much it takes; null is not known yet. */
type Facts = { readonly project: string; readonly bytes: number | null };
export type DonePlace = Facts & { readonly agent: string; readonly atMs: number };

export type DoneBounds = {
  /** How many there are, the newest first. */
  readonly placesMax: number;
  /** What each may take. */
  readonly bytesMax: number;
  /** What all may take, of the disk that they are on: one part in so many. */
  readonly diskParts: number;
};

export const usualBounds: DoneBounds = { placesMax: 20, bytesMax: 4 * 1024 ** 3, diskParts: 10 };

export class DonePlaces {
  readonly #folder: string;
  readonly #disk: Pick<GroundDisk, "measure" | "space">;
  readonly #bounds: DoneBounds;
  #line: Promise<unknown> = Promise.resolve();

  /** `folder` is where agents have their places. */
  constructor(folder: string, disk: Pick<GroundDisk, "measure" | "space">, bounds: DoneBounds) {
    this.#folder = folder;
    this.#disk = disk;
    this.#bounds = bounds;
  }

  /** Nothing lives there any more. What was never made is not there to be found again. */
  mark(agent: string, project: string): Promise<void> {
    return this.#inLine(async () => {
      if (await isThere(join(this.#folder, agent, basesName))) await this.#write(agent, { project, bytes: null });
    });
  }

  /** It is in use again, or about to go. */
  unmark(agent: string): Promise<void> {
    return this.#inLine(async () => {
      if (!(await this.has(agent))) return;
      await rm(this.#pathOf(agent), { force: true });
      await sync(join(this.#folder, agent));
    });
  }

  has(agent: string): Promise<boolean> {
    return isThere(this.#pathOf(agent));
  }

  /** Those of these agents that have one, the newest first. */
  async among(agents: readonly string[]): Promise<DonePlace[]> {
    const found = await Promise.all(agents.map((agent) => this.#read(agent)));
    return found.filter((place) => place !== undefined).toSorted((a, b) => b.atMs - a.atMs);
  }

  /** Sees how much those take that nobody has looked at, and answers what is more than there should be. */
  async surplusOf(places: readonly DonePlace[]): Promise<string[]> {
    const { placesMax, bytesMax, diskParts } = this.#bounds;
    const allMax = (await this.#disk.space()).totalBytes / diskParts;
    const surplus: string[] = [];
    let [count, all] = [0, 0];
    for (const { agent, project, bytes: known } of places) {
      const bytes = known ?? (await this.#measure(agent));
      if (known === null) await this.#noteSize(agent, { project, bytes });
      const fits = count < placesMax && bytes <= bytesMax && all + bytes <= allMax;
      if (!fits) surplus.push(agent);
      else [count, all] = [count + 1, all + bytes];
    }
    return surplus;
  }

  /** With the dependencies that were taken out of it for others: they stay as long as it stands on them. */
  async #measure(agent: string): Promise<number> {
    const path = join(this.#folder, agent);
    const sizes = await this.#disk.measure([path, ...(await readWarm(path))]);
    return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  async #read(agent: string): Promise<DonePlace | undefined> {
    const path = this.#pathOf(agent);
    const [text, found] = await Promise.all([readFile(path, "utf8"), stat(path)]).catch(() => []);
    if (text === undefined || found === undefined) return undefined;
    return { ...(JSON.parse(text) as Facts), agent, atMs: found.mtimeMs };
  }

  /** Unless somebody works there by now, or it went. */
  #noteSize(agent: string, facts: Facts): Promise<void> {
    return this.#inLine(async () => {
      if (await this.has(agent)) await this.#write(agent, facts);
    });
  }

  #write(agent: string, facts: Facts): Promise<void> {
    return swapDurably(this.#pathOf(agent), JSON.stringify(facts));
  }

  #inLine(act: () => Promise<void>): Promise<void> {
    const turn = this.#line.then(act);
    this.#line = turn.catch(() => undefined);
    return turn;
  }

  #pathOf(agent: string): string {
    return join(this.#folder, agent, doneName);
  }
}

/** Takes away the folder of an agent that has ended. As long as anything of it is there, it says whose it is. */
export async function removePlace(folder: string): Promise<void> {
  // The kernel leaves a folder there that nobody may look into.
  await chmod(join(folder, "work", "work"), 0o700).catch(() => undefined);
  for (const name of await readdir(folder).catch((): string[] => []))
    if (name !== doneName) await removeTree(join(folder, name));
  await removeTree(folder);
}
