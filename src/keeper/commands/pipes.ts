// Real pipes for the output of commands. Node would give them sockets, which a program cannot open again by the name
// /dev/stderr, as scripts do. A pipe with a name is opened at both ends and then loses its name.

import { constants, mkdirSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { mustRun } from "../os/run-program.ts";

const spareMax = 24;
const spareMin = 8;

export type PipeEnds = { readonly read: number; readonly write: number };

export class Pipes {
  readonly #folder: string;
  readonly #spare: string[] = [];
  #made = 0;
  #making: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Makes some ahead. */
  async refill(): Promise<void> {
    this.#making ??= this.#make().finally(() => (this.#making = undefined));
    return this.#making;
  }

  async take(): Promise<PipeEnds> {
    while (this.#spare.length === 0) await this.refill();
    const path = this.#spare.pop() ?? "";
    // The reading end first: a writer would wait for it.
    const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const write = openSync(path, constants.O_WRONLY);
    unlinkSync(path);
    if (this.#spare.length < spareMin) void this.refill().catch(() => undefined);
    return { read, write };
  }

  async #make(): Promise<void> {
    const count = spareMax - this.#spare.length;
    const names = Array.from({ length: count }, () => join(this.#folder, `${process.pid}-${++this.#made}`));
    if (count > 0) await mustRun("start-failed", "mkfifo", ["-m", "600", ...names]);
    this.#spare.push(...names);
  }
}
