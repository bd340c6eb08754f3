// What stands still, and what waits to be told to go on: for tests that pause runs.

import { readFileSync } from "node:fs";
import { isStopped } from "../../src/keeper/os/processes.ts";
import { processesWith } from "./processes-with.ts";

/** The shells that were started with a text in their command. */
export function shellsWith(text: string): number[] {
  return processesWith(text).filter((pid) => readOf(pid, "comm") === "sh\n");
}

/** Whether a process does nothing because it was halted. */
export function standsStill(pid: number): boolean {
  // The kernel holds one that was about to start a program until that has begun, which stands still.
  return isStopped(pid) || /\) D /.test(readOf(pid, "stat"));
}

/** Empty where the process has ended meanwhile. */
function readOf(pid: number, name: "comm" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
