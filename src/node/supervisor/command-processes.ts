// Which processes belong to a command, and how they are ended. Never by name: a process is ours when it carries the
// command's mark in its environment, sits in the session of the command's living leader, or is a child of one that is ours.

import {
  environmentOf,
  isAlive,
  listProcesses,
  signalProcess,
  type ListedProcess,
  type ProcessIdentity,
} from "./process-identity.ts";

export type CommandTraces = {
  /** What every process of the command finds in its environment under `markName`. */
  readonly mark: string;
  /** The shell that leads it, as far as it has said who it is. */
  readonly leader: ProcessIdentity | undefined;
};

/** How hard to end something: `force` leaves no time to tidy up. */
export type EndOptions = { readonly force?: boolean | undefined };

export const markName = "SIGNALBOX_COMMAND";

const graceMs = 2000;
const lookMsMin = 10;
const lookMsMax = 250;
/** How often a leader may be found alone before it is taken for stuck. */
const leaderLooks = 5;

/** The processes of these commands that are there now. */
export function processesOf(commands: readonly CommandTraces[]): ProcessIdentity[] {
  const marks = new Set(commands.map(({ mark }) => `${markName}=${mark}`));
  // A session keeps its number while anyone is in it. Once its leader is gone, the number may belong to a stranger.
  const sessions = new Set(commands.filter(isLed).map(({ leader }) => leader?.pid));
  const listed = listProcesses().filter(({ pid }) => pid !== process.pid);
  const isOurs = ({ pid, session }: ListedProcess): boolean => sessions.has(session) || isMarked(pid, marks);
  const owned = new Map(listed.filter(isOurs).map((each) => [each.pid, each]));
  for (let before = 0; before < owned.size;) {
    before = owned.size;
    for (const each of listed) if (isChild(each, owned.get(each.parent))) owned.set(each.pid, each);
  }
  return [...owned.values()];
}

/** Whether the command's leader lives. Its mark counts, too: a start is told only to a hundredth of a second. */
export function isLed({ mark, leader }: CommandTraces): boolean {
  return leader !== undefined && isAlive(leader) && isMarked(leader.pid, new Set([`${markName}=${mark}`]));
}

/** Ends everything of these commands: gently first, then for good. Resolves when it is proven gone. */
export async function endProcesses(commands: readonly CommandTraces[], options: EndOptions = {}): Promise<void> {
  const killAtMs = performance.now() + (options.force === true ? 0 : graceMs);
  const leaders = new Set(commands.flatMap(({ leader }) => leader?.pid ?? []));
  const asked = new Set<string>();
  let lookMs = lookMsMin;
  let alone = 0;
  // A process that starts another and ends while we read the list hides it from us once, not twice.
  for (let empty = 0; empty < 2;) {
    const found = processesOf(commands);
    empty = found.length === 0 ? empty + 1 : 0;
    const led = found.filter(({ pid }) => !leaders.has(pid));
    for (const each of led) endOne(each, asked, performance.now() >= killAtMs);
    // A leader goes last and by itself: while it lives, its session tells who belongs to it, and it has a status to write.
    alone = led.length === 0 ? alone + 1 : 0;
    if (alone > leaderLooks) for (const each of found) signalProcess(each, "SIGKILL");
    if (empty < 2) await new Promise((resolve) => setTimeout(resolve, lookMs));
    lookMs = Math.min(2 * lookMs, lookMsMax);
  }
}

/** A second SIGTERM makes many programs drop everything, so each process is asked once. */
function endOne(identity: ProcessIdentity, asked: Set<string>, kill: boolean): void {
  if (kill) return signalProcess(identity, "SIGKILL");
  const name = `${identity.pid} ${identity.startTicks}`;
  if (asked.has(name)) return;
  asked.add(name);
  signalProcess(identity, "SIGTERM");
}

function isMarked(pid: number, marks: ReadonlySet<string>): boolean {
  return environmentOf(pid).some((entry) => marks.has(entry));
}

function isChild(process: ListedProcess, parent: ListedProcess | undefined): boolean {
  return parent !== undefined && BigInt(process.startTicks) >= BigInt(parent.startTicks);
}
