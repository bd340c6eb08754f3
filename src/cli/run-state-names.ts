import type { RunState } from "../protocol/wire/run.ts";

/**
 * The states of a run, in the order of its life. They are written out because the contract's own list comes with its
 * schemas, which would be loaded for every command; a test compares the two.
 */
export const runStateNames = [
  "queued",
  "starting",
  "running",
  "blocked",
  "parked",
  "awaiting-input",
  "paused",
  "validating",
  "review",
  "landing",
  "done",
  "failed",
  "rejected",
  "terminated",
] as const satisfies readonly RunState[];
