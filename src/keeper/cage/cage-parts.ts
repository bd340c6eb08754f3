// What every cage needs, made by the keeper while it waits in the pool.

import { existsSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seccompProgram } from "./seccomp.ts";
import { makeEtc, mountDevices } from "./system-folders.ts";

/** Parts of a cage that do not depend on the agent. */
export class CageParts {
  /** Whether the keeper has namespaces of its own: only there may it mount. */
  readonly own: boolean;
  readonly #folder: string;
  #ready: Promise<void> | undefined;

  constructor(folder: string, ownNamespaces: boolean) {
    this.#folder = folder;
    this.own = ownNamespaces;
  }

  get etc(): string {
    return join(this.#folder, "etc");
  }

  get devices(): string {
    return join(this.#folder, "dev");
  }

  /** Where the agent's own folders are put together with what is shown inside them. */
  get assembled(): string {
    return join(this.#folder, "own");
  }

  get seccomp(): string | undefined {
    const path = join(this.#folder, "seccomp");
    return existsSync(path) ? path : undefined;
  }

  /** Where an image is put together with what the cage adds to it. */
  get image(): string {
    return join(this.#folder, "image");
  }

  /** An open file with arguments for bwrap. It has no name any more. */
  openArgs(args: readonly string[]): number {
    const path = join(this.#folder, "args");
    writeFileSync(path, args.map((arg) => `${arg}\0`).join(""), { mode: 0o600 });
    const fd = openSync(path, "r");
    unlinkSync(path);
    return fd;
  }

  prepare(): Promise<void> {
    this.#ready ??= this.#make();
    return this.#ready;
  }

  async #make(): Promise<void> {
    const program = seccompProgram(process.arch);
    if (program !== undefined) writeFileSync(join(this.#folder, "seccomp"), program, { mode: 0o600 });
    await Promise.all([makeEtc(this.etc), mountDevices(this.devices)]);
  }
}
