// A thousand agents and ten thousand runs, behind the daemon's own faces, in a process of their own.

import { fork } from "node:child_process";
import path from "node:path";
import type { CrowdSize } from "../../bench/console/crowd.ts";
import { root } from "../run.ts";

const whole: CrowdSize = { agents: 1000, runs: 10_000, atWork: 1000, events: 60_000 };

export type RunningCrowd = { readonly loginUrl: string; readonly stop: () => void };

/** Answers the link that opens the console over it, and how to end it. */
export async function startCrowd(size: CrowdSize = whole): Promise<RunningCrowd> {
  const child = fork(path.join(root, "bench/console/crowd-process.ts"), [JSON.stringify(size)]);
  const told = await new Promise<{ readonly loginUrl: string }>((resolve, reject) => {
    child.once("message", (message) => resolve(message as { readonly loginUrl: string }));
    child.once("exit", (code) => reject(new Error(`the crowd ended with ${code}`)));
  });
  return { loginUrl: told.loginUrl, stop: () => child.disconnect() };
}
