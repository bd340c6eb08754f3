// The machine itself, measured with things that never change: an echo through another process and a sync of the disk.
// Where these differ between rounds, the machine was busy with something else and the round says nothing about us.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { median } from "./stats.ts";

export type Probes = {
  /** One reading per probe, in microseconds. */
  readonly read: () => Promise<readonly number[]>;
  readonly close: () => void;
};

const echoes = 200;
const syncs = 40;
const syncBytes = 4096;

export function openProbes(folder: string): Probes {
  const echo = spawn("cat", { stdio: ["pipe", "pipe", "ignore"] });
  const file = path.join(folder, "probe");
  // Written in advance, so that a sync is a sync and not also the growth of a file.
  fs.writeFileSync(file, Buffer.alloc(syncBytes * syncs));
  const handle = fs.openSync(file, "r+");
  fs.fsyncSync(handle);
  return {
    read: async () => [await readEcho(echo), readSync(handle)],
    close: () => {
      echo.kill();
      fs.closeSync(handle);
    },
  };
}

async function readEcho({ stdin, stdout }: ChildProcess): Promise<number> {
  if (stdin === null || stdout === null) throw new Error("the echo has no pipes");
  const tookUs: number[] = [];
  for (let i = 0; i < echoes; i++) {
    const startMs = performance.now();
    const back = once(stdout, "data");
    stdin.write("echo\n");
    await back;
    tookUs.push((performance.now() - startMs) * 1000);
  }
  return median(tookUs);
}

function readSync(handle: number): number {
  const bytes = Buffer.alloc(syncBytes, 1);
  const tookUs: number[] = [];
  for (let i = 0; i < syncs; i++) {
    const startMs = performance.now();
    fs.writeSync(handle, bytes, 0, syncBytes, i * syncBytes);
    fs.fdatasyncSync(handle);
    tookUs.push((performance.now() - startMs) * 1000);
  }
  return median(tookUs);
}
