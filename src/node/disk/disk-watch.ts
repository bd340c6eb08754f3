// Looks at the disk that agents live on, again and again, and has what can be made again let go of before it is full. People are told
// what is so.

import type { Clock } from "../../ports/clock.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import { type GroundDisk, lackOf, type Space } from "./ground-disk.ts";

export type DiskWatchOptions = {
  readonly clock: Pick<Clock, "setTimer" | "monotonicMs">;
  readonly disk: Pick<GroundDisk, "keepRoom" | "freeBytesMin">;
  /** Tells people, in the daemon's log. */
  readonly say: (sentence: string) => void;
  readonly onDefect: (error: unknown) => void;
};

const everyMs = 15_000;
const scratchToldMs = 24 * 3_600_000;

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #space: Space = { freeBytes: Infinity, totalBytes: Infinity };
  #scratch: { readonly runs: readonly string[]; readonly atMs: number } | undefined;
  #cancel: (() => void) | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /** What people should know now; null where all is well. */
  get word(): string | null {
    const words = [this.#low, this.#let].filter((each) => each !== null);
    return words.length === 0 ? null : words.join("; ");
  }

  /** Dependency folders have gone out of the workspaces of these runs. */
  noteScratch(gone: ReadonlyMap<string, readonly string[]>): void {
    if (gone.size === 0) return;
    const known = this.#let === null ? [] : (this.#scratch?.runs ?? []);
    this.#scratch = { runs: [...new Set([...known, ...gone.keys()])], atMs: this.#options.clock.monotonicMs() };
    for (const [run, folders] of gone) this.#options.say(`disk: ${folders.join(", ")} of ${run} went, to make room`);
  }

  /** Somebody who takes such a run up finds that its dependencies have to be installed again. */
  get #let(): string | null {
    if (this.#scratch === undefined) return null;
    const { runs, atMs } = this.#scratch;
    if (this.#options.clock.monotonicMs() - atMs > scratchToldMs) return null;
    return `the disk ran low, and dependency folders of ${runs.join(", ")} went: what they had installed has to be installed again`;
  }

  get #low(): string | null {
    const found = lackOf(this.#space, this.#options.disk.freeBytesMin);
    if (found === undefined) return null;
    const { lack, least } = found;
    return `${lack} on the disk that agents live on: what begins anew waits until there are ${least}, and what can be made again has been let go of`;
  }

  begin(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#options.clock.setTimer(everyMs, () => {
      this.#looking = this.look()
        .catch((error: unknown) => {
          // A machine that is in trouble is looked at again.
          if (!isOfTheWorld(error)) this.#options.onDefect(error);
        })
        .then(() => this.begin());
    });
  }

  async look(): Promise<void> {
    const before = this.#low;
    this.#space = await this.#options.disk.keepRoom();
    if (before === null && this.#low !== null) this.#options.say(`disk: ${this.#low}`);
    if (before !== null && this.#low === null) this.#options.say("disk: there is room again");
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#looking;
  }
}
