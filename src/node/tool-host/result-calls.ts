// The calls that belong to a result and that no runner made: a last look, and the claim for what was lost on the way. Each is
// marked on the disk before it begins, so that a runner that starts again does not come by it.

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Work } from "../../core/workspace/workspace-state.ts";
import { writeDurably } from "../../os/durable-file.ts";
import { readJson } from "./act-result.ts";

const mark = "result";

export class ResultCalls {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Marks a call, with the changes that it claims again. What an earlier driver had said of it stands. */
  async note(call: number, claimed: readonly Work[]): Promise<void> {
    if ((await readJson(this.#fileOf(call))) === undefined) await this.#write(call, claimed);
  }

  async all(): Promise<Set<number>> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    return new Set(names.map(Number).filter((call) => existsSync(this.#fileOf(call))));
  }

  /** The changes that were claimed again, until they are forgotten. */
  async claimed(): Promise<Work[]> {
    const found: Work[] = [];
    for (const call of await this.all()) found.push(...(await this.#claimedBy(call)));
    return found;
  }

  async forgetClaimed(): Promise<void> {
    for (const call of await this.all()) if ((await this.#claimedBy(call)).length > 0) await this.#write(call, []);
  }

  async #claimedBy(call: number): Promise<readonly Work[]> {
    return (await readJson<readonly Work[]>(this.#fileOf(call))) ?? [];
  }

  async #write(call: number, claimed: readonly Work[]): Promise<void> {
    await writeDurably(this.#fileOf(call), JSON.stringify(claimed), "replace");
  }

  #fileOf(call: number): string {
    return join(this.#folder, String(call), mark);
  }
}
