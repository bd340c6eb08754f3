import { writeSync } from "node:fs";
import { inspect } from "node:util";

const stderr = 2;

/** Says something in the daemon's own log, which may be a file on a full disk: then nothing is said, and the daemon goes on. */
export function say(what: unknown): void {
  try {
    writeSync(stderr, `${typeof what === "string" ? what : inspect(what)}\n`);
  } catch {
    // There is nobody else to tell.
  }
}
