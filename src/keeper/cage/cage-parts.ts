// What every cage needs, made by the keeper while it waits in the pool.

import { existsSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../../base/assert.ts";
import { makeEtc } from "./cage-etc.ts";
import { seccompProgram } from "./seccomp.ts";
import { mountDevices } from "./system-folders.ts";

/** Parts of a cage that do not depend on the agent. */
export class CageParts {
  /** Whether the keeper has namespaces of its own: only there may it mount. */
  readonly own: boolean;
  readonly #folder: string;
  readonly #cache: string;
  #etc: string | undefined;
  #ready: Promise<void> | undefined;

  constructor(where: { readonly folder: string; readonly cache: string; readonly ownNamespaces: boolean }) {
    this.#folder = where.folder;
    this.#cache = where.cache;
    this.own = where.ownNamespaces;
  }

  get etc(): string {
    assert(this.#etc !== undefined, "the parts of a cage are made before it is");
    return this.#etc;
  }

  get devices(): string {
    return join(this.#folder, "dev");
  }

  /** What is shown as /etc/hosts to an agent that may be joined to others. */
  get hosts(): string {
    return join(this.#folder, "hosts");
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

  /** The same for services that have an image of their own. */
  get systems(): string {
    return join(this.#folder, "systems");
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
    const [etc] = await Promise.all([makeEtc(this.#cache), mountDevices(this.devices)]);
    this.#etc = etc;
  }
}
