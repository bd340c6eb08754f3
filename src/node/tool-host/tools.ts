// What the door does once it is open: files in the scratch folder, commands beside it. Every act that writes is checked
// against its fence right where it happens, and can be repeated after a crash without happening twice.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { FinishCall } from "../../core/inputs.ts";
import type { GuardAnswer } from "../../core/lease/fence-guard.ts";
import type { DoorAnswer } from "../../ports/runner.ts";
import { writeDurably } from "../durable-file.ts";
import { endCommand, runCommand, type CommandEnd } from "../supervisor/command.ts";
import { hashOf, type ScratchFolder } from "../workspace/scratch-folder.ts";
import { replaceOnce } from "./replace-once.ts";

/** An act on a unit: which call does it, for whom, under which fence. */
export type FencedAct = {
  readonly call: number;
  readonly family: string;
  readonly fence: number;
  readonly unit: string;
};

export type ActResult = {
  readonly answer: DoorAnswer;
  readonly report: Omit<FinishCall, "type" | "run" | "family" | "call">;
};

export type ToolsOptions = {
  readonly run: string;
  readonly scratch: ScratchFolder;
  /** A folder for what the calls of this run leave behind: journals, output, exit status. */
  readonly callsFolder: string;
  readonly check: (act: FencedAct) => GuardAnswer;
  readonly processes: () => Readonly<Record<string, { readonly argv: readonly string[] }>>;
  readonly env: Readonly<Record<string, string>>;
};

export class Tools {
  readonly #options: ToolsOptions;

  constructor(options: ToolsOptions) {
    this.#options = options;
  }

  async read(path: string): Promise<ActResult> {
    return guarded(async () => {
      const bytes = await this.#options.scratch.read(path);
      if (bytes === undefined) return failed("no-file", `${path} does not exist`);
      return done(bytes.toString("utf8"), `read ${path} (${hashOf(bytes).slice(0, 12)})`);
    });
  }

  async write(act: FencedAct, content: string): Promise<ActResult> {
    return guarded(async () => {
      const bytes = Buffer.from(content);
      await this.#replace(act, bytes);
      return wrote(act, bytes, "wrote");
    });
  }

  /** Replaces one exact text. A journal tells after a crash whether the file already is what the edit makes of it. */
  async edit(act: FencedAct, find: string, replace: string): Promise<ActResult> {
    const path = pathOf(act.unit);
    return guarded(async () => {
      const before = await this.#options.scratch.read(path);
      if (before === undefined) return failed("no-file", `${path} does not exist`);
      const journal = join(this.#folderOf(act.call), "edit.json");
      const applied = await readJson<{ readonly after: string }>(journal);
      if (applied?.after === hashOf(before)) return wrote(act, before, "edited");
      const edited = replaceOnce(before, find, replace);
      if (!edited.ok) return failed("no-match", `the text to replace ${edited.refusal} in ${path}`);
      this.#checkFence(act);
      await writeDurably(journal, JSON.stringify({ after: hashOf(edited.value) }), "replace");
      await this.#replace(act, edited.value);
      return wrote(act, edited.value, "edited");
    });
  }

  async command(call: number, argv: readonly string[], signal: AbortSignal): Promise<ActResult> {
    return this.#command(call, argv, undefined, signal);
  }

  /** Runs a named command of the project. Nothing of it is left when its unit goes back. */
  async process(act: FencedAct, name: string, signal: AbortSignal): Promise<ActResult> {
    return guarded(async () => {
      const processes = this.#options.processes();
      const argv = Object.hasOwn(processes, name) ? processes[name]?.argv : undefined;
      if (argv === undefined) {
        const known = Object.keys(processes).join(", ");
        return failed("no-process", `the project has no process "${name}"; it has: ${known === "" ? "none" : known}`);
      }
      const result = await this.#command(act.call, argv, () => this.#checkFence(act), signal);
      await endCommand(this.#folderOf(act.call));
      return result;
    });
  }

  /** Keeps a no before it is reported: a runner that starts again has to hear it again. */
  async keepNo(call: number, result: ActResult): Promise<void> {
    if (!result.answer.ok) await writeDurably(join(this.#folderOf(call), "no.json"), JSON.stringify(result), "replace");
  }

  /** The no that a call got in an earlier life, if it got one. */
  async keptNo(call: number): Promise<ActResult | undefined> {
    return readJson(join(this.#folderOf(call), "no.json"));
  }

  async #command(
    call: number,
    argv: readonly string[],
    mayStart: (() => void) | undefined,
    signal: AbortSignal,
  ): Promise<ActResult> {
    const { run, scratch, env } = this.#options;
    const order = { folder: this.#folderOf(call), argv, cwd: scratch.root, env, mayStart };
    return ended(argv.join(" "), await runCommand(order, signal), `${run}/${call}/output`);
  }

  async #replace(act: FencedAct, bytes: Uint8Array): Promise<void> {
    this.#checkFence(act);
    await this.#options.scratch.write(pathOf(act.unit), bytes, {
      tag: `${this.#options.run}-${act.call}`,
      mayWrite: () => this.#checkFence(act),
    });
  }

  #checkFence(act: FencedAct): void {
    const answer = this.#options.check(act);
    if (answer !== "ok") throw new Fault(answer, { retry: "never", message: `${act.unit} is not yours any more` });
  }

  #folderOf(call: number): string {
    return join(this.#options.callsFolder, String(call));
  }
}

/** The world's no is an answer too: the assistant should read it. */
async function guarded(act: () => Promise<ActResult>): Promise<ActResult> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Fault) return failed(error.code, error.message);
    throw error;
  }
}

/** Reads a file of ours; one that is missing or torn by a crash is not there. */
async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}

function wrote(act: FencedAct, bytes: Uint8Array, verb: string): ActResult {
  const path = pathOf(act.unit);
  const text = `${verb} ${path} (${hashOf(bytes).slice(0, 12)})`;
  const changed = [{ path, bytes: bytes.length }];
  return { answer: { ok: true, text, exit: null }, report: { ...plain(true, text), changed } };
}

function done(text: string, summary: string): ActResult {
  return { answer: { ok: true, text, exit: null }, report: plain(true, summary) };
}

function failed(code: string, message: string): ActResult {
  return { answer: { ok: false, code, message }, report: plain(false, `${code}: ${message}`) };
}

function ended(command: string, end: CommandEnd, output: string): ActResult {
  const { exit, tail } = end;
  const ok = exit === 0;
  const summary = tail === "" ? `${command} ended with ${exit}` : tail;
  const code = exit === "unknown" ? "exit-unknown" : "exit-nonzero";
  const answer: DoorAnswer = ok ? { ok, text: tail, exit } : { ok, code, message: `${command} ended with ${exit}` };
  return { answer, report: { ...plain(ok, summary), exit, output } };
}

function plain(ok: boolean, summary: string): ActResult["report"] {
  return { ok, exit: null, summary, changed: [], dirty: [], clean: [], output: null };
}

function pathOf(unit: string): string {
  return unit.slice(unit.indexOf(":") + 1);
}
