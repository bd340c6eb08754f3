// In which of its ways an assistant's program on this machine can be spoken to. It is tried once for each file, before any run
// depends on it: in the middle of a run nobody could tell a way that is missing from a program that has died.

import { spawn } from "node:child_process";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Assistant, AssistantJob } from "../../ports/assistant.ts";
import { inTrialFolder } from "../trial-folder.ts";

/** Enough for a machine that is busy with other things. */
const answerMsMax = 20_000;

export class Ways {
  readonly #ground: string;
  /** By its file, and when that was changed: another version may have other ways. */
  readonly #chosen = new Map<string, Promise<Assistant>>();

  /** Below the ground it is tried. */
  constructor(ground: string) {
    this.#ground = ground;
  }

  /** The assistant in the first of its ways that its program answers to; in the last one, where it answers to none. */
  async of(assistant: Assistant, file: string): Promise<Assistant> {
    const { name, otherwise } = assistant;
    if (otherwise === undefined) return assistant;
    const key = `${name} ${file} ${(await stat(file)).mtimeMs}`;
    const known = this.#chosen.get(key) ?? this.#choose(assistant, otherwise, file);
    this.#chosen.set(key, known);
    return known;
  }

  async #choose(assistant: Assistant, otherwise: Assistant, file: string): Promise<Assistant> {
    return (await comesUp(assistant, file, this.#ground)) ? assistant : this.of(otherwise, file);
  }
}

/** Whether the program, begun as for a run that leads nowhere, answers to what is said first. */
async function comesUp(assistant: Assistant, file: string, ground: string): Promise<boolean> {
  return inTrialFolder([ground], async (folder) => {
    const home = join(folder, "home");
    await mkdir(home);
    const job = jobIn(home);
    const { args, env, files } = assistant.begin(job);
    for (const { path, text } of files) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
    }
    const talk = assistant.talk(job);
    // Nothing of the person's is read, and nothing of theirs is changed.
    const all = { PATH: process.env["PATH"] ?? "", HOME: home, ...env };
    return await answers(file, args, { cwd: home, env: all }, talk.open(), (line) => talk.read(line).write !== "");
  });
}

async function answers(
  file: string,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Record<string, string> },
  text: string,
  isAnswer: (line: string) => boolean,
): Promise<boolean> {
  const child = spawn(file, args, { ...place, stdio: ["pipe", "pipe", "ignore"], timeout: answerMsMax });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  // It may have ended before it reads anything.
  child.stdin.on("error", () => undefined);
  child.stdin.write(text);
  const patience = AbortSignal.timeout(answerMsMax);
  let isUp = false;
  for await (const line of createInterface({ input: child.stdout, signal: patience })) {
    isUp = isAnswer(line);
    if (isUp) break;
  }
  // At the end of its input it leaves by itself.
  child.stdin.end();
  child.kill();
  if (!patience.aborted) await ended;
  return isUp;
}

function jobIn(home: string): AssistantJob {
  const nowhere = { url: "http://127.0.0.1:9", token: "none" };
  return {
    ...{ prompt: "", anew: "", session: null, model: null, tools: "door", subagents: false, home, servers: [] },
    door: nowhere,
    relay: { ...nowhere, paid: [] },
  };
}
