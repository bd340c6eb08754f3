import { Fault } from "../base/fault.ts";

/** A full disk, a missing folder: not our mistake, and it may pass. */
export function isOfTheWorld(error: unknown): boolean {
  return error instanceof Fault ? error.retry !== "never" : error instanceof Error && "syscall" in error;
}
