// A set of changes that happens whole or not at all. What is to come is written down, together with the new files, before
// the first name changes; a keeper that finds it half done completes it. One is under way at a time.

import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PlaceAnswer, WireEntry } from "../../protocol/keeper/keeper-wire.ts";
import { safeName } from "../commands/call-journal.ts";
import { createDurably, readJson } from "../os/durable-file.ts";

/** Stands for what was there where that was too much to be looked into (LD57). */
export const oversized = "oversized";

export type PlannedChange = {
  readonly path: string;
  readonly to: WireEntry;
  readonly expect?: WireEntry;
  readonly before: WireEntry;
  /** The new file, by its name in the stage. */
  readonly spare: string | null;
};

export type PlannedPlace = {
  readonly tag: string;
  /** The folder of the workspace where new files wait. */
  readonly stage: readonly string[];
  readonly changes: readonly PlannedChange[];
};

export class PlaceJournal {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = join(folder, "places");
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** The answer to a place that is complete. */
  readDone(tag: string): PlaceAnswer | undefined {
    const plan = readJson(this.#path(tag, "done")) as PlannedPlace | undefined;
    return plan === undefined ? undefined : toAnswer(plan);
  }

  /** Places that were begun and are not known to be complete. */
  listBegun(): PlannedPlace[] {
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(".begun"));
    return names.flatMap((name) => {
      const plan = readJson(join(this.#folder, name)) as PlannedPlace | undefined;
      // Cut short while it was written: then nothing else had happened.
      if (plan === undefined) rmSync(join(this.#folder, name), { force: true });
      return plan === undefined ? [] : [plan];
    });
  }

  async begin(plan: PlannedPlace): Promise<void> {
    rmSync(this.#path(plan.tag, "begun"), { force: true });
    // Syncing the folder also makes durable that the place before this one is complete.
    await createDurably(this.#path(plan.tag, "begun"), JSON.stringify(plan));
  }

  finish(tag: string): void {
    renameSync(this.#path(tag, "begun"), this.#path(tag, "done"));
  }

  giveUp(tag: string): void {
    rmSync(this.#path(tag, "begun"), { force: true });
  }

  forget(tag: string): void {
    rmSync(this.#path(tag, "done"), { force: true });
  }

  #path(tag: string, state: "begun" | "done"): string {
    return join(this.#folder, `${safeName(tag)}.${state}`);
  }
}

export function toAnswer(plan: PlannedPlace): PlaceAnswer {
  return {
    placed: plan.changes.map(({ path, before, to }) => ({
      path,
      before: before === oversized ? null : before,
      entry: to,
    })),
  };
}
