// Which processes belong to a command, and how they are ended. Never by name: a process is ours when it is in the
// command's control group; or, where there is none, when it carries the command's mark, shares a session with one that
// does, or comes from such a one. Inside a cage signals are sent from within, where no number means a stranger.

import type { Holder, SignalName } from "../cage/holder.ts";
import { pidsIn } from "../cage/limits.ts";
import {
  innerPidOf,
  isSame,
  lookAt,
  pidNamespaceOf,
  ProcessLook,
  type SeenProcess,
  wroteBytesOf as wroteByOne,
} from "../os/processes.ts";
import { Asking } from "./asking.ts";

export const markName = "SIGNALBOX_CALL";

export type Belonging = {
  readonly mark: string;
  /** The file in which the kernel lists its processes, where there is one. */
  readonly list: string | undefined;
  /** From now on it starts no further process. */
  readonly close: () => void;
  /** The cage that it runs in; undefined for a command without one. */
  readonly holder: Holder | undefined;
  /** Whether what we started for it has ended. One that is only just coming up is on no list, and is there all the same. */
  readonly isGone?: () => boolean;
  /** The first process of a command of an earlier keeper: its environment may be out of our sight. */
  readonly leader?: { readonly pid: number; readonly startTicks: string } | undefined;
};

const lookMsMin = 5;
const lookMsMax = 100;

/** Who asks about several commands has one look for all of them. */
export function processesOf(command: Belonging, look: ProcessLook = new ProcessLook()): SeenProcess[] {
  const { mark, list, holder, leader } = command;
  const isHere = (pid: number): boolean =>
    pid !== process.pid && (holder === undefined || (pid !== holder.pid && isInside(pid, holder)));
  if (list !== undefined) {
    return pidsIn(list)
      .filter(isHere)
      .flatMap((pid) => lookAt(pid) ?? []);
  }
  const listed = look.list().filter(({ pid }) => isHere(pid));
  const isOurs = (each: SeenProcess): boolean =>
    look.carries(each.pid, `${markName}=${mark}`) ||
    (each.pid === leader?.pid && each.startTicks === leader.startTicks);
  const owned = new Map(listed.filter(isOurs).map((each) => [each.pid, each]));
  const sessions = new Set([...owned.values()].filter(leadsItsSession(owned)).map(({ session }) => session));
  for (const each of listed) if (sessions.has(each.session)) owned.set(each.pid, each);
  for (let before = -1; before < owned.size;) {
    before = owned.size;
    for (const each of listed) if (owned.has(each.parent)) owned.set(each.pid, each);
  }
  return [...owned.values()];
}

type Ending = {
  /** By what its processes are asked to go. */
  readonly first?: readonly SignalName[];
  /** Whom somebody has asked by these already. */
  readonly asking?: Asking;
  readonly patienceMs?: number;
};

/** How many bytes its processes have sent to disks. What the kernel does not tell counts as nothing. */
export function wroteBytesOf(command: Belonging, look: ProcessLook): number {
  return processesOf(command, look).reduce((sum, { pid }) => sum + wroteByOne(pid), 0);
}

/** Ends everything of a command: asks first, and ends it for good after the grace. False when something would not go. */
export async function endProcesses(
  command: Belonging,
  graceMs: number,
  { first = ["TERM"], asking = new Asking(first), patienceMs = 5000 }: Ending = {},
): Promise<boolean> {
  const startMs = performance.now();
  const isGone = (): boolean => command.isGone?.() ?? true;
  let lookMs = lookMsMin;
  // A process that starts another and ends while we read the list hides it from us once, not twice.
  for (let empty = 0; empty < 2;) {
    const found = processesOf(command);
    empty = found.length === 0 && isGone() ? empty + 1 : 0;
    const pastMs = performance.now() - startMs;
    if (pastMs >= graceMs) {
      command.close();
      await signal(command, "KILL", found);
    } else {
      const chosen = asking.choose(found);
      for (const name of first) await signal(command, name, chosen);
    }
    if (pastMs > graceMs + patienceMs) return false;
    // Where nobody is found there is nobody to wait for: it is looked again at once.
    if (empty > 0) continue;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    lookMs = Math.min(2 * lookMs, lookMsMax);
  }
  return true;
}

export async function signal(command: Belonging, name: SignalName, found: readonly SeenProcess[]): Promise<void> {
  if (found.length === 0) return;
  if (command.holder !== undefined) {
    const inside = found.filter(isSame).flatMap(({ pid, startTicks }) => {
      const inner = innerPidOf(pid);
      return inner === undefined ? [] : [{ inner, pid, startTicks }];
    });
    if (inside.length > 0) await command.holder.signal(name, inside);
    return;
  }
  for (const each of found) {
    if (!isSame(each)) continue;
    try {
      process.kill(each.pid, `SIG${name}`);
    } catch {
      // It ended in between, which is what was wanted; we look again anyway.
    }
  }
}

function isInside(pid: number, holder: Holder): boolean {
  return pidNamespaceOf(pid) === holder.pidNamespaceName;
}

/** A session counts when one of ours leads it: a stranger's session is not ours because one of ours sits in it. */
function leadsItsSession(owned: ReadonlyMap<number, SeenProcess>): (process: SeenProcess) => boolean {
  return ({ session }) => owned.has(session);
}
