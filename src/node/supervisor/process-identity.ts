// Which process is meant by a pid. A pid alone is reused; with its start time, the boot of the machine and the pid
// namespace it names one process for ever. Nothing is ever signalled on a bare pid.

import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isErrno } from "../../os/errno.ts";

export type ProcessIdentity = {
  readonly pid: number;
  readonly startTicks: string;
  /** The boot of the machine and the pid namespace that the number belongs to. */
  readonly place: string;
};

/** A process as it was written down to be known again. */
export type WrittenProcess = { readonly pid: number; readonly startTicks: string; readonly bootId: string };

/** A process as it stands in the list, with the bonds that tell where it comes from. */
export type ListedProcess = ProcessIdentity & { readonly parent: number; readonly session: number };

/** The identity of a process that is there now, or undefined. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTicks = look(pid)?.startTicks;
  return startTicks === undefined ? undefined : { pid, startTicks, place: thisPlace() };
}

/**
 * The process that was written down in a folder, if it is still the same one; whoever has its number now is somebody else.
 * It has to run as the user whose folder that is: nobody can write down the process of another and have us end it.
 */
export function identifyWritten(written: WrittenProcess | undefined, folder: string): ProcessIdentity | undefined {
  const found = written === undefined ? undefined : identify(written.pid);
  const isSame = found?.startTicks === written?.startTicks && found?.place.startsWith(`${written?.bootId}/`) === true;
  const owner = lstatSync(folder, { throwIfNoEntry: false })?.uid;
  return found !== undefined && isSame && owner !== undefined && userOf(found.pid) === owner ? found : undefined;
}

/** Whether the very same process is still there and not merely waiting to be collected. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identity.place === thisPlace() && look(identity.pid)?.startTicks === identity.startTicks;
}

/** Signals one process, if it is still the same one. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // It ended in between, which is what was wanted, or it is not ours to signal: whoever asked looks again.
  }
}

/** Everything that runs in our pid namespace now. */
export function listProcesses(): ListedProcess[] {
  const found: ListedProcess[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const process = Number.isInteger(pid) ? look(pid) : undefined;
    if (process !== undefined) found.push(process);
  }
  return found;
}

/** The environment that a process was started with, empty when it is somebody else's or gone. */
export function environmentOf(pid: number): string[] {
  try {
    return readOfProcess(pid, "environ")?.split("\0") ?? [];
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM")) throw error;
    return [];
  }
}

/** Reads what a process said of itself when it started: the place, a blank, and its own line of `/proc/self/stat`. */
export function parseIdentity(line: string): ProcessIdentity | undefined {
  const [, place = "", stat = "", pid] = /^(\S+) ((\d+) \(.*)\n$/s.exec(line) ?? [];
  const startTicks = fieldsOf(stat)[19];
  if (pid === undefined || startTicks === undefined || !/^\d+$/.test(startTicks)) return undefined;
  return { pid: Number(pid), startTicks, place };
}

let knownPlace: string | undefined;

/** Where a pid of ours means something. */
export function thisPlace(): string {
  knownPlace ??= `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${readlinkSync("/proc/self/ns/pid")}`;
  return knownPlace;
}

function look(pid: number): ListedProcess | undefined {
  const stat = readOfProcess(pid, "stat");
  if (stat === undefined) return undefined;
  const [state, parent, , session, ...more] = fieldsOf(stat);
  const startTicks = more[15];
  // Z and X are dead: what is left of them is their exit status.
  if (state === "Z" || state === "X" || startTicks === undefined) return undefined;
  return { pid, startTicks, place: thisPlace(), parent: Number(parent), session: Number(session) };
}

/** Whom a process runs as. */
function userOf(pid: number): number | undefined {
  const user = /^Uid:\t(\d+)/m.exec(readOfProcess(pid, "status") ?? "")?.[1];
  return user === undefined ? undefined : Number(user);
}

/** A file of a process, undefined when the process is gone. Anything else in the way is no proof that it is. */
function readOfProcess(pid: number, name: "stat" | "status" | "environ"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ESRCH")) throw error;
    return undefined;
  }
}

/** The fields of `/proc/PID/stat` from the third on: the second, the name, may hold blanks and brackets. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
