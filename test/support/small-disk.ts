// A disk of a test's own that can be full from one moment to the next, and have room again: really, by the kernel. Only root
// may make one.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";

const roomy = "size=2g";
const leftBytes = 16 * 1024 * 1024;

/** Whether one can be made here. */
export const noSmallDisks = process.getuid?.() !== 0;

export class SmallDisk {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Over a folder that nobody uses yet. It goes when the test has ended, after everything that was begun since. */
  static over(folder: string): SmallDisk {
    mount("-t", "tmpfs", "-o", `${roomy},mode=755`, "tmpfs", folder);
    return new SmallDisk(folder);
  }

  /** To be called before whoever will use the folder is made. */
  static willBeUnmounted(folder: () => string): void {
    onTestFinished(() => void spawnSync("umount", ["-l", folder()]));
  }

  /** Leaves a few MiB, unless told otherwise: a program that takes them has more than could be copied elsewhere on it. */
  fill(left = leftBytes): void {
    const { stdout } = spawnSync("df", ["--block-size=4096", "--output=used", this.#folder], { encoding: "utf8" });
    mount("-o", `remount,size=${Number(stdout.split("\n")[1]) * 4096 + left}`, this.#folder);
  }

  /** Leaves room for a few files, however much is free. */
  fillFiles(left: number): void {
    const { stdout } = spawnSync("df", ["--output=iused", this.#folder], { encoding: "utf8" });
    mount("-o", `remount,nr_inodes=${Number(stdout.split("\n")[1]) + left}`, this.#folder);
  }

  makeRoom(): void {
    mount("-o", `remount,${roomy}`, this.#folder);
  }
}

function mount(...args: readonly string[]): void {
  const { status, stderr } = spawnSync("mount", args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}
