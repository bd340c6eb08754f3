// What the door does once it is open: files and commands in the run's workspace, by its keeper. Every act that writes is
// checked against its fence right before it happens, and can be repeated after a crash without happening twice.

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { FinishCall } from "../../core/inputs.ts";
import type { GuardAnswer } from "../../core/lease/fence-guard.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import type { DoorAnswer } from "../../ports/runner.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import { writeDurably } from "../durable-file.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { keepOutput } from "./keep-output.ts";
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
  /** Set where the workspace has to be looked at, for whatever a command may have changed in it. */
  readonly look?: true;
};

export type ToolsOptions = {
  readonly run: string;
  readonly workspace: Workspace;
  /** A folder for what the calls of this run leave behind. */
  readonly callsFolder: string;
  readonly check: (act: FencedAct) => GuardAnswer;
  /** The changes that the log knows of. */
  readonly known: () => ReadonlyMap<string, Work>;
  /** Whether this content of a path was set aside. */
  readonly trashed: (path: string, work: Work["work"]) => boolean;
  readonly processes: () => Readonly<Record<string, { readonly argv: readonly string[] }>>;
  /** Resolves when nothing is about to move in the workspace. */
  readonly inStep: () => Promise<void>;
};

const resultMark = "result";
/** How long a process of a unit may take to go once its command has ended. */
const processGraceMs = 2000;

export class Tools {
  readonly #options: ToolsOptions;

  constructor(options: ToolsOptions) {
    this.#options = options;
  }

  async read(path: string): Promise<ActResult> {
    return guarded(async () => {
      const { entry, bytes } = await this.#options.workspace.read(path);
      if (entry === null || bytes === null) return failed("no-file", `${path} does not exist`);
      return done(Buffer.from(bytes).toString("utf8"), `read ${path} (${shortOf(entry)})`);
    });
  }

  async write(act: FencedAct, content: string): Promise<ActResult> {
    return guarded(async () => {
      const bytes = Buffer.from(content);
      const mayWrite = (): void => this.#checkFence(act);
      const work = await this.#options.workspace.write(this.#tagOf(act.call), pathOf(act.unit), bytes, { mayWrite });
      return wrote(work, bytes.length, "wrote");
    });
  }

  /** Replaces one exact text. A call that was done before a crash finds its result and does nothing. */
  async edit(act: FencedAct, find: string, replace: string): Promise<ActResult> {
    const { workspace } = this.#options;
    const path = pathOf(act.unit);
    const journal = join(this.#folderOf(act.call), "edit.json");
    return guarded(async () => {
      const { entry, bytes } = await workspace.read(path);
      if (entry === null || bytes === null) return failed("no-file", `${path} does not exist`);
      const applied = await readJson<Work>(journal);
      if (applied?.work === entry) {
        // Nobody has named these bytes yet, so they may have been collected since.
        await workspace.planWrite(path, bytes, entry);
        return wrote(applied, bytes.length, "edited");
      }
      const edited = replaceOnce(Buffer.from(bytes), find, replace);
      if (!edited.ok) return failed("no-match", `the text to replace ${edited.refusal} in ${path}`);
      this.#checkFence(act);
      const planned = await workspace.planWrite(path, edited.value, entry);
      await writeDurably(journal, JSON.stringify(planned), "replace");
      const how = { seen: entry, mayWrite: () => this.#checkFence(act) };
      const work = await workspace.write(this.#tagOf(act.call), path, edited.value, how);
      return wrote(work, edited.value.length, "edited");
    });
  }

  async command(call: number, argv: readonly string[], signal: AbortSignal): Promise<ActResult> {
    await this.#options.inStep();
    return guarded(() => this.#command(call, argv, signal));
  }

  /** Runs a named command of the project. Nothing of it is left when its unit goes back. */
  async process(act: FencedAct, name: string, signal: AbortSignal): Promise<ActResult> {
    await this.#options.inStep();
    return guarded(async () => {
      const processes = this.#options.processes();
      const argv = Object.hasOwn(processes, name) ? processes[name]?.argv : undefined;
      if (argv === undefined) {
        const known = Object.keys(processes).join(", ");
        return failed("no-process", `the project has no process "${name}"; it has: ${known === "" ? "none" : known}`);
      }
      this.#checkFence(act);
      const result = await this.#command(act.call, argv, signal);
      await this.#keeper({ op: "stop", call: this.#tagOf(act.call), graceMs: processGraceMs });
      return result;
    });
  }

  /** Looks at the whole workspace: what commands in the background have changed since the last look. */
  sweep(): ActResult {
    return { ...done("", "looked for changes"), look: true };
  }

  /** Does something in the workspace while nobody else does: what is seen there is reported before it can change. */
  alone<T>(act: () => Promise<T>): Promise<T> {
    return this.#options.workspace.alone(act);
  }

  /** What is not as the log has it: new changes, and such that are gone. To be asked for alone. */
  async look(): Promise<Work[]> {
    const { workspace, known, trashed } = this.#options;
    const found = new Map((await workspace.sweep()).map((work) => [work.path, work]));
    const before = known();
    const news = [...found.values()].filter(({ path, base, work }) => {
      const old = before.get(path);
      return old?.base !== base || old.work !== work;
    });
    // Set aside just before a crash, and still there: the bytes are safe, so it only has to go.
    const left = news.filter(({ path, work }) => !before.has(path) && trashed(path, work));
    if (left.length > 0) await workspace.putBack(left);
    const undone = [...before.values()].filter(({ path }) => !found.has(path));
    return [
      ...news.filter((work) => !left.includes(work)),
      ...undone.map(({ path, base }) => ({ path, base, work: base })),
    ];
  }

  /** Puts back the bases of paths whose changes were set aside. Their bytes are safe already (LD16). */
  putBack(works: readonly Work[]): Promise<void> {
    return this.#options.workspace.putBack(works);
  }

  /** Keeps a no before it is reported: a runner that starts again has to hear it again. */
  async keepNo(call: number, result: ActResult): Promise<void> {
    if (!result.answer.ok) await writeDurably(join(this.#folderOf(call), "no.json"), JSON.stringify(result), "replace");
  }

  /** The no that a call got in an earlier life, if it got one. */
  async keptNo(call: number): Promise<ActResult | undefined> {
    return readJson(join(this.#folderOf(call), "no.json"));
  }

  /** The outcome of a call is in the log: nobody will ask its keeper for it again. */
  async forget(call: number): Promise<void> {
    await this.#options.workspace.forget(this.#tagOf(call));
  }

  /** Says that a call is part of a result, and not one that the runner made. */
  async noteResultCall(call: number): Promise<void> {
    await writeDurably(join(this.#folderOf(call), resultMark), "", "replace");
  }

  /** The calls of earlier results. */
  async resultCalls(): Promise<Set<number>> {
    const names = await readdir(this.#options.callsFolder).catch((): string[] => []);
    const marked = names.filter((name) => existsSync(join(this.#options.callsFolder, name, resultMark)));
    return new Set(marked.map(Number));
  }

  async #command(call: number, argv: readonly string[], signal: AbortSignal): Promise<ActResult> {
    const { run } = this.#options;
    const tag = this.#tagOf(call);
    await this.#keeper({ op: "start", call: tag, argv, cwd: null, env: {}, timeoutMs: null });
    const end = (await this.#keeper({ op: "wait", call: tag }, signal)) as CommandEnd;
    await keepOutput(this.#options.workspace.keeper, tag, join(this.#folderOf(call), "output"));
    return { ...ended(argv.join(" "), end, `${run}/${call}/output`), look: true };
  }

  #keeper(op: Parameters<Workspace["keeper"]["request"]>[0], signal?: AbortSignal): Promise<unknown> {
    return this.#options.workspace.keeper.request(op, signal);
  }

  #checkFence(act: FencedAct): void {
    const answer = this.#options.check(act);
    if (answer !== "ok") throw new Fault(answer, { retry: "never", message: `${act.unit} is not yours any more` });
  }

  #tagOf(call: number): string {
    return `${this.#options.run}-${call}`;
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
    if (error instanceof Fault && error.retry === "never") return failed(error.code, error.message);
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

function wrote(work: Work, bytes: number, verb: string): ActResult {
  const { path } = work;
  const text = `${verb} ${path} (${shortOf(work.work ?? "")})`;
  return {
    answer: { ok: true, text, exit: null },
    report: { ...plain(true, text), changed: [{ path, bytes }], works: [work] },
  };
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
  const isTooMuch = end.why === "out-of-disk";
  const code = exit === "unknown" ? "exit-unknown" : isTooMuch ? "disk-quota" : "exit-nonzero";
  const why = isTooMuch
    ? "was ended, because its workspace takes more of the disk than a policy allows"
    : `ended with ${exit}`;
  const answer: DoorAnswer = ok ? { ok, text: tail, exit } : { ok, code, message: `${command} ${why}` };
  const summary = tail === "" || isTooMuch ? `${command} ${why}` : tail;
  return { answer, report: { ...plain(ok, summary), exit, output } };
}

function plain(ok: boolean, summary: string): ActResult["report"] {
  return { ok, exit: null, summary, changed: [], works: [], output: null };
}

function pathOf(unit: string): string {
  return unit.slice(unit.indexOf(":") + 1);
}

/** Enough of a hash to recognise a file by. */
function shortOf(entry: string): string {
  return entry.slice(entry.indexOf(":") + 1).slice(0, 12);
}
