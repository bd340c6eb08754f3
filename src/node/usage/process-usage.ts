// What a process uses, as the kernel tells it. Two small reads for each process and no program of its own: it has to stay
// cheap where there are a thousand.

import { readdirSync, readFileSync } from "node:fs";
import type { NumberedProcess } from "../../protocol/keeper/keeper-wire.ts";

export type ProcessUsage = NumberedProcess & {
  readonly name: string;
  readonly parent: number;
  readonly threads: number;
  /** Since its start, in user and kernel mode. */
  readonly cpuMs: number;
  /** What of its memory is in use now (RSS). What it shares with others counts for each of them. */
  readonly memoryBytes: number;
  /** Null where that is not ours to see. */
  readonly files: number | null;
  /** What it, and those of its children that it has waited for, have sent to disks (AU32). Null where that is not ours to see. */
  readonly writtenBytes: number | null;
};

/** What the kernel counts in, for all that it tells programs. */
const msPerTick = 10;
const commandCharsMax = 200;

let knownPageBytes: number | undefined;

/** Undefined when it is gone, or somebody else has its number. */
export function readProcess({ pid, startTicks }: NumberedProcess): ProcessUsage | undefined {
  const stat = readStat(pid);
  if (stat === undefined) return undefined;
  // The name may hold blanks and brackets; it ends at the last of these.
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  const fields = stat.slice(close + 2).split(" ");
  if (fields[19] !== startTicks) return undefined;
  const at = (index: number): number => Number(fields[index] ?? 0);
  return {
    ...{ pid, startTicks, name: stat.slice(open + 1, close), parent: at(1), threads: at(17) },
    ...{ cpuMs: (at(11) + at(12)) * msPerTick, memoryBytes: at(21) * pageBytes() },
    ...{ files: countFiles(pid), writtenBytes: readWritten(pid) },
  };
}

/** In how whatever is about to be started is called until it is: a shell of ours, and what makes its walls. */
const waitingSign = "_signalbox_line";

/** How it was called, on one line; its name where it has forgotten that. */
export function readCommand({ pid, name }: Pick<ProcessUsage, "pid" | "name">): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
    if (words.includes(waitingSign)) return "(starting)";
    return words.slice(0, commandCharsMax) || name;
  } catch {
    return name;
  }
}

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
}

function countFiles(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return null;
  }
}

/** Not every kernel counts that. */
function readWritten(pid: number): number | null {
  try {
    const found = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "latin1"))?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}

/** In what the kernel counts memory on this machine. */
function pageBytes(): number {
  knownPageBytes ??=
    Number(/^KernelPageSize:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/smaps", "latin1"))?.[1] ?? 4) * 1024;
  return knownPageBytes;
}
