// Starting other programs, in the two ways that our scripts need: quietly, to show the output only when something is
// wrong, and in the foreground, as if the person had started it.

import { spawn } from "node:child_process";
import path from "node:path";

export const root = path.dirname(import.meta.dirname);

export interface Outcome {
  ok: boolean;
  output: string;
}

/** Runs a Node program and keeps what it prints, in order, from both streams. */
export function runQuietly(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // Tools guess at colours when their output is kept, and some guess that any CI wants them.
    const env = { ...process.env, NO_COLOR: "1" };
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ ok: code === 0, output: Buffer.concat(chunks).toString("utf8") });
    });
  });
}

/** Runs a program on the person's own terminal and answers its exit code. Signals reach it too. */
export function runInForeground(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit" });
    // A terminal sends Ctrl-C to the child as well; passing it on would count as a second, impatient one.
    const interrupt = (): void => {
      if (!process.stdin.isTTY) child.kill("SIGINT");
    };
    const pass = (signal: NodeJS.Signals): void => {
      child.kill(signal);
    };
    process.on("SIGINT", interrupt).on("SIGTERM", pass).on("SIGHUP", pass);
    const done = (): void => {
      process.off("SIGINT", interrupt).off("SIGTERM", pass).off("SIGHUP", pass);
    };
    child.on("error", (error) => {
      done();
      reject(error);
    });
    child.on("exit", (code, signal) => {
      done();
      resolve(code ?? (signal === "SIGINT" ? 130 : 143));
    });
  });
}
