// CPU time of processes, in nanoseconds from the scheduler: the clock ticks of /proc/…/stat are too coarse for a slice.

import fs from "node:fs";

/** CPU that this process has used so far. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU that a process and its children have used so far, all threads together; 0 where /proc does not tell. */
export function cpuMsOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + threadsCpuMs(each), 0);
}

/** CPU that one process has used so far, all its threads together. */
export function threadsCpuMs(pid: number): number {
  let ns = 0;
  for (const thread of list(`/proc/${pid}/task`)) {
    ns += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0]);
  }
  return ns / 1e6;
}

function childrenOf(pid: number): number[] {
  // One that has ended meanwhile has no children.
  const words = read(`/proc/${pid}/task/${pid}/children`).split(" ").map(Number);
  const children = words.filter((child) => child > 0);
  return children.flatMap((child) => [child, ...childrenOf(child)]);
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch {
    return "0";
  }
}
