import { writeSync } from "node:fs";
import { inspect } from "node:util";

const stderr = 2;

/**
 * Says something in the keeper's own log. That is a file beside what the agent writes: on a full disk `console` throws, and a
 * keeper that dies of its last words takes everything with it that its agent has under way.
 */
export function say(what: unknown): void {
  try {
    writeSync(stderr, `${typeof what === "string" ? what : inspect(what)}\n`);
  } catch {
    // There is nobody else to tell.
  }
}
