// Lets go what runs that are over have said, when it is kept no longer. Whose that is the core says; the files go when the log says that they do.

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Input } from "../core/inputs.ts";
import { type ForgetOutputs, mayForget, outputsToForget } from "../core/run/kept-outputs.ts";
import { isOver } from "../core/run/run-states.ts";
import type { State } from "../core/state.ts";
import { countAnew } from "./tool-host/keep-output.ts";

export type OldOutputsOptions = {
  /** A folder for each run: what its calls left, and what models were asked. */
  readonly calls: string;
  readonly models: string;
  readonly state: () => State;
  readonly nowMs: () => number;
  /** Takes away what models were asked: whoever keeps that counts it. */
  readonly forgetExchanges: (run: string) => Promise<void>;
  readonly submit: (input: Input) => Promise<{ readonly ok: boolean }>;
};

type Size = { readonly files: number; readonly bytes: number };
type Done = { readonly count: number; readonly bytes: number };

const nothing: Size = { files: 0, bytes: 0 };

export class OldOutputs {
  readonly #options: OldOutputsOptions;
  /** Of runs that are over and stopped, by what made them so: nobody writes there, unless one is continued. */
  readonly #known = new Map<string, { readonly sinceSeq: number; readonly size: Size }>();

  constructor(options: OldOutputsOptions) {
    this.#options = options;
  }

  /** Answers how many runs it was and what theirs took; with `dryRun` it stays. */
  async forget(dryRun: boolean): Promise<Done> {
    const { state, nowMs } = this.#options;
    const sizes = await this.#sizes();
    const bytesOf = new Map([...sizes].map(([run, { bytes }]) => [run, bytes]));
    const old = outputsToForget(state(), bytesOf, nowMs());
    const done = { count: 0, bytes: 0 };
    for (const { run, because } of old) {
      const size = sizes.get(run) ?? nothing;
      if (!dryRun && !(await this.#let(run, { because, ...size }))) continue;
      done.count++;
      done.bytes += size.bytes;
    }
    return done;
  }

  /** False where it stays: its run may have been continued since, or somebody waits for it. */
  async #let(run: string, how: Omit<ForgetOutputs, "type" | "run">): Promise<boolean> {
    const { state, submit } = this.#options;
    const found = state().runs.get(run);
    // Again after a crash in between: the log has it already.
    const isSaid = found !== undefined && found.outputsGone?.sinceSeq === found.sinceSeq;
    if (!isSaid && !(await submit({ type: "outputs.forget", run, ...how })).ok) return false;
    return this.#remove(run);
  }

  async #sizes(): Promise<Map<string, Size>> {
    const sizes = new Map<string, Size>();
    const { runs } = this.#options.state();
    for (const { id, state, sinceSeq, stopped } of [...runs.values()]) {
      const known = this.#known.get(id);
      const size = known?.sinceSeq === sinceSeq ? known.size : await this.#sizeOf(id);
      if (isOver(state) && stopped) this.#known.set(id, { sinceSeq, size });
      if (size.files > 0) sizes.set(id, size);
    }
    for (const id of this.#known.keys()) if (!runs.has(id)) this.#known.delete(id);
    return sizes;
  }

  async #sizeOf(run: string): Promise<Size> {
    let { files, bytes } = nothing;
    for (const file of [...(await this.#callFilesOf(run)), ...(await this.#exchangesOf(run))]) {
      const found = await stat(file).catch(() => undefined);
      if (found === undefined) continue;
      files++;
      bytes += found.size;
    }
    return { files, bytes };
  }

  async #exchangesOf(run: string): Promise<string[]> {
    const folder = join(this.#options.models, run);
    return (await namesIn(folder)).map((name) => join(folder, name));
  }

  /** What its commands have said, and what its assistant's own calls have. */
  async #callFilesOf(run: string): Promise<string[]> {
    const folder = join(this.#options.calls, run);
    const said = (await namesIn(folder)).flatMap((name) =>
      /^(\d+|validate-\d+)$/.test(name) ? [join(folder, name, "output")] : [],
    );
    const own = (await namesIn(join(folder, "own"))).map((name) => join(folder, "own", name));
    // Beside what runs publish, where there is what the runner of that name has run.
    const isCommand = this.#options.state().runs.get(run)?.runner === "command";
    const kept = (await namesIn(join(folder, "artifacts"))).filter((name) => isCommand && /^command-\d+$/.test(name));
    return [...said, ...own, ...kept.map((name) => join(folder, "artifacts", name))];
  }

  async #remove(run: string): Promise<boolean> {
    const files = await this.#callFilesOf(run);
    const state = this.#options.state();
    const found = state.runs.get(run);
    if (found !== undefined && !mayForget(state, found)) return false;
    await this.#options.forgetExchanges(run);
    for (const file of files) await rm(file, { force: true, recursive: true });
    countAnew(join(this.#options.calls, run));
    this.#known.delete(run);
    return true;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((): string[] => []);
}
