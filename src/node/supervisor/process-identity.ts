// Which process is meant by a pid. A pid alone is reused; with its start time and the machine's boot it names one process
// for ever. Nothing is ever signalled on a bare pid.

import { readdirSync, readFileSync } from "node:fs";

export type ProcessIdentity = { readonly pid: number; readonly startTicks: string; readonly boot: string };

/** The identity of a process that is there now, or undefined. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTicks = startTicksOf(pid);
  return startTicks === undefined ? undefined : { pid, startTicks, boot: bootId() };
}

/** Whether the very same process is still there and not merely waiting to be collected. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identity.boot === bootId() && startTicksOf(identity.pid) === identity.startTicks;
}

/**
 * The processes of the session that this one leads or led, itself included. A session keeps its number while anyone is in
 * it, and nobody in it is older than its leader: that is the proof that they are ours.
 */
export function sessionOf(leader: ProcessIdentity): ProcessIdentity[] {
  if (leader.boot !== bootId()) return [];
  const members: ProcessIdentity[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const fields = Number.isInteger(pid) ? statOf(pid) : undefined;
    if (fields === undefined || fields.session !== leader.pid) continue;
    if (BigInt(fields.startTicks) < BigInt(leader.startTicks)) continue;
    members.push({ pid, startTicks: fields.startTicks, boot: leader.boot });
  }
  return members;
}

/** Signals one process, if it is still the same one. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // It ended in between, which is what was wanted.
  }
}

function startTicksOf(pid: number): string | undefined {
  return statOf(pid)?.startTicks;
}

function statOf(pid: number): { readonly startTicks: string; readonly session: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command's name may hold spaces and brackets: fields are counted from its closing bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, , , session] = fields;
    const startTicks = fields[19];
    if (state === "Z" || startTicks === undefined) return undefined;
    return { startTicks, session: Number(session) };
  } catch {
    return undefined;
  }
}

let knownBoot: string | undefined;

function bootId(): string {
  knownBoot ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return knownBoot;
}
