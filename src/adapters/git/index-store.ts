// Git's index of a tree, made once for all workspaces that begin there: inside each it would take a git of its own.

import { randomUUID } from "node:crypto";
import { access, chmod, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { GitRunner } from "./git-runner.ts";

const indexesMax = 8;

export class IndexStore {
  readonly #git: GitRunner;
  readonly #gitDir: string;
  readonly #folder: string;
  readonly #making = new Map<string, Promise<string>>();

  constructor(git: GitRunner, gitDir: string) {
    this.#git = git;
    this.#gitDir = gitDir;
    this.#folder = path.join(gitDir, "indexes");
  }

  /** The file with the index of a tree. It is to be copied soon: those that nobody asked for lately go. */
  of(tree: string): Promise<string> {
    const known = this.#making.get(tree);
    if (known !== undefined) return known;
    const making = this.#make(tree).finally(() => this.#making.delete(tree));
    this.#making.set(tree, making);
    return making;
  }

  async #make(tree: string): Promise<string> {
    const file = path.join(this.#folder, tree);
    const now = new Date();
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    ) {
      await utimes(file, now, now);
      return file;
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o755 });
    const aside = path.join(this.#folder, `new-${randomUUID()}`);
    try {
      await this.#git.run({ gitDir: this.#gitDir, indexFile: aside }, ["read-tree", tree]);
      await chmod(aside, 0o644);
      await rename(aside, file);
    } finally {
      await rm(aside, { force: true });
    }
    await this.#prune();
    return file;
  }

  async #prune(): Promise<void> {
    const names = await readdir(this.#folder);
    const aged = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#folder, name);
        return { file, atMs: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    const old = aged.toSorted((a, b) => b.atMs - a.atMs).slice(indexesMax);
    await Promise.all(old.map(({ file }) => rm(file, { force: true })));
  }
}
