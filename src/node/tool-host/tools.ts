// What the door does once it is open: files in the scratch folder, commands beside it. Every act that writes is checked
// against its fence right where it happens, and can be repeated after a crash without happening twice.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { FinishCall } from "../../core/inputs.ts";
import type { GuardAnswer } from "../../core/lease/fence-guard.ts";
import type { DoorAnswer } from "../../ports/runner.ts";
import { runCommand, type CommandEnd } from "../supervisor/command.ts";
import { hashOf, type ScratchFolder } from "../workspace/scratch-folder.ts";

/** An act on a unit: who, under which fence, and the call's own name for spare files and journals. */
export type FencedAct = {
  readonly family: string;
  readonly fence: number;
  readonly unit: string;
  readonly tag: string;
};

export type ActResult = {
  readonly answer: DoorAnswer;
  readonly report: Omit<FinishCall, "type" | "run" | "family" | "call">;
};

export type ToolsOptions = {
  readonly scratch: ScratchFolder;
  /** A folder for what calls leave behind: journals, output, exit status. */
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
    return this.#guarded(async () => {
      const bytes = await this.#options.scratch.read(path);
      if (bytes === undefined) return failed("no-file", `${path} does not exist`);
      return done(bytes.toString("utf8"), `read ${path} (${hashOf(bytes).slice(0, 12)})`);
    });
  }

  async write(act: FencedAct, content: string): Promise<ActResult> {
    const stale = this.#stale(act);
    if (stale !== undefined) return stale;
    const path = pathOf(act.unit);
    return this.#guarded(async () => {
      const bytes = Buffer.from(content);
      await this.#options.scratch.write(path, bytes, act.tag);
      return wrote(path, bytes, `wrote ${path}`);
    });
  }

  /** Replaces one exact text. A journal tells after a crash whether the file already is what the edit makes of it. */
  async edit(act: FencedAct, find: string, replace: string): Promise<ActResult> {
    const stale = this.#stale(act);
    if (stale !== undefined) return stale;
    const path = pathOf(act.unit);
    return this.#guarded(async () => {
      const before = await this.#options.scratch.read(path);
      if (before === undefined) return failed("no-file", `${path} does not exist`);
      const journal = join(this.#folderOf(act.tag), "edit.json");
      const applied = await readJournal(journal);
      if (applied === hashOf(before)) return wrote(path, before, `edited ${path}`);
      const text = before.toString("utf8");
      const count = find === "" ? 0 : text.split(find).length - 1;
      if (count !== 1) {
        const why = count === 0 ? "does not occur" : `occurs ${count} times`;
        return failed("no-match", `the text to replace ${why} in ${path}; it has to occur exactly once`);
      }
      const after = Buffer.from(text.split(find).join(replace));
      await mkdir(this.#folderOf(act.tag), { recursive: true, mode: 0o700 });
      await writeFile(journal, JSON.stringify({ after: hashOf(after) }), { flush: true });
      await this.#options.scratch.write(path, after, act.tag);
      return wrote(path, after, `edited ${path}`);
    });
  }

  async command(tag: string, argv: readonly string[], signal: AbortSignal): Promise<ActResult> {
    const { scratch, env } = this.#options;
    const end = await runCommand({ folder: this.#folderOf(tag), argv, cwd: scratch.root, env }, signal);
    return ended(argv.join(" "), end, `${tag}/output`);
  }

  async process(act: FencedAct, name: string, signal: AbortSignal): Promise<ActResult> {
    const stale = this.#stale(act);
    if (stale !== undefined) return stale;
    const processes = this.#options.processes();
    const argv = Object.hasOwn(processes, name) ? processes[name]?.argv : undefined;
    if (argv === undefined) {
      const known = Object.keys(processes).join(", ");
      return failed("no-process", `the project has no process "${name}"; it has: ${known === "" ? "none" : known}`);
    }
    return this.command(act.tag, argv, signal);
  }

  #stale(act: FencedAct): ActResult | undefined {
    const answer = this.#options.check(act);
    return answer === "ok" ? undefined : failed(answer, `${act.unit} is not yours any more`);
  }

  #folderOf(tag: string): string {
    return join(this.#options.callsFolder, tag);
  }

  async #guarded(act: () => Promise<ActResult>): Promise<ActResult> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof Fault) return failed(error.code, error.message);
      throw error;
    }
  }
}

async function readJournal(path: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(path, "utf8")) as { after: string }).after;
  } catch {
    return undefined;
  }
}

function wrote(path: string, bytes: Uint8Array, what: string): ActResult {
  const changed = [{ path, bytes: bytes.length }];
  const text = `${what} (${hashOf(bytes).slice(0, 12)})`;
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
  const answer: DoorAnswer = ok
    ? { ok, text: tail, exit }
    : {
        ok: false,
        code: exit === "unknown" ? "exit-unknown" : "exit-nonzero",
        message: `${command} ended with ${exit}`,
      };
  return { answer, report: { ...plain(ok, summary), exit, output } };
}

function plain(ok: boolean, summary: string): ActResult["report"] {
  return { ok, exit: null, summary, changed: [], dirty: [], clean: [], output: null };
}

function pathOf(unit: string): string {
  return unit.slice(unit.indexOf(":") + 1);
}
