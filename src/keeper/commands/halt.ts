// Halts what runs inside, where it stands, and lets it go on. Whoever is halted starts nothing; whoever was started in the
// middle of it is found by looking again. It is over when no thread of anybody goes on.

import type { Holder } from "../cage/holder.ts";
import { listProcesses, pidNamespaceOf, type SeenProcess, threadsOf } from "../os/processes.ts";
import { type Belonging, processesOf, signal } from "./command-processes.ts";

const lookMs = 5;
/** A process that the kernel holds, by a disk that does not answer, halts later than we look. */
const looksMax = 200;

/** Everything inside a cage. False when something goes on. */
export function haltInside(holder: Holder): Promise<boolean> {
  const inside = (): SeenProcess[] =>
    listProcesses().filter(({ pid }) => pid !== holder.pid && pidNamespaceOf(pid) === holder.pidNamespaceName);
  return haltUntilStill(inside, () => holder.signal("STOP", "all"));
}

/** What belongs to a command without a cage. */
export function haltFree(command: Belonging): Promise<boolean> {
  return haltUntilStill(
    () => processesOf(command),
    (moving) => signal(command, "STOP", moving),
  );
}

export async function goOnFree(command: Belonging): Promise<void> {
  await signal(command, "CONT", processesOf(command));
}

async function haltUntilStill(
  find: () => SeenProcess[],
  halt: (moving: readonly SeenProcess[]) => Promise<void>,
): Promise<boolean> {
  for (let looks = 0; looks < looksMax; looks++) {
    const moving = findMoving(find());
    if (moving.length === 0) return true;
    await halt(moving);
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  return false;
}

const stillStates: ReadonlySet<string> = new Set(["T", "t", "Z", "X"]);

/**
 * Those of whom a thread goes on. Whoever starts a program by vfork cannot be halted before the program has begun: the kernel
 * holds it until then. It does nothing meanwhile, and will not: the child that it waits for, which has its memory until then,
 * stands still.
 */
function findMoving(found: readonly SeenProcess[]): SeenProcess[] {
  const threads = new Map(found.map(({ pid }) => [pid, threadsOf(pid)]));
  const isStill = (pid: number): boolean => (threads.get(pid) ?? []).every(({ state }) => stillStates.has(state));
  const waitsForChild = (pid: number, memory: string): boolean =>
    found.some((child) => child.parent === pid && isStill(child.pid) && threads.get(child.pid)?.[0]?.memory === memory);
  return found.filter(({ pid }) =>
    (threads.get(pid) ?? []).some(
      ({ state, memory }) => !stillStates.has(state) && !(state === "D" && waitsForChild(pid, memory)),
    ),
  );
}
