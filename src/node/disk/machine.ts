// The machine as it is now: what there is of it, and how much of that is free.

import { readFile } from "node:fs/promises";
import { availableParallelism, freemem, loadavg, totalmem } from "node:os";

export type Machine = {
  readonly processors: number;
  readonly load: number[];
  readonly memory: { readonly totalBytes: number; readonly availableBytes: number };
};

export async function readMachine(): Promise<Machine> {
  return {
    processors: availableParallelism(),
    load: loadavg().map((each) => Math.round(each * 100) / 100),
    memory: { totalBytes: totalmem(), availableBytes: await availableBytes() },
  };
}

/** What can be had without swapping: caches are given back, so the free memory alone says too little. */
async function availableBytes(): Promise<number> {
  const text = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kilobytes = /^MemAvailable:\s*(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
}
