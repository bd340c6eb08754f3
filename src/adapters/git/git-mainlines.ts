// The histories of all projects, each in a repository of its own beneath one folder. A folder that comes back after its
// project was removed finds its history again.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, rmdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Fault } from "../../base/fault.ts";
import type { ProjectSource } from "../../core/project/project.ts";
import type { Mainlines } from "../../ports/mainlines.ts";
import { GitMainline } from "./git-mainline.ts";

export type GitMainlinesOptions = {
  readonly folder: string;
  /** Who owns the files of layers: whoever agents are. */
  readonly owner: { readonly uid: number; readonly gid: number };
  /** Throws where a folder may be no project. */
  readonly check?: (root: string) => Promise<void>;
  /** False where workspaces are copied: a copy is made of one whole layer. */
  readonly stacked?: boolean;
};

export class GitMainlines implements Mainlines {
  readonly #options: GitMainlinesOptions;
  readonly #open = new Map<string, Promise<GitMainline>>();

  constructor(options: GitMainlinesOptions) {
    this.#options = options;
  }

  async adopt(root: string, branch?: string): Promise<{ readonly source: ProjectSource; readonly commit: string }> {
    const mainline = await this.#at(root, branch);
    if (branch !== undefined && mainline.branch !== branch) {
      const message = `mainline of ${root} is ${mainline.branch}, not ${branch}`;
      throw new Fault("not-a-repository", { retry: "never", message });
    }
    const source = { kind: mainline.kind, branch: mainline.branch, author: await readAuthor(root) };
    return { source, commit: await mainline.head() };
  }

  of({ root }: { readonly root: string }): Promise<GitMainline> {
    return this.#at(root);
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values())
      await opening.then(
        (mainline) => mainline.close(),
        () => undefined,
      );
  }

  #at(root: string, branch?: string): Promise<GitMainline> {
    const known = this.#open.get(root);
    if (known !== undefined) return known;
    const opening = this.#make(root, branch);
    this.#open.set(root, opening);
    opening.catch(() => this.#open.delete(root));
    return opening;
  }

  async #make(root: string, branch: string | undefined): Promise<GitMainline> {
    const { owner, stacked = true, check } = this.#options;
    await check?.(root);
    const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
    const folder = join(this.#options.folder, name);
    // Agents see the layers and nothing else of it; they have no way through the folder itself.
    await mkdir(folder, { recursive: true, mode: 0o711 });
    const repository = join(folder, "repository");
    const layers = { folder: join(folder, "layers"), owner, stacked };
    const mainline = await GitMainline.open({
      root,
      repository,
      layers,
      ...(branch === undefined ? {} : { branch }),
    }).catch(async (error: unknown) => {
      // Of a folder that is no project nothing stays; one that has a history keeps it.
      await rmdir(folder).catch(() => undefined);
      throw error;
    });
    // Agents of another user borrow its objects: they may walk through to them, and write nowhere.
    if (owner.uid !== process.getuid?.()) await chmod(repository, 0o711);
    return mainline;
  }
}

/** The person as their own git knows them: landings are made in their name. */
async function readAuthor(root: string): Promise<ProjectSource["author"]> {
  const { username } = userInfo();
  const read = async (key: string): Promise<string | undefined> => {
    try {
      const { stdout } = await promisify(execFile)("git", ["-C", root, "config", "--get", key]);
      return stdout.trim() === "" ? undefined : stdout.trim();
    } catch {
      return undefined;
    }
  };
  return { name: (await read("user.name")) ?? username, email: (await read("user.email")) ?? `${username}@localhost` };
}
