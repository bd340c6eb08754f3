// Who may come to a run's door: whoever has a token of it. Only hashes of tokens are kept, in a file for each run.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { swapDurably } from "../../os/durable-file.ts";
import { readJson } from "../tool-host/act-result.ts";

/** Tokens that one run may have at a time: the oldest goes first. */
const tokensMax = 8;
const runName = /^r_[0-9a-z]{1,16}$/;

export class DoorKeys {
  readonly #folder: string;
  /** What the files said when they were read last. Every request asks, and looking whether a file is the same takes less. */
  readonly #known = new Map<string, { readonly print: string; readonly hashes: readonly string[] }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes a token for a run: one more, or the only one. */
  async issue(run: string, how: "one-more" | "only"): Promise<string> {
    const token = randomBytes(32).toString("base64url");
    await this.#keep(run, how === "only" ? [] : await this.#hashesOf(run), hashOf(token));
    return token;
  }

  /** Lets whoever has this token come to the run's door. */
  async admit(run: string, token: string): Promise<void> {
    const known = await this.#hashesOf(run);
    // The newest stays longest.
    await this.#keep(
      run,
      known.filter((hash) => hash !== hashOf(token)),
      hashOf(token),
    );
  }

  /** Compares with every token of the run, in the same time wherever they differ. */
  async admits(run: string, token: string): Promise<boolean> {
    if (!runName.test(run)) return false;
    const given = Buffer.from(hashOf(token));
    return (await this.#hashesOf(run)).filter((known) => timingSafeEqual(Buffer.from(known), given)).length > 0;
  }

  /** Takes the keys of runs away that are over. */
  async prune(isOver: (run: string) => boolean): Promise<void> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    for (const run of names.map((name) => name.replace(/\..*$/, "")))
      if (runName.test(run) && isOver(run)) await this.forget(run);
  }

  async forget(run: string): Promise<void> {
    this.#known.delete(run);
    await rm(this.#fileOf(run), { force: true });
    await rm(this.requestFileOf(run), { force: true });
    await rm(this.answersFileOf(run), { force: true });
  }

  /** Where the request is written down that is under way at the run's door. */
  requestFileOf(run: string): string {
    return join(this.#folder, `${run}.request.json`);
  }

  /** Where its last answers are written down, for those who lost theirs. */
  answersFileOf(run: string): string {
    return join(this.#folder, `${run}.answers.json`);
  }

  async #hashesOf(run: string): Promise<readonly string[]> {
    const file = this.#fileOf(run);
    const print = printOf(file);
    const known = this.#known.get(run);
    if (known !== undefined && known.print === print) return known.hashes;
    const hashes = await readJson<readonly string[]>(file);
    // Of a run that has none nothing is kept: anybody may ask for any name.
    if (hashes === undefined || print === undefined) this.#known.delete(run);
    else this.#known.set(run, { print, hashes });
    return hashes ?? [];
  }

  async #keep(run: string, known: readonly string[], fresh: string): Promise<void> {
    await swapDurably(this.#fileOf(run), JSON.stringify([...known, fresh].slice(-tokensMax)));
  }

  #fileOf(run: string): string {
    return join(this.#folder, `${run}.keys.json`);
  }
}

/** Which file it is, and of when: keys are never written into a file that is there, but put in its place. */
function printOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino} ${found.ctimeNs} ${found.size}`;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
