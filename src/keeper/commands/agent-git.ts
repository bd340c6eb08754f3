// The agent's own repository as the keeper sees to it: made before the first command, with an index, and standing where the
// workspace does whenever something is started.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CageOrder, GitOrder, WireStand } from "../../protocol/keeper/keeper-wire.ts";
import type { Cage } from "../cage/cage.ts";
import { cageObjects, makeDisposableGit } from "../cage/disposable-git.ts";
import type { Workspace } from "../files/workspace.ts";
import { toMessage } from "../os/errno.ts";
import { say } from "../os/say.ts";
import type { Commands } from "./commands.ts";
import { GitBase } from "./git-base.ts";
import { GitIndex } from "./git-index.ts";
import { git as ownGit } from "./own-git.ts";

export type AgentGitParts = {
  readonly workspace: Workspace;
  readonly cage: Cage;
  readonly commands: Commands;
  readonly order: Omit<CageOrder, "git"> & { readonly git: GitOrder };
  readonly journal: string;
};

export class AgentGit {
  readonly #parts: AgentGitParts;
  readonly #base: GitBase;
  #made: { readonly index: GitIndex | undefined } | undefined;

  constructor(parts: AgentGitParts) {
    this.#parts = parts;
    const { commands, order, journal } = parts;
    this.#base = new GitBase({ commands, git: order.git, file: join(journal, "git-base.json") });
  }

  /** Makes it, unless it is there. Resolves when it has an index; undefined where it has one. */
  make(): Promise<void> | undefined {
    this.#made ??= { index: this.#make() };
    return this.#made.index?.made();
  }

  /** Resolves when something may be started; undefined where it may be at once. */
  ready(): Promise<void> | undefined {
    const indexed = this.make();
    return indexed === undefined ? this.#base.caughtUp() : indexed.then(() => this.#base.caughtUp());
  }

  /** The workspace stands elsewhere from now on. Whoever is in there already is not kept waiting for the next command. */
  moved(stand: WireStand): void {
    if (stand.anew === true) this.#makeAgain();
    this.#base.moved(stand);
    if (this.#parts.commands.hasRunning) void Promise.resolve(this.ready()).catch(say);
  }

  /** Whoever was there before may have taken it away. */
  #makeAgain(): void {
    if (this.#made === undefined) return;
    try {
      this.#made = { index: this.#make() ?? this.#made.index };
    } catch (error) {
      say(`the agent's own repository could not be made again: ${toMessage(error)}`);
    }
  }

  #make(): GitIndex | undefined {
    const { workspace, cage, commands, order } = this.#parts;
    const { git, hash = "sha1", agent } = order;
    const objects = cage.caged ? cageObjects : git.objects;
    const { isNew, needsIndex } = makeDisposableGit(workspace.tree, { git, hash, agent, objects });
    if (isNew) this.#base.wasMade();
    return needsIndex && existsSync(ownGit) ? new GitIndex(commands, git.commit) : undefined;
  }
}
