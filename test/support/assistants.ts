// The real programs of assistants, where they are there to be tried.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { assistantsPath } from "../../scripts/assistants.ts";

/** Whether tests of a program are to run: where it is, and wherever its absence would go unnoticed. */
export function canTry(program: string): boolean {
  if (process.env["CI"] === "true" || existsSync(join(assistantsPath, program))) return true;
  console.warn(`${program.toUpperCase()} IS NOT TRIED: node scripts/assistants.ts fetches it.`);
  return false;
}

/** A PATH on which they come first. */
export function pathWithAssistants(): string {
  return `${assistantsPath}:${process.env["PATH"] ?? ""}`;
}
