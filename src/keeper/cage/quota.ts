// What the agent takes on the disk, and what it may. Nothing in the kernel counts a folder for an ordinary user, so it is
// looked at: before something is written, and again and again while commands are at work.

import { Fault } from "../../base/fault.ts";
import { runProgram } from "../os/run-program.ts";
import { say } from "../os/say.ts";

type Watcher = { readonly atFirst: number; readonly onPassed: () => void };

const lookMsMin = 300;
/** Looking may take a twentieth of the time, however much there is to look at. */
const restTimes = 20;

export class Quota {
  readonly #bytesMax: number | null;
  readonly #folders: readonly string[];
  readonly #watchers = new Set<Watcher>();
  #timer: NodeJS.Timeout | undefined;

  constructor(bytesMax: number | null, folders: readonly string[]) {
    this.#bytesMax = bytesMax;
    this.#folders = folders;
  }

  /** Throws `disk-quota` where what is there and what is to come would be more than is allowed. */
  async check(comingBytes: number): Promise<void> {
    if (this.#bytesMax === null) return;
    const bytes = await this.#measure();
    if (bytes + comingBytes <= this.#bytesMax) return;
    const message = `the workspace takes ${bytes} bytes of the disk, ${comingBytes} more would come, and it may have ${this.#bytesMax}; remove scratch that is not needed`;
    throw new Fault("disk-quota", { retry: "never", message });
  }

  /**
   * Calls back once when more is taken than is allowed. Who begins beyond that may go on for as long as it does not grow:
   * how else would anybody tidy up? Answers how to stop looking.
   */
  async watch(onPassed: () => void): Promise<() => void> {
    if (this.#bytesMax === null) return () => undefined;
    const watcher = { atFirst: await this.#measure(), onPassed };
    this.#watchers.add(watcher);
    this.#lookIn(lookMsMin);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #lookIn(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#look().catch(say), ms);
  }

  async #look(): Promise<void> {
    const startMs = performance.now();
    const bytes = await this.#measure();
    this.#timer = undefined;
    for (const watcher of this.#watchers) {
      if (bytes <= Math.max(this.#bytesMax ?? 0, watcher.atFirst)) continue;
      this.#watchers.delete(watcher);
      watcher.onPassed();
    }
    if (this.#watchers.size > 0) this.#lookIn(Math.max(lookMsMin, (performance.now() - startMs) * restTimes));
  }

  /** Its status says that something went while it was looked at; what it counted stands. */
  async #measure(): Promise<number> {
    const args = ["--summarize", "--total", "--block-size=1", "--one-file-system", "--", ...this.#folders];
    const { output } = await runProgram("du", args);
    return Number(/^(\d+)\ttotal$/m.exec(output)?.[1] ?? 0);
  }
}
