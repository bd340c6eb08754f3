import { Fault } from "../base/fault.ts";

const cageFaults: ReadonlySet<string> = new Set(["cage-failed", "cage-unavailable", "mount-failed"]);

/** A full disk, a missing folder: not our mistake, and it may pass. */
export function isOfTheWorld(error: unknown): boolean {
  return error instanceof Fault ? error.retry !== "never" : error instanceof Error && "syscall" in error;
}

/** Whether the machine would not let a cage be made. */
export function isOfCage(error: unknown): error is Fault {
  return error instanceof Fault && cageFaults.has(error.code);
}
