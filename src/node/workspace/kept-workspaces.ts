// Workspaces that could not be looked through when their runs ended (EN53). Each is kept whole, as a folder that a person finds and
// removes: nobody else ever does. Everything in them was written by agents; they are moved, and never looked into.

import { lstatSync, readdirSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";

export type KeptWorkspace = {
  /** What the folder is called: after its run, and which of its lives that was. */
  readonly name: string;
  readonly run: string;
  readonly path: string;
};

export class KeptWorkspaces {
  readonly #folder: string;
  readonly #names: Set<string>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#names = new Set(namesIn(folder));
  }

  /** Takes the whole folder of an agent whose processes are gone. */
  async keep(agentFolder: string, name: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await rename(agentFolder, join(this.#folder, name));
    this.#names.add(name);
  }

  /** Those that nobody has removed. */
  list(): KeptWorkspace[] {
    return [...this.#names].toSorted().flatMap((name) => {
      const path = join(this.#folder, name);
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
      return [{ name, run: name.split(".")[0] ?? name, path }];
    });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // None was ever kept.
    return [];
  }
}
