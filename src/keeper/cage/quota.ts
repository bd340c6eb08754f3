// What the agent takes on the disk, and what it may. Nothing in the kernel counts a folder for an ordinary user, so it is
// looked at: before something is written, and again and again while commands are at work.

import { statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { Fault } from "../../base/fault.ts";
import type { CageLimits } from "../../protocol/keeper/keeper-wire.ts";
import { ProcessLook } from "../os/processes.ts";
import { runProgram } from "../os/run-program.ts";
import { say } from "../os/say.ts";

/** Somebody who may write. */
export type Writer = {
  /** How many bytes it has sent to disks by now, as far as the kernel tells. */
  readonly wroteBytes: (look: ProcessLook) => number;
  /** Called once, when it is the one because of whom more is taken than is allowed; null for whoever goes on all the same. */
  readonly onPassed: (() => void) | null;
};

type Watcher = Writer & {
  mayBytes: number;
  /** What it had written at the last look, and at the one before. */
  wrote: readonly [number, number];
  /** When it was told that it is the one. */
  toldAtMs: number | null;
};
/** What may be taken, counted while less than this is free on the disk. */
type Bound = { readonly bytes: number; readonly spareBytes: number };
type Grown = { readonly watcher: Watcher; readonly by: number };

const lookMsMin = 300;
/** Looking may take a twentieth of the time, however much there is to look at. */
const restTimes = 20;
/** While what is free of the whole disk has changed by less than this, nobody counts again … */
const quietBytes = 256 * 1024;
/** … for so long: somebody else may give back as much as is taken here. */
const quietMs = 30_000;
/** What is kept of an output leaves this on the disk, beside the copy that the daemon makes of it. */
const outputSpareBytes = 1024 * 1024 * 1024;
/** Who was told is waited for, so long at most: what it writes until it is gone is nobody else's. */
const goneMs = 5000;

export class Quota {
  readonly #folders: Set<string>;
  readonly #watchers = new Set<Watcher>();
  /** What holds where nobody has said anything. */
  readonly #usual: Bound | null;
  #bound: Bound | null;
  #timer: NodeJS.Timeout | undefined;
  /** Whether somebody has gone who was told, since it was counted. */
  #isSettling = false;
  #seen: { readonly bytes: number; readonly freeBytes: number; readonly atMs: number } | undefined;

  constructor(bytesMax: number | null, folders: readonly string[], usual?: CageLimits["usualDisk"]) {
    this.#usual = usual === undefined ? null : { bytes: usual.bytes, spareBytes: usual.spareBytes ?? Infinity };
    this.#bound = this.#boundOf(bytesMax);
    this.#folders = new Set(folders);
  }

  #boundOf(bytesMax: number | null): Bound | null {
    return bytesMax === null ? this.#usual : { bytes: bytesMax, spareBytes: Infinity };
  }

  /** Other bytes may be taken from now on. Whoever writes already may go on for as long as it does not grow. */
  async set(bytesMax: number | null): Promise<void> {
    this.#bound = this.#boundOf(bytesMax);
    if (this.#bound === null || this.#watchers.size === 0) return;
    const bytes = await this.#measure();
    for (const watcher of this.#watchers) watcher.mayBytes = Math.max(watcher.mayBytes, bytes);
    this.#lookIn(lookMsMin);
  }

  /** What is in these counts, too. */
  count(folders: readonly string[]): void {
    const before = this.#folders.size;
    for (const folder of folders) this.#folders.add(folder);
    if (this.#folders.size > before) this.#seen = undefined;
  }

  /** Throws `disk-quota` where what is there and what is to come would be more than is allowed. */
  async check(comingBytes: number): Promise<void> {
    const bound = this.#bound;
    if (bound === null || (await this.#hasSpare(bound, comingBytes))) return;
    const bytes = await this.#measure();
    if (bytes + comingBytes <= bound.bytes) return;
    const message = `the workspace takes ${bytes} bytes of the disk, ${comingBytes} more would come, and it may have ${bound.bytes}; remove scratch that is not needed`;
    throw new Fault("disk-quota", { retry: "never", message });
  }

  /**
   * Whether one output may have so many bytes in a folder of ours, beside so many of others: the agent's share has them, and the disk
   * twice, with something to spare.
   */
  mayKeep(bytes: number, folder: string, othersBytes: number): boolean {
    const { bavail, bsize } = statfsSync(folder);
    const spareBytes = bavail * bsize - bytes;
    if (spareBytes < outputSpareBytes) return false;
    const bound = this.#bound;
    if (bound === null || (bound.spareBytes !== Infinity && spareBytes >= bound.spareBytes)) return true;
    // As it was counted last: somebody looks while a command is at work.
    return (this.#seen?.bytes ?? 0) + othersBytes + bytes <= bound.bytes;
  }

  /**
   * Tells a writer when more is taken than is allowed, if it has written the most of it. Who begins beyond that may go on for
   * as long as it does not grow: how else would anybody tidy up? Answers how to stop looking.
   */
  async watch(writer: Writer): Promise<() => void> {
    const mayBytes = this.#bound === null ? 0 : await this.#look();
    const watcher: Watcher = { ...writer, mayBytes, wrote: [0, 0], toldAtMs: null };
    this.#watchers.add(watcher);
    this.#lookIn(lookMsMin);
    return () => {
      if (this.#watchers.delete(watcher) && watcher.toldAtMs !== null) this.#isSettling = true;
      if (this.#watchers.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #lookIn(ms: number): void {
    if (this.#bound !== null) this.#timer ??= setTimeout(() => void this.#lookAgain().catch(say), ms);
  }

  async #lookAgain(): Promise<void> {
    const startMs = performance.now();
    const bytes = await this.#look();
    this.#timer = undefined;
    const bound = this.#bound;
    if (bound === null) return;
    const grown = this.#grown();
    if (this.#isBeingLeft()) for (const { watcher } of grown) watcher.mayBytes = Math.max(watcher.mayBytes, bytes);
    else this.#judge(bytes, bound.bytes, grown);
    if (this.#watchers.size > 0) this.#lookIn(Math.max(lookMsMin, (performance.now() - startMs) * restTimes));
  }

  /** Whether what there is more of may be somebody's who was told already. */
  #isBeingLeft(): boolean {
    const isGone = this.#isSettling;
    this.#isSettling = false;
    const sinceMs = performance.now() - goneMs;
    return isGone || [...this.#watchers].some(({ toldAtMs }) => toldAtMs !== null && toldAtMs > sinceMs);
  }

  /** How much each has written lately. What was written while it was counted shows at one of two looks: both count. */
  #grown(): Grown[] {
    const look = new ProcessLook();
    return [...this.#watchers].map((watcher) => {
      const [last, before] = watcher.wrote;
      const wrote = watcher.wroteBytes(look);
      watcher.wrote = [wrote, last];
      return { watcher, by: Math.max(0, wrote - before) };
    });
  }

  /** Whoever has written the most is told; of whom the kernel tells nothing, everybody is. Others may stay as they are. */
  #judge(bytes: number, most: number, grown: readonly Grown[]): void {
    const passed = grown.filter(({ watcher }) => watcher.toldAtMs === null && bytes > Math.max(most, watcher.mayBytes));
    const by = Math.max(0, ...passed.map((each) => each.by));
    for (const { watcher, by: own } of passed) {
      watcher.mayBytes = bytes;
      if (own < by || watcher.onPassed === null) continue;
      watcher.toldAtMs = performance.now();
      watcher.onPassed();
    }
  }

  /** What is taken: counted again where the disk has changed since, and nothing worth counting where it has room. */
  async #look(): Promise<number> {
    if (this.#bound !== null && (await this.#hasSpare(this.#bound, 0))) return 0;
    const seen = this.#seen;
    const isQuiet =
      seen !== undefined &&
      performance.now() - seen.atMs < quietMs &&
      Math.abs(seen.freeBytes - (await this.#freeBytes())) < quietBytes;
    return isQuiet ? seen.bytes : this.#measure();
  }

  /** Whether the disk has so much left that this agent cannot be who fills it. */
  async #hasSpare({ spareBytes }: Bound, comingBytes: number): Promise<boolean> {
    return spareBytes !== Infinity && (await this.#freeBytes()) - comingBytes >= spareBytes;
  }

  async #freeBytes(): Promise<number> {
    const [first = "/"] = this.#folders;
    const { bavail, bsize } = await statfs(first);
    return bavail * bsize;
  }

  /** Its status says that something went while it was looked at; what it counted stands. */
  async #measure(): Promise<number> {
    // Before it is counted: what comes meanwhile is counted, or makes the disk fuller than it was seen.
    const freeBytes = await this.#freeBytes();
    const args = ["--summarize", "--total", "--block-size=1", "--one-file-system", "--", ...this.#folders];
    // Only what is counted: an agent that makes many folders which nobody may look into fills the other stream.
    const { output } = await runProgram("du", args, { stderr: "ignore" });
    const bytes = Number(/^(\d+)\ttotal$/m.exec(output)?.[1] ?? 0);
    this.#seen = { bytes, freeBytes, atMs: performance.now() };
    return bytes;
  }
}
