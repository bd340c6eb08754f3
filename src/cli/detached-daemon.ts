// A daemon in the background: a process in its own session, whose output goes to the home's log. It tells us over a
// channel when it is ready, so that the login link never stands in a file.

import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { exitCodes, toWireError, type WireError } from "../protocol/errors.ts";
import { homePaths } from "../protocol/home.ts";
import type { Cli } from "./cli.ts";
import type { StartedDaemon } from "./daemon-info.ts";
import { Progress } from "./progress.ts";
import { toSafeLines } from "./text/safe-text.ts";

/** Set for the process in the background: it is to report over the channel. */
const channelVariable = "SIGNALBOX_READY_CHANNEL";

export type StartReport = { readonly ready: StartedDaemon } | { readonly failed: WireError; readonly exitCode: number };

/** Tells whoever started us in the background how that went. Answers whether somebody listens. */
export function reportStart(cli: Cli, report: StartReport): boolean {
  if (cli.env[channelVariable] !== "1" || process.send === undefined) return false;
  process.send(report, () => process.disconnect());
  return true;
}

export async function startDetached(cli: Cli, port?: number, maintain?: number | "off"): Promise<StartReport> {
  const logPath = homePaths(cli.home).output;
  try {
    makeFolder(dirname(logPath));
  } catch (cause) {
    const message = `${cli.home} (${cause instanceof Error ? cause.message : String(cause)})`;
    return { failed: toWireError("home-unusable", { message }), exitCode: exitCodes.broken };
  }
  const log = openSync(logPath, "a", 0o600);
  const flags = [
    ...(port === undefined ? [] : ["--port", String(port)]),
    ...(maintain === undefined ? [] : ["--maintain", maintain === "off" ? maintain : `${maintain}ms`]),
  ];
  const child = spawn(process.execPath, [cli.program, "up", ...flags], {
    cwd: cli.home,
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
    env: { ...cli.env, SIGNALBOX_HOME: cli.home, [channelVariable]: "1" },
  });
  closeSync(log);
  const progress = new Progress(cli.out, `the daemon is starting; its log is ${logPath}`);
  cli.interrupt.sayOnLeaving(`Left while the daemon was starting. Its log is ${logPath}.`);
  const { signal } = cli.interrupt;
  try {
    return await new Promise<StartReport>((resolve, reject) => {
      child.once("message", (message) => resolve(message as StartReport));
      child.once("error", reject);
      child.once("exit", (code, signalName) => resolve(toFailure(logPath, code, signalName)));
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  } finally {
    progress.stop();
    if (child.connected) child.disconnect();
    child.removeAllListeners();
    child.unref();
  }
}

/** It ended without a word: the end of its log is the best there is. */
function toFailure(logPath: string, code: number | null, signalName: string | null): StartReport {
  const tail = toSafeLines(readFileSync(logPath, "utf8").slice(-4000).trimEnd()).slice(-10);
  const how = signalName === null ? `with exit code ${code}` : `by ${signalName}`;
  const message = `The daemon ended ${how} before it was ready. Its log is ${logPath}.`;
  return {
    failed: { code: "daemon-not-started", message, data: { log: logPath }, ways: tail.filter((line) => line !== "") },
    exitCode: exitCodes.broken,
  };
}

/** With those above it. Node's own way tries for ever where nothing can be made in a folder that is there, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
