// A peer runs for this bench alone: its own folder, its own socket, and an end by its own id. Should the bench be killed,
// the kernel ends it as well.

import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { cpuMsOf } from "../harness/cpu.ts";

export type PrivateProcess = {
  readonly pid: number;
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
};

export type User = { readonly uid: number; readonly gid: number };

export type StartOptions = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Runs as this user, for programs that refuse to be root. */
  readonly user?: User | undefined;
  /** The signal that ends it properly. */
  readonly signal?: NodeJS.Signals;
  /** Asks whether it can be used yet. */
  readonly isReady: () => Promise<boolean>;
};

const readyMsMax = 20_000;
const stopMsMax = 5000;

/** Starts a program and waits until it can be used. */
export async function startPrivately(options: StartOptions): Promise<PrivateProcess> {
  const { file, args, cwd, user, signal = "SIGTERM" } = options;
  const guard = fs.existsSync("/usr/bin/setpriv") ? ["/usr/bin/setpriv", "--pdeathsig", "KILL", ...asUser(user)] : [];
  const [program = file, ...rest] = [...guard, file, ...args];
  const child = spawn(program, rest, { cwd, env: options.env ?? process.env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const process_ = {
    pid: child.pid ?? -1,
    cpuMs: () => cpuMsOf(child.pid ?? -1),
    stop: () => stop(child, signal, ended),
  };
  const untilMs = performance.now() + readyMsMax;
  while (!(await options.isReady())) {
    if (child.exitCode !== null || child.pid === undefined || performance.now() > untilMs) {
      await process_.stop();
      throw new Error(`${file} did not start: ${complaintIn(said)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return process_;
}

/** The line that says what is wrong; programs tend to say more. */
function complaintIn(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /error|fatal|cannot/i.test(line)) ?? lines.at(-1) ?? "it said nothing";
}

/** The words that make a command run as another user, by number: a user's group may have another name. */
export function asUser(user: User | undefined): string[] {
  return user === undefined ? [] : ["--reuid", String(user.uid), "--regid", String(user.gid), "--clear-groups"];
}

async function stop(child: ChildProcess, signal: NodeJS.Signals, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  child.kill(signal);
  const late = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
  await ended;
  clearTimeout(late);
}
