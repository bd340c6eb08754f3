// What keeps a run from going on, in a few words.

import type { Run } from "../../protocol/wire/run.ts";
import { enumerate } from "./event-fields.ts";

/** `behind r_1a`, `for room under policy nightly (2 at once)`, `for agent shop-1 (r_1a is in it)`; empty when nothing is in its way. */
export function whatItWaitsFor(run: Run): string {
  const parts = [];
  if (run.behind.length > 0) parts.push(`behind ${enumerate(run.behind, 2)}`);
  if (run.waitsFor !== null) parts.push(`for room under ${toLimit(run.waitsFor)}`);
  if (run.waitsForAgent !== null) parts.push(`for ${toAgentText(run.waitsForAgent)}`);
  if (run.delay !== null) parts.push(`for its model (${run.delay.failure})`);
  return parts.join(" and ");
}

export function toAgentText({ agent, state, run }: NonNullable<Run["waitsForAgent"]>): string {
  return `agent ${agent} (${run === null || state !== "running" ? `it is ${state}` : `${run} is in it`})`;
}

export function toLimit({ policy, limit }: NonNullable<Run["waitsFor"]>): string {
  return `policy ${policy} (${limit === 0 ? "none" : limit} at once)`;
}
