// Which process is meant by a pid: with its start time it names one process of this boot. The keeper lives in the machine's
// own pid namespace and sees the agent's processes from outside, under numbers of both.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isErrno } from "./errno.ts";

/** Ticks of the kernel's clock in a second, for all that it tells programs. */
const ticksPerSecond = 100;

export type SeenProcess = {
  readonly pid: number;
  readonly startTicks: string;
  readonly parent: number;
  readonly session: number;
};

/** The process under this number, undefined when there is none or only its exit status is left. */
export function lookAt(pid: number): SeenProcess | undefined {
  const stat = readOf(pid, "stat");
  if (stat === undefined) return undefined;
  // The second field, the name, may hold blanks and brackets.
  const [state, parent, , session, ...more] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startTicks = more[15];
  if (state === "Z" || state === "X" || startTicks === undefined) return undefined;
  return { pid, startTicks, parent: Number(parent), session: Number(session) };
}

export function isSame(process: { readonly pid: number; readonly startTicks: string }): boolean {
  return lookAt(process.pid)?.startTicks === process.startTicks;
}

/** Whether it was halted by a signal and does nothing. One that has gone does nothing either. */
export function isStopped(pid: number): boolean {
  const stat = readOf(pid, "stat");
  return stat === undefined || ["T", "t", "Z", "X"].includes(stat.charAt(stat.lastIndexOf(")") + 2));
}

/** What is seen of a thread: what it does, and by which numbers the memory is known that it works in. */
export type SeenThread = { readonly state: string; readonly memory: string };

/** All threads of a process; none where it has gone. */
export function threadsOf(pid: number): SeenThread[] {
  let names: string[] = [];
  try {
    names = readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) throw error;
  }
  return names.flatMap((name) => {
    const stat = readOf(`${pid}/task/${name}`, "stat");
    if (stat === undefined) return [];
    const [state = "", ...more] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Its size, and where its program and its stack begin.
    return [{ state, memory: [more[19], more[22], more[24]].join(" ") }];
  });
}

export function listProcesses(): SeenProcess[] {
  const found: SeenProcess[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const seen = Number.isInteger(pid) ? lookAt(pid) : undefined;
    if (seen !== undefined) found.push(seen);
  }
  return found;
}

/** One look at everything that runs: each process is read once, however many ask about it. */
export class ProcessLook {
  #listed: readonly SeenProcess[] | undefined;
  readonly #environments = new Map<number, string>();

  list(): readonly SeenProcess[] {
    this.#listed ??= listProcesses();
    return this.#listed;
  }

  /** Whether a process was started with this in its environment. */
  carries(pid: number, entry: string): boolean {
    const text = this.#environments.get(pid) ?? `\0${readOf(pid, "environ") ?? ""}\0`;
    this.#environments.set(pid, text);
    return text.includes(`\0${entry}\0`);
  }
}

/** The pid namespace that a process lives in, as the kernel names it. */
export function pidNamespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

/** The number that a process has inside the innermost namespace. */
export function innerPidOf(pid: number): number | undefined {
  const numbers = /^NSpid:\s*(.*)$/m.exec(readOf(pid, "status") ?? "")?.[1]?.split(/\s+/);
  const inner = Number(numbers?.at(-1));
  return Number.isInteger(inner) && inner > 0 ? inner : undefined;
}

/**
 * Whether a process does anything about a signal but end by it: it has a handler for it, waits for it, or does not hear it. Where
 * the kernel does not say, it may.
 */
export function handles(pid: number, signal: number): boolean {
  const status = readOf(pid, "status");
  if (status === undefined) return false;
  const bit = 1n << BigInt(signal - 1);
  return ["SigBlk", "SigIgn", "SigCgt"].some((name) => {
    const mask = new RegExp(`^${name}:\\s*([0-9a-f]+)$`, "m").exec(status)?.[1];
    return mask === undefined || (BigInt(`0x${mask}`) & bit) !== 0n;
  });
}

/** The kernel's clock now, as it says when processes were started. */
export function nowTicks(): number {
  const [uptime = ""] = readFileSync("/proc/uptime", "utf8").split(" ");
  return Math.round(Number(uptime) * ticksPerSecond);
}

/** How many bytes a process, and those of its children that are over, have sent to disks; 0 where that is not ours to see. */
export function wroteBytesOf(pid: number): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readOf(pid, "io") ?? "")?.[1] ?? 0);
}

let knownBoot: string | undefined;

export function bootId(): string {
  knownBoot ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return knownBoot;
}

function readOf(pid: number | string, name: "stat" | "environ" | "status" | "io"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch (error) {
    // What is not ours to look at is not ours either.
    if (isErrno(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}
