// What is asked of the door with a call: its tool, what it needs to own, and a fingerprint by which the same call again is
// recognised.

import { createHash } from "node:crypto";
import { canonical } from "../../base/canonical.ts";
import type { CallTool } from "../../core/run/run-state.ts";
import type { FileChange } from "../../ports/runner.ts";

export type Begun = {
  readonly tool: CallTool;
  readonly units: readonly string[];
  readonly bytes: number;
  readonly other: string | null;
  readonly print?: string | undefined;
};

const printChars = 16;

/** A call that owns nothing. Without arguments it may be made again and again without being stuck. */
export function freely(tool: CallTool, args?: unknown): Begun {
  const base = { tool, units: [], bytes: 0, other: null };
  return args === undefined ? base : { ...base, print: printOf(args) };
}

/** The same arguments have the same. */
export function printOf(args: unknown): string {
  return createHash("sha256").update(canonical(args)).digest("hex").slice(0, printChars);
}

/** How much of the disk a change wants. */
export function bytesOf(change: FileChange): number {
  if (change.do === "write") return Buffer.byteLength(change.content);
  return change.do === "edit" ? Buffer.byteLength(change.replace) : 0;
}
