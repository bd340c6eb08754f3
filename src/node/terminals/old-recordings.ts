// Lets recordings go that are kept no longer. Which they are the core says; their files go when the log says that they do.

import type { Input } from "../../core/inputs.ts";
import type { State } from "../../core/state.ts";
import { recordingsToForget } from "../../core/terminal/retention.ts";
import type { Recordings } from "./recordings.ts";

export type OldRecordingsOptions = {
  readonly recordings: Pick<Recordings, "sizes">;
  readonly state: () => State;
  readonly nowMs: () => number;
  readonly submit: (input: Input) => Promise<unknown>;
};

/** Answers how many there were and what they took; with `dryRun` they stay. */
export async function forgetOldRecordings(
  { recordings, state, nowMs, submit }: OldRecordingsOptions,
  dryRun: boolean,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const sizes = await recordings.sizes();
  const old = recordingsToForget(state(), sizes, nowMs());
  if (!dryRun) for (const { terminal, because } of old) await submit({ type: "terminal.forget", terminal, because });
  return { count: old.length, bytes: old.reduce((sum, { terminal }) => sum + (sizes.get(terminal) ?? 0), 0) };
}
