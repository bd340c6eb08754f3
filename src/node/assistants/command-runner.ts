// Drives a run by one command in its cage. The command lives under the agent's keeper, so it outlives the daemon; what it
// says is heard as messages, what it changes is swept like after any command, and its exit is the run's result.

import { lastWords } from "../../base/last-words.ts";
import type { Door, Runner, RunnerJob, StopSignal } from "../../ports/runner.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import { keepOutput } from "../tool-host/keep-output.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { Program } from "./program.ts";

export type CommandRunnerOptions = {
  readonly keeperOf: (run: string) => Promise<KeeperLine>;
  /** Where an artifact of a run is kept. */
  readonly artifactFile: (run: string, name: string) => string;
};

/** How much of what a command says is in the log; all of it is in the artifact. */
const heardCharsMax = 65_536;
const stopGraceMs = 2000;
const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicros: null };

export class CommandRunner implements Runner {
  readonly name = "command";
  readonly #options: CommandRunnerOptions;

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
  }

  async drive(job: RunnerJob, door: Door, signal: StopSignal): Promise<void> {
    const { command, sentBack, heard } = job;
    if (command === null) {
      await door.finish(false, "it has no command");
      return;
    }
    const life = lifeOf(job);
    if (life === "none") {
      await door.finish(false, `its result was sent back, and a command cannot mend it: ${sentBack}`);
      return;
    }
    const stopped = new AbortController();
    signal.addEventListener("abort", () => stopped.abort(), { once: true });
    if (signal.aborted) stopped.abort();
    const keeper = await this.#options.keeperOf(job.run);
    const program = new Program(keeper, `${job.run}-command-${life}`);
    const isNew = heard?.life !== life;
    if (isNew) await begin(program, job, command, life, door);
    const end = await this.#listen(program, job, life, isNew ? 0 : heard.upTo, door, stopped.signal);
    if (end === undefined) return;
    await program.stop(stopGraceMs);
    await keepOutput(keeper, program.call, this.#options.artifactFile(job.run, artifactOf(life)));
    await door.finish(end.exit === 0, resultOf(end));
  }

  /** Hears it to its end; undefined where somebody else decides what becomes of it. */
  async #listen(
    program: Program,
    job: RunnerJob,
    life: number,
    from: number,
    door: Door,
    signal: AbortSignal,
  ): Promise<CommandEnd | undefined> {
    const told = job.messages.length;
    let at = from;
    let room = heardCharsMax;
    try {
      for await (const lines of program.read(from, signal)) {
        const upTo = lines.at(-1)?.end ?? at;
        at = upTo;
        if (room <= 0 || lines.length === 0) continue;
        const text = shorten(lines.map((line) => line.text).join("\n"), room, life);
        room -= text.length;
        await door.record({ life, upTo, told, owes: 1, items: [{ is: "message", text, parent: null }] });
      }
      const end = await program.ended(signal);
      const ok = end.exit === 0;
      const turn = { is: "turn", ok, text: resultOf(end), why: ok ? "ended" : "error", usage: noUsage } as const;
      // One beyond its last byte: its end was heard, too.
      await door.record({ life, upTo: at + 1, told, owes: 0, items: [turn] });
      return end;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }
}

/** Which of its lives is to be driven: the command is run again for each word of a person, and for nothing else. */
function lifeOf({ heard, told, messages, sentBack }: RunnerJob): number | "none" {
  if (heard === null) return 1;
  if (heard.owes > 0) return heard.life;
  if (messages.length > told) return heard.life + 1;
  return sentBack === null ? heard.life : "none";
}

async function begin(
  program: Program,
  { title, description, messages, beside }: RunnerJob,
  command: readonly string[],
  life: number,
  door: Door,
): Promise<void> {
  const task = description === "" || description === title ? title : `${title}\n\n${description}`;
  const env = { ...beside.env, SIGNALBOX_TASK: task, SIGNALBOX_MESSAGE: messages.join("\n\n") };
  // It is the person's command, not ours: it finds what every command of its run finds.
  await program.begin(command, { env, cwd: null, onMachine: false });
  await program.endInput();
  await door.record({ life, upTo: 0, told: messages.length, owes: 1, items: [] });
}

function artifactOf(life: number): string {
  return `command-${life}`;
}

function shorten(text: string, room: number, life: number): string {
  return text.length <= room ? text : `${text.slice(0, room)}\n[… all of it is in the artifact ${artifactOf(life)}]`;
}

function resultOf({ exit, tail, why }: CommandEnd): string {
  const said = lastWords(tail);
  if (exit === 0) return said;
  const how =
    why === "lost" || exit === "unknown" ? "it is not known how the command ended" : `the command ended with ${exit}`;
  return said === "" ? how : `${how}, saying ${said}`;
}
