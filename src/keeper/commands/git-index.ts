// The index of the agent's own repository, made by git in the cage, before any command of the agent runs there.

import { Fault } from "../../base/fault.ts";
import type { Commands } from "./commands.ts";
import { gitEnv, gitWords, runOwnGit } from "./own-git.ts";

export class GitIndex {
  readonly #commands: Commands;
  readonly #commit: string;
  #making: Promise<void> | undefined;

  constructor(commands: Commands, commit: string) {
    this.#commands = commands;
    this.#commit = commit;
  }

  /** Resolves when it is there. One that was ended in the middle is made again for whoever asks next. */
  made(): Promise<void> {
    if (this.#making !== undefined) return this.#making;
    const making = this.#make();
    making.catch(() => (this.#making = undefined));
    this.#making = making;
    return making;
  }

  async #make(): Promise<void> {
    const call = `git-index-${process.pid}`;
    const argv = [...gitWords, "read-tree", this.#commit];
    const start = { op: "start", call, argv, cwd: null, env: gitEnv, timeoutMs: 60_000, onMachine: true } as const;
    const end = await runOwnGit(this.#commands, start);
    if (end.exit === 0) return;
    const message = `the index could not be read: ${end.tail.slice(0, 500)}`;
    throw new Fault("cage-failed", { retry: "later", message });
  }
}
