// Real processes for tests: strangers that must survive, pipes by which commands say that they have come so far, and what
// is left of them.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { identify } from "../../src/node/supervisor/process-identity.ts";

/** What commands get in tests. */
export const commandEnv = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };

/** A named pipe. Whoever writes to it tells the test that it has come so far, and what it has to say. */
export class Pipe {
  readonly path: string;

  constructor(folder: string, name = "pipe") {
    this.path = join(folder, name);
    execFileSync("mkfifo", [this.path]);
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

/** The pids that commands wrote down, one per line, in order. */
export function pidsIn(path: string): number[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map(Number).toSorted((a, b) => a - b);
}

const lastPid = "/proc/sys/kernel/ns_last_pid";

/** Whether the kernel lets us choose the next pid. */
export function canChoosePids(): boolean {
  try {
    writeFileSync(lastPid, readFileSync(lastPid, "utf8"));
    return true;
  } catch {
    return false;
  }
}

/** A stranger, leader of its own session, under a pid that somebody had before. */
export async function startStrangerAs(pid: number): Promise<ChildProcess & { pid: number }> {
  for (let tries = 0; tries < 200; tries++) {
    writeFileSync(lastPid, String(pid - 1));
    const stranger = await startStranger(["sleep", "1000"], { detached: true });
    if (stranger.pid === pid) return stranger;
    stranger.kill("SIGKILL");
  }
  throw new Error(`no stranger got the pid ${pid}`);
}
