// Halts what runs inside, where it stands, and lets it go on. Whoever is halted starts nothing; whoever was started in the
// middle of it is found by looking again.

import type { Holder } from "../cage/holder.ts";
import { isStopped, listProcesses, pidNamespaceOf, type SeenProcess } from "../os/processes.ts";
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
    const moving = find().filter(({ pid }) => !isStopped(pid));
    if (moving.length === 0) return true;
    await halt(moving);
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  return false;
}
