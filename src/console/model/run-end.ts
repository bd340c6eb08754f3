// How a run came to its end: what it did last, the last command that it ran, and what it said after that.

import type { RunStep, RunStory, Said } from "./run-story.ts";

export type RunEnd = {
  readonly step: RunStep | undefined;
  /** The last one whose output is kept. */
  readonly command: RunStep | undefined;
  /** What it said last, if that says more than what came before its last command. */
  readonly said: Said | undefined;
};

export function endOf({ steps, said }: Pick<RunStory, "steps" | "said">): RunEnd {
  const command = steps.findLast(({ hasOutput }) => hasOutput);
  const last = said.findLast(({ by }) => by === "run");
  const isLater = last !== undefined && last.atMs >= (command?.fromMs ?? Number.NEGATIVE_INFINITY);
  return { step: steps.at(-1), command, said: isLater ? last : undefined };
}
