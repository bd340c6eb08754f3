// Commands in the run's cage: such that are waited for, named ones of the project, and such that go on in the background
// under a name until somebody stops them or the run ends.

import { Fault } from "../../base/fault.ts";
import type { Command } from "../../ports/runner.ts";
import type { CommandEnd, OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { swapDurably, writeDurably } from "../../os/durable-file.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type ActResult, done, failed, guarded, plain, readJson } from "./act-result.ts";
import { artifactOfCall } from "./artifacts.ts";
import type { CallGround, FencedAct } from "./call-ground.ts";
import { keepOutput } from "./keep-output.ts";
import { shortenOutput } from "./shorten-output.ts";

export type CommandToolsOptions = {
  readonly processes: () => Readonly<Record<string, { readonly argv: readonly string[] }>>;
  /** Resolves when nothing is about to move in the workspace. */
  readonly inStep: () => Promise<void>;
  /** Variables that every command sees. */
  readonly env: Readonly<Record<string, string>>;
  /** Services beside the run, by their names, with the calls as which its keeper has them: what they say can be read. */
  readonly services: () => Readonly<Record<string, string>>;
};

/**
 * A command that goes on while others are done: the call that started it, and whether its end has been seen. One of a call that
 * broke off, and could not be ended, is here too.
 */
type Background = { readonly call: number; readonly over: boolean; readonly brokeOff?: true };

/** How long processes may take to go once they were asked to. */
const graceMs = 2000;
/** How much of a background command's output one answer has. */
const outputBytesMax = 16 * 1024;

export class CommandTools {
  readonly #ground: CallGround;
  readonly #options: CommandToolsOptions;
  #known: Promise<Record<string, Background>> | undefined;

  constructor(ground: CallGround, options: CommandToolsOptions) {
    this.#ground = ground;
    this.#options = options;
  }

  async run(call: number, command: Command, signal: AbortSignal): Promise<ActResult> {
    await this.#options.inStep();
    return guarded(() => this.#run(call, command, signal));
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
      await this.#endBroken();
      this.#ground.checkFences([act]);
      const result = await this.#run(act.call, { argv }, signal);
      await this.#keeper({ op: "stop", call: this.#ground.tagOf(act.call), graceMs });
      return result;
    });
  }

  async start(call: number, name: string, { argv, cwd, timeoutMs }: Command): Promise<ActResult> {
    await this.#options.inStep();
    return guarded(async () => {
      const before = (await this.#all())[name];
      if (
        before !== undefined &&
        before.call !== call &&
        !(await this.#outputOf(this.#ground.tagOf(before.call), 0, 0)).ended
      )
        return failed("already-there", `the command "${name}" is still running; stop it first, or use another name`);
      // Its name is known before it runs: whoever comes after a crash can stop it.
      await this.#note(name, { call, over: false });
      if (before !== undefined && before.call !== call) await this.#letGo(before.call);
      const { env } = this.#options;
      const how = { cwd: cwd ?? null, env, timeoutMs: timeoutMs ?? null, stdin: true };
      await this.#keeper({ op: "start", call: this.#ground.tagOf(call), argv, ...how });
      return { ...done(`started ${name}`), look: true };
    });
  }

  /** Writes to a command's input, at most once: nobody can tell whether what a crash interrupted had arrived. */
  async input(call: number, name: string, text: string, end: boolean): Promise<ActResult> {
    return guarded(async () => {
      const tag = await this.#tagOf(name);
      if (!(await writeDurably(this.#ground.fileOf(call, "sent"), "", "create")))
        return failed("exit-unknown", `nobody knows whether the text has reached ${name}; look at its output`);
      const base64 = Buffer.from(text).toString("base64");
      const { taken } = (await this.#keeper({ op: "input", call: tag, base64, end })) as { readonly taken: boolean };
      if (!taken) return failed("not-running", `${name} does not read any more; look at its output`);
      return { ...done(`wrote ${Buffer.byteLength(text)} bytes to ${name}`), look: true };
    });
  }

  /** What a background command has said from a place on. */
  async output(name: string, from: number): Promise<ActResult> {
    return guarded(async () => {
      const service = (await this.#isOwn(name)) ? undefined : this.#options.services()[name];
      const tag = service ?? (await this.#tagOf(name));
      const part = await this.#outputOf(tag, from, outputBytesMax);
      const bytes = Buffer.from(part.base64, "base64");
      const next = part.offset + bytes.length;
      const end = part.ended ? ((await this.#keeper({ op: "wait", call: tag })) as CommandEnd) : undefined;
      if (part.ended && service === undefined) await this.#note(name, { ...(await this.#find(name)), over: true });
      const state = end === undefined ? "still running" : howEnded(name, end);
      const note = `${state}; bytes ${part.offset} to ${next} of ${part.totalBytes}; go on from ${next}`;
      return { ...done(bytes.toString("utf8"), `read the output of ${name}`, note), look: true };
    });
  }

  /** Ends a background command with everything it started. */
  async stop(name: string): Promise<ActResult> {
    return guarded(async () => {
      const tag = await this.#tagOf(name);
      await this.#end(name);
      const end = (await this.#keeper({ op: "wait", call: tag })) as CommandEnd;
      return { ...done(howEnded(name, end)), look: true };
    });
  }

  /** Ends what still runs in the background: a result must not change under the eyes of whoever judges it. */
  async stopAll(): Promise<void> {
    for (const [name, { over }] of Object.entries(await this.#all())) if (!over) await this.#end(name);
  }

  /**
   * Ends whatever a call may have started, and nobody knows whether it did. Where its end is not proven, answers the name under
   * which it counts as in the background from now on: it is looked for changes, can be stopped, and ends before a result (EN51).
   */
  async endCall(call: number): Promise<string | undefined> {
    try {
      await this.#keeper({ op: "stop", call: this.#ground.tagOf(call), graceMs });
      return undefined;
    } catch (error) {
      if (error instanceof Fault && error.code === "unknown-call") return undefined;
      if (!isOfTheWorld(error)) throw error;
      return this.#noteBroken(call);
    }
  }

  /** Whether something may be writing while nobody waits for it. */
  async hasBackground(): Promise<boolean> {
    return Object.values(await this.#all()).some(({ over }) => !over);
  }

  async #run(call: number, command: Command, signal: AbortSignal): Promise<ActResult> {
    const { argv, cwd, timeoutMs } = command;
    const tag = this.#ground.tagOf(call);
    const how = { cwd: cwd ?? null, env: this.#options.env, timeoutMs: timeoutMs ?? null };
    await this.#keeper({ op: "start", call: tag, argv, ...how });
    const end = (await this.#keeper({ op: "wait", call: tag }, signal)) as CommandEnd;
    const said = await this.#keepSaid(call, tag, end);
    return { ...ended(command, end, said.text, said.output), look: true };
  }

  /** What a command said, as its runner reads it; and where all of it is, unless the disk has no room for that. */
  async #keepSaid(call: number, tag: string, end: CommandEnd): Promise<{ text: string; output: string | null }> {
    const file = this.#ground.fileOf(call, "output");
    const { tail, outputBytes: saidBytes } = end;
    try {
      const said = await keepOutput(this.#ground.workspace.keeper, tag, file, { saidBytes });
      if (said.none === true) {
        const text = `[the end of ${said.total} bytes; this run and those that stem from it have no room for more]\n${tail}`;
        return { text, output: null };
      }
      const text = await shortenOutput(file, said, `artifact ${artifactOfCall(call)}`);
      return { text, output: `${this.#ground.run}/${call}/output` };
    } catch (error) {
      // How it ended is known, and its last words are.
      if (!isOfTheWorld(error)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      return { text: `${tail}\n[the rest of what it said could not be kept: ${why}]`, output: null };
    }
  }

  async #noteBroken(call: number): Promise<string> {
    const all = await this.#all();
    let name = Object.keys(all).find((known) => all[known]?.call === call) ?? `call-${call}`;
    while (Object.hasOwn(all, name) && all[name]?.call !== call) name += "-again";
    const noted: Record<string, Background> = { ...all, [name]: { call, over: false, brokeOff: true } };
    // Known from now on, also where the disk has no room to say so.
    this.#known = Promise.resolve(noted);
    await swapDurably(this.#file(), JSON.stringify(noted)).catch((error: unknown) => {
      if (!isOfTheWorld(error)) throw error;
    });
    return name;
  }

  /** Under a unit that a call kept because its end was not proven, nothing starts before it is. */
  async #endBroken(): Promise<void> {
    for (const [name, { over, brokeOff }] of Object.entries(await this.#all()))
      if (!over && brokeOff === true) await this.#end(name);
  }

  async #end(name: string): Promise<void> {
    const { call } = await this.#find(name);
    const tag = this.#ground.tagOf(call);
    try {
      await this.#keeper({ op: "stop", call: tag, graceMs });
      await keepOutput(this.#ground.workspace.keeper, tag, this.#ground.fileOf(call, "output"));
    } catch (error) {
      // It was about to start, and never did.
      if (!(error instanceof Fault) || error.code !== "unknown-call") throw error;
    }
    await this.#note(name, { call, over: true });
  }

  /** Another command has the name now: what this one said stays as an artifact, and its keeper need not know it. */
  async #letGo(call: number): Promise<void> {
    const { workspace } = this.#ground;
    await keepOutput(workspace.keeper, this.#ground.tagOf(call), this.#ground.fileOf(call, "output"));
    await workspace.forget(this.#ground.tagOf(call));
  }

  async #outputOf(call: string, offset: number, limit: number): Promise<OutputAnswer> {
    return (await this.#keeper({ op: "output", call, offset, limit })) as OutputAnswer;
  }

  async #isOwn(name: string): Promise<boolean> {
    return Object.hasOwn(await this.#all(), name);
  }

  async #tagOf(name: string): Promise<string> {
    return this.#ground.tagOf((await this.#find(name)).call);
  }

  async #find(name: string): Promise<Background> {
    const all = await this.#all();
    const found = Object.hasOwn(all, name) ? all[name] : undefined;
    if (found !== undefined) return found;
    const names = [...Object.keys(all), ...Object.keys(this.#options.services())].join(", ");
    const message = `there is no command "${name}" in the background; there is: ${names === "" ? "none" : names}`;
    throw new Fault("no-command", { retry: "never", message });
  }

  #all(): Promise<Record<string, Background>> {
    this.#known ??= readJson<Record<string, Background>>(this.#file()).then((known) => known ?? {});
    return this.#known;
  }

  async #note(name: string, background: Background): Promise<void> {
    const all = { ...(await this.#all()), [name]: background };
    await swapDurably(this.#file(), JSON.stringify(all));
    this.#known = Promise.resolve(all);
  }

  #file(): string {
    return `${this.#ground.folder}/background.json`;
  }

  #keeper(op: Parameters<Workspace["keeper"]["request"]>[0], signal?: AbortSignal): Promise<unknown> {
    return this.#ground.workspace.keeper.request(op, signal);
  }
}

function ended({ argv, timeoutMs }: Command, end: CommandEnd, text: string, output: string | null): ActResult {
  const { exit, tail, why } = end;
  const command = argv.join(" ");
  const isTooMuch = why === "out-of-disk";
  const summary = tail === "" || isTooMuch ? howEnded(command, end) : tail;
  const report = { ...plain(exit === 0, summary), exit, output };
  if (exit === 0) return { answer: { ok: true, text, exit }, report };
  if (why === "timed-out") {
    const message = `${command} was stopped: it took longer than its time-out of ${(timeoutMs ?? 0) / 1000} s`;
    return { answer: { ok: false, code: "timed-out", message, text }, report };
  }
  const code = exit === "unknown" ? "exit-unknown" : isTooMuch ? "disk-quota" : "exit-nonzero";
  return { answer: { ok: false, code, message: howEnded(command, end), text }, report };
}

function howEnded(command: string, { exit, why }: CommandEnd): string {
  if (why === "stopped") return `${command} was stopped`;
  if (why === "out-of-memory") return `${command} ended with ${exit}: it ran out of memory`;
  if (why === "out-of-disk") return `${command} was ended, because its workspace takes more of the disk than it may`;
  return `${command} ended with ${exit}`;
}
