// Real processes for tests: strangers that must survive, pipes by which commands say that they have come so far, and what
// is left of them.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { identify, listProcesses } from "../../src/node/supervisor/process-identity.ts";

/** What commands get in tests. */
export const commandEnv = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };

/** A named pipe. Whoever writes to it tells the test that it has come so far, and what it has to say. */
export class Pipe {
  readonly path: string;

  constructor(folder: string, name = "pipe") {
    this.path = join(folder, name);
    execFileSync("mkfifo", ["-m", "666", this.path]);
  }

  /** What the next writer says. */
  async heard(): Promise<string> {
    return (await readFile(this.path, "utf8")).trim();
  }

  /** Lets whoever reads from it go on, as soon as somebody does. */
  async say(text: string): Promise<void> {
    await writeFile(this.path, `${text}\n`);
  }
}

/** For commands in a cage: says which process it is, in words that mean something outside. */
export const sayWho = 'echo "$(readlink /proc/self/ns/pid) $$"';

/** The pid, outside, of a process that has said who it is, or 0. */
export function pidOf(said: string): number {
  const [namespace = "", inner = ""] = said.split(" ");
  const isIt = ({ pid }: { readonly pid: number }): boolean => {
    try {
      if (readlinkSync(`/proc/${pid}/ns/pid`) !== namespace) return false;
      return /^NSpid:.*\s(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] === inner;
    } catch {
      return false;
    }
  };
  return listProcesses().find(isIt)?.pid ?? 0;
}

/** A process that has nothing to do with us. It is ended with the test. */
export async function startStranger(
  argv: readonly [string, ...string[]],
  more: { detached?: boolean } = {},
): Promise<ChildProcess & { pid: number }> {
  const [command, ...args] = argv;
  const child = spawn(command, args, { stdio: "ignore", env: commandEnv, ...more });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve, reject) => child.once("spawn", () => resolve(undefined)).once("error", reject));
  return child as ChildProcess & { pid: number };
}

export function isRunning(pid: number): boolean {
  return identify(pid) !== undefined;
}

/** How many processes of this machine were started with such an argument. */
export function commandsWith(argument: string): number {
  const isIt = ({ pid }: { readonly pid: number }): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
    } catch {
      return false;
    }
  };
  return listProcesses().filter(isIt).length;
}
